//! The boards of all lanes: their games, moves and evaluations as JSON, and what has changed on them since viewers were
//! last sent it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use std::time::Instant;

use serde_json::{Value, json};

use crate::chess::{Color, Game};
use crate::event::live::{GameChange, LiveUpdate, RunningGame, RunningGames};
use crate::event::{GameId, Seat};
use crate::page::{PlayedMoves, evaluation, line};
use crate::referee::{Adjudication, Adjudicator, Outcome, ScoredMove};
use crate::text::printable;
use crate::tournament::GameOfRound;

/// The names of a game and of its two players, and what its round makes of it.
pub(super) type NameLookup<'a> = &'a dyn Fn(GameId, [Seat; 2]) -> NamedGame;

pub(super) type NamedGame = (String, [String; 2], GameOfRound);

/// The boards of all lanes.
#[derive(Debug, Default)]
pub(super) struct Boards {
    heard: RunningGames,
    boards: BTreeMap<usize, GameBoard>,
    /// Games that have ended since boards were last sent, and whose boards already have the next game.
    ended: Vec<Value>,
    /// Number of half-moves that were sent, by lane; a lane that is missing here is sent as a whole.
    told: BTreeMap<usize, usize>,
    /// Lanes in which a move was made, or a game began or ended.
    moved: BTreeSet<usize>,
    /// Lanes in which an engine has reported something.
    thinking: BTreeSet<usize>,
    /// Number of updates that were lost before they reached this.
    pub(super) lost: u64,
    /// When the referee ends a game of a stage without rules of its own.
    rules: Adjudication,
}

impl Boards {
    /// Without games; games end by these rules.
    pub(super) fn new(rules: Adjudication) -> Boards {
        Boards {
            rules,
            ..Boards::default()
        }
    }

    /// Takes in an update.
    pub(super) fn hear(&mut self, update: &LiveUpdate, names: NameLookup<'_>) {
        if !self.heard.update(update) {
            return;
        }
        let told = match update {
            LiveUpdate::Now { games, lost } => {
                self.lost = *lost;
                let games = games.iter();
                return games.for_each(|(lane, game)| self.begin(lane, game, names));
            }
            LiveUpdate::Lane(told) => told,
        };
        let lane = told.lane;
        match (&told.change, self.boards.get_mut(&lane)) {
            (GameChange::Game(game), _) => self.begin(lane, game, names),
            (_, None) => {}
            (GameChange::Moved { .. }, Some(board)) => {
                if let Some(game) = self.heard.in_lane(lane) {
                    board.game = game.clone();
                    board.nearing = nearing(&board.rules, game);
                    board.whole = OnceLock::new();
                    self.moved.insert(lane);
                }
            }
            (GameChange::Thinking { side, thinking }, Some(board)) => {
                board.game.thinking[side.index()] = (**thinking).clone();
                self.thinking.insert(lane);
            }
            (GameChange::Over(outcome), Some(board)) => {
                board.end = Some((outcome.clone(), told.at));
                self.moved.insert(lane);
            }
        }
    }

    fn begin(&mut self, lane: usize, game: &RunningGame, names: NameLookup<'_>) {
        let (name, players, of_round) = names(game.id, game.seats);
        let own = of_round.adjudication.as_ref();
        let rules = own.map_or_else(|| self.rules.clone(), |own| self.rules.in_stage(own));
        let board = GameBoard {
            game: game.clone(),
            nearing: nearing(&rules, game),
            rules,
            name,
            players,
            playoff: of_round.playoff,
            end: None,
            whole: OnceLock::new(),
        };
        let before = self.boards.insert(lane, board);
        let untold = self.moved.contains(&lane);
        let ended = before.filter(|before| before.end.is_some() && untold);
        self.ended
            .extend(ended.map(|ended| ended.json(lane, 0, Instant::now())));
        self.told.remove(&lane);
        self.moved.insert(lane);
    }

    /// The lanes that have boards, and others, up to so many in all, for a page that leaves room for them.
    pub(super) fn lanes(&self, room: usize) -> String {
        let free = room.saturating_sub(self.boards.len());
        let others = (0..).filter(|lane| !self.boards.contains_key(lane));
        let lanes = self.boards.keys().copied().chain(others.take(free));
        let lanes: BTreeSet<usize> = lanes.collect();
        let lanes: Vec<String> = lanes.iter().map(usize::to_string).collect();
        lanes.join(" ")
    }

    /// The board of the game of this name.
    pub(super) fn game(&self, name: &str, now: Instant) -> Option<Value> {
        let mut boards = self.boards.iter();
        let (lane, board) = boards.find(|(_, board)| board.name == name)?;
        Some(board.json(*lane, 0, now))
    }

