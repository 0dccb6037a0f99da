//! One board: its game, moves and evaluations, as JSON.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::chess::{Color, Move, Position, Square};
use crate::event::live::RunningGame;
use crate::referee::{Outcome, Thinking};
use crate::text::printable;
use crate::uci::Score;

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
        let (centipawns, mate) = Score::columns(white(self.thinking.score, side));
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
        let mut moves = Vec::with_capacity(game.moves.len());
        let mut last = None;
        for &played in &game.moves {
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
pub(super) fn end_words(outcome: &Outcome) -> String {
    match outcome.is_void() {
        true => format!("void: {}", printable(&outcome.to_string())),
        false => format!("{} · {}", outcome.result(), printable(&outcome.to_string())),
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

/// A score from White's point of view, within bounds.
pub(super) fn white(score: Option<Score>, side: Color) -> Option<Score> {
    let sign = if side == Color::White { 1 } else { -1 };
    score.map(|score| match score {
        Score::Centipawns(value) => Score::Centipawns(sign * value.clamp(-30_000, 30_000)),
        Score::Mate(moves) => Score::Mate(sign * moves.clamp(-1000, 1000)),
    })
}

/// The first field of a FEN.
fn placement(position: &Position) -> String {
    let fen = position.fen(crate::chess::FenDialect::XFen);
    fen.split(' ').next().unwrap_or_default().to_owned()
}
