//! The boards of all lanes: their games, moves and evaluations as JSON, and what has changed on them since viewers were
//! last sent it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::chess::{Color, Move, Position, Square};
use crate::event::live::{GameChange, LiveUpdate, RunningGame, RunningGames};
use crate::event::{GameId, Seat};
use crate::referee::{Outcome, Thinking};
use crate::text::printable;
use crate::uci::Score;

/// The names of a game and of its two players.
pub(super) type NameLookup<'a> = &'a dyn Fn(GameId, [Seat; 2]) -> (String, [String; 2]);

/// The boards of all lanes.
#[derive(Debug, Default)]
pub(super) struct Boards {
    heard: RunningGames,
    boards: BTreeMap<usize, GameBoard>,
    /// Games that have ended since boards were last sent, and whose boards already have the next game: the last such
    /// game of each lane. It is rare that a game ends and the next begins between two messages.
    ended: BTreeMap<usize, GameBoard>,
    /// Number of half-moves that were sent, by lane; a lane that is missing here is sent as a whole.
    told: BTreeMap<usize, usize>,
    /// Lanes in which a move was made, or a game began or ended.
    moved: BTreeSet<usize>,
    /// Lanes in which an engine has reported something.
    thinking: BTreeSet<usize>,
    /// Number of updates that were lost before they reached this.
    pub(super) lost: u64,
}

impl Boards {
    /// Takes in an update.
    pub(super) fn hear(&mut self, update: &LiveUpdate, names: NameLookup<'_>) {
        if !self.heard.update(update) {
            return;
        }
        match update {
            LiveUpdate::Now { games, lost } => {
                self.lost = *lost;
                for (lane, game) in games.iter() {
                    self.begin(lane, game, names);
                }
            }
            LiveUpdate::Lane(lane_update) => {
                self.lane_update(lane_update.lane, lane_update.at, &lane_update.change, names)
            }
        }
    }

    fn lane_update(
        &mut self,
        lane: usize,
        at: Instant,
        change: &GameChange,
        names: NameLookup<'_>,
    ) {
        if let GameChange::Game(game) = change {
            return self.begin(lane, game, names);
        }
        let Some(board) = self.boards.get_mut(&lane) else {
            return;
        };
        match change {
            GameChange::Moved {
                chess_move,
                thinking,
                ..
            } => {
                if let Some(game) = self.heard.in_lane(lane) {
                    board.moved(game, *chess_move, thinking);
                    self.moved.insert(lane);
                }
            }
            GameChange::Thinking { side, thinking } => {
                board.thinks(*side, thinking);
                self.thinking.insert(lane);
            }
            GameChange::Over(outcome) => {
                board.end = Some((outcome.clone(), at));
                self.moved.insert(lane);
            }
            GameChange::Game(_) => {}
        }
    }

    fn begin(&mut self, lane: usize, game: &RunningGame, names: NameLookup<'_>) {
        let (name, players) = names(game.id, game.seats);
        let before = self
            .boards
            .insert(lane, GameBoard::new(game, name, players));
        let untold = self.moved.contains(&lane);
        let ended = before.filter(|before| before.end.is_some() && untold);
        self.ended.extend(ended.map(|ended| (lane, ended)));
        self.told.remove(&lane);
        self.moved.insert(lane);
    }

    /// All boards, for a viewer that has seen nothing yet.
    pub(super) fn all(&self, now: Instant) -> Value {
        let boards = self.boards.iter();
        boards
            .map(|(lane, board)| board.json(*lane, 0, now))
            .collect()
    }