    /// All boards, for a viewer that has seen nothing yet.
    pub(super) fn all(&self, now: Instant) -> Value {
        let boards = self.boards.iter();
        let all = boards.map(|(lane, board)| board.json(*lane, 0, now));
        all.collect()
    }

    /// What has changed since the last call, for all viewers that were sent the state before.
    pub(super) fn changes(&mut self, now: Instant) -> Option<Value> {
        let mut changes = std::mem::take(&mut self.ended);
        for lane in std::mem::take(&mut self.moved) {
            self.thinking.remove(&lane);
            if let Some(board) = self.boards.get(&lane) {
                let known = self.told.insert(lane, board.game.plies());
                changes.push(board.json(lane, known.unwrap_or(0), now));
            }
        }
        for lane in std::mem::take(&mut self.thinking) {
            if let Some(board) = self.boards.get(&lane) {
                let (round, said) = (&board.name, board.said());
                changes.push(json!({ "lane": lane, "round": round, "said": said }));
            }
        }
        (!changes.is_empty()).then(|| json!(changes))
    }
}

/// A game on a board: a running game, or one that has ended on this board and is shown until the next begins.
#[derive(Debug, Clone)]
struct GameBoard {
    game: RunningGame,
    rules: Adjudication,
    /// How far it is from an end by score.
    nearing: Value,
    /// The name of the game, for people.
    name: String,
    /// The names of White and Black.
    players: [String; 2],
    /// What it is called as a playoff.
    playoff: Option<String>,
    /// How it ended, and when its clocks stopped.
    end: Option<(Outcome, Instant)>,
    /// All its moves, for viewers that come; made when the first of them does.
    whole: OnceLock<Value>,
}

impl GameBoard {
    /// The whole game if `known` is 0, else what follows this half-move.
    fn json(&self, lane: usize, known: usize, now: Instant) -> Value {
        let game = &self.game;
        let played = PlayedMoves {
            start: &game.start,
            book: &game.opening,
            moves: &game.moves,
            is_timed: true,
            has_clock: game.clocks[0].is_some(),
        };
        let known = known.min(game.plies());
        let with_moves = |mut value: Value| {
            played.add_to(&mut value, known, true);
            value
        };
        let names = self.players.each_ref().map(|name| &**name);
        let whole = || with_moves(played.json(&self.name, game.number, names));
        let mut value = match known {
            0 => self.whole.get_or_init(whole).clone(),
            _ => with_moves(json!({ "round": self.name })),
        };
        let at = self.end.as_ref().map_or(now, |(_, at)| *at);
        let clocks = Color::ALL.map(|side| game.clock(side, at));
        let outcome = self.end.as_ref().map(|(outcome, _)| outcome);
        let counts = outcome.filter(|outcome| !outcome.is_void());
        value["lane"] = json!(lane);
        value["from"] = json!(known);
        value["clocks"] = json!(clocks.map(|clock| clock.map(|left| left.as_millis() as u64)));
        value["result"] = json!(counts.map(Outcome::result));
        value["end"] = json!(outcome.map(|outcome| printable(&outcome.to_string()).into_owned()));
        value["said"] = self.said();
        value["nearing"] = self.nearing.clone();
        value["playoff"] = json!(self.playoff);
        value
    }

    /// The last report of the side to move; null before the first of this search.
    fn said(&self) -> Value {
        let side = self.game.position.side_to_move();
        let thinking = &self.game.thinking[side.index()];
        let before = self.game.moves.len().checked_sub(2);
        if before.is_some_and(|before| self.game.moves[before].thinking == *thinking) {
            return Value::Null;
        }
        json!({
            "evaluation": evaluation(thinking, side),
            "depth": thinking.depth,
            "speed": thinking.nps.map(|nps| nps / 1000),
            "nodes": thinking.nodes,
            "tbhits": thinking.tbhits,
            "line": line(&self.game.position, thinking),
        })
    }
}

/// How far a game is from an end by score: of the moves that a draw wants, and that White's and Black's loss want, those
/// that count. Null where another school counts.
fn nearing(rules: &Adjudication, game: &RunningGame) -> Value {
    let mut adjudicator = Adjudicator::new(rules);
    let mut board = Game::with_moves(game.start.clone(), game.opening.iter().copied());
    for played in &game.moves {
        board.play(played.chess_move);
        adjudicator.judge(&ScoredMove::last(&board, &played.thinking));
    }
    let Some((level, lost)) = adjudicator.counted().filter(|_| rules.has_any()) else {
        return Value::Null;
    };
    let of = |counted: u32, wanted: Option<u32>| {
        let wanted = wanted.filter(|_| counted > 0)?;
        Some([counted, wanted])
    };
    json!({
        "draw": of(level / 2, rules.draw.map(|rule| rule.moves)),
        "loss": lost.map(|counted| of(counted, rules.resign.map(|rule| rule.moves))),
    })
}