    /// What has changed since the last call, for all viewers that were sent the state before.
    pub(super) fn changes(&mut self, now: Instant) -> Option<Value> {
        let ended = std::mem::take(&mut self.ended).into_iter();
        let mut changes: Vec<Value> = ended
            .map(|(lane, board)| board.json(lane, 0, now))
            .collect();
        for lane in std::mem::take(&mut self.moved) {
            self.thinking.remove(&lane);
            if let Some(board) = self.boards.get(&lane) {
                let known = self.told.insert(lane, board.plies());
                changes.push(board.json(lane, known.unwrap_or(0), now));
            }
        }
        for lane in std::mem::take(&mut self.thinking) {
            let board = self.boards.get(&lane);
            changes.extend(board.map(|board| board.thinking_json(lane)));
        }
        (!changes.is_empty()).then(|| json!(changes))
    }
}

/// Half-moves of a variation that are shown.
const VARIATION: usize = 12;

/// A game on a board: a running game, or one that has ended on this board and is shown until the next begins.
#[derive(Debug, Clone)]
pub(super) struct GameBoard {
    pub(super) game: RunningGame,
    /// The name of the game, for people.
    pub(super) name: String,
    /// The names of White and Black.
    pub(super) names: [String; 2],
    /// The moves as text.
    pub(super) moves: Vec<String>,
    /// The last report of each engine.
    pub(super) said: [ShownThinking; 2],
    /// The last move, from and to, in the form in which it is drawn.
    pub(super) last: Option<[Square; 2]>,
    /// How it ended, and when its clocks stopped.
    pub(super) end: Option<(Outcome, Instant)>,
}

/// The last report of an engine, checked against the position that it is about.
#[derive(Debug, Clone, Default)]
pub(super) struct ShownThinking {
    pub(super) thinking: Thinking,
    /// The variation up to its first illegal move.
    pub(super) variation: Vec<String>,
    /// The first two moves of the variation, as they are drawn.
    arrows: Vec<[Square; 2]>,
}

impl ShownThinking {
    fn new(thinking: &Thinking, position: &Position) -> ShownThinking {
        let mut position = position.clone();
        let (mut variation, mut arrows) = (Vec::new(), Vec::new());
        for word in thinking.pv.split_whitespace().take(VARIATION) {
            let Ok(played) = position.parse_uci_loosely(word) else {
                break;
            };
            variation.push(position.san(played).to_string());
            arrows.push(drawn(&position, played));
            position.play(played);
        }
        arrows.truncate(2);
        ShownThinking {
            thinking: thinking.clone(),
            variation,
            arrows,
        }
    }

    /// From White's point of view.
    fn json(&self, side: Color) -> Value {
        let score = self
            .thinking
            .score
            .map(|score| score.bounded().of_white(side));
        let (centipawns, mate) = Score::columns(score);
        json!({
            "cp": centipawns,
            "mate": mate,
            "depth": self.thinking.depth,
            "nodes": self.thinking.nodes,
            "nps": self.thinking.nps,
            "pv": self.variation.join(" "),
        })
    }
}

impl GameBoard {
    /// The board of a running game.
    pub(super) fn new(game: &RunningGame, name: String, names: [String; 2]) -> GameBoard {
        let mut position = game.start.clone();
        let mut moves = Vec::with_capacity(game.plies());
        let mut last = None;
        for played in game.all_moves() {
            moves.push(position.san(played).to_string());
            last = Some(drawn(&position, played));
            position.play(played);
        }
        let mover = position.side_to_move();
        let mut said = <[ShownThinking; 2]>::default();
        // The report of the side to move may be from its previous search: then its moves are not legal here, or say
        // nothing.
        said[mover.index()] = ShownThinking::new(&game.thinking[mover.index()], &position);
        said[(!mover).index()].thinking = game.thinking[(!mover).index()].clone();
        GameBoard {
            game: game.clone(),
            name,
            names,
            moves,
            said,
            last,
            end: None,
        }
    }

    /// A move was made; `game` is the state after it.
    pub(super) fn moved(&mut self, game: &RunningGame, chess_move: Move, thinking: &Thinking) {
        let before = &self.game.position;
        let mover = before.side_to_move().index();
        self.moves.push(before.san(chess_move).to_string());
        self.last = Some(drawn(before, chess_move));
        self.said[mover] = ShownThinking::new(thinking, before);
        self.game = game.clone();
    }

    /// An engine has reported this about the position on the board.
    pub(super) fn thinks(&mut self, side: Color, thinking: &Thinking) {
        self.said[side.index()] = ShownThinking::new(thinking, &self.game.position);
    }

    /// Number of half-moves that were made.
    pub(super) fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The move that is expected next: from the report of the side to move, or of the other side, which has just moved.
    fn expected(&self) -> Option<[Square; 2]> {
        if self.end.is_some() {
            return None;
        }
        let mover = self.game.position.side_to_move();
        let own = self.said[mover.index()].arrows.first();
        let fits = |squares: &&[Square; 2]| {
            let piece = self.game.position.piece_at(squares[0]);
            piece.is_some_and(|piece| piece.color == mover)
        };
        let reply = self.said[(!mover).index()].arrows.get(1);
        own.filter(fits).or(reply.filter(fits)).copied()
    }

    /// The time left on both clocks at this moment.
    pub(super) fn clocks(&self, now: Instant) -> [Option<Duration>; 2] {
        let now = self.end.as_ref().map_or(now, |(_, at)| *at);
        Color::ALL.map(|side| self.game.clock(side, now))
    }

    /// The whole board, for a viewer that has not seen it. The first `known` half-moves are left out.
    pub(super) fn json(&self, lane: usize, known: usize, now: Instant) -> Value {
        let game = &self.game;
        let mover = game.position.side_to_move();
        let square = |squares: [Square; 2]| squares.map(|square| square.to_string());
        let mut value = json!({
            "lane": lane,
            "name": self.name,
            "placement": placement(&game.position),
            "turn": if mover == Color::White { 0 } else { 1 },
            "last": self.last.map(square),
            "plies": self.plies(),
            "moves": &self.moves[known.min(self.plies())..],
            "clocks": self.clocks(now).map(|clock| clock.map(|left| left.as_millis() as u64)),
            "end": self.end.as_ref().map(|(outcome, _)| end_words(outcome)),
        });
        if known == 0 {
            value["white"] = json!(self.names[0]);
            value["black"] = json!(self.names[1]);
            value["number"] = json!(game.number.map(|number| number.0));
            value["first"] = json!([
                game.start.fullmove_number(),
                usize::from(game.start.side_to_move() == Color::Black)
            ]);
        }
        self.add_thinking(&mut value);
        value
    }

    /// What has changed while an engine thinks.
    pub(super) fn thinking_json(&self, lane: usize) -> Value {
        let mut value = json!({ "lane": lane, "name": self.name });
        self.add_thinking(&mut value);
        value
    }

    fn add_thinking(&self, value: &mut Value) {
        let said = Color::ALL.map(|side| self.said[side.index()].json(side));
        value["said"] = json!(said);
        let arrow = self.expected();
        value["arrow"] = json!(arrow.map(|squares| squares.map(|square| square.to_string())));
    }
}

/// How a game ended, in words.
fn end_words(outcome: &Outcome) -> String {
    let words = printable(&outcome.to_string()).into_owned();
    if outcome.is_void() {
        words
    } else {
        format!("{} · {words}", outcome.result())
    }
}

/// The squares between which a move is drawn: a castling king is drawn on the square where it lands.
fn drawn(position: &Position, played: Move) -> [Square; 2] {
    let (from, to) = (played.from(), played.to());
    let landing = position.is_castling(played).map(|_| {
        let rule = position.castling_rule();
        Square::new(rule.king_landing(from.file(), to.file()), to.rank())
    });
    [from, landing.unwrap_or(to)]
}

/// The first field of a FEN.
fn placement(position: &Position) -> String {
    let fen = position.fen(crate::chess::FenDialect::XFen);
    fen.split(' ').next().unwrap_or_default().to_owned()
}
