//! The record of one game: all that the referee knows when it is over, what was said of a search, and what was
//! asked.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::chess::{Color, Game, Move, Position, UciDialect};
use crate::clock::Stamp;
use crate::referee::player::{Player, Turn};
use crate::referee::{
    Breaches, Dialogue, Fault, IdleTimes, Observation, Outcome, PlayerSettings, VoidReason,
};
use crate::uci::{InfoKind, InfoLine, Thinking};

/// One finished or voided game.
#[derive(Debug, Clone, PartialEq)]
pub struct GameRecord {
    /// The start position, before the book's moves.
    pub start: Position,
    /// The book's moves, which no engine played.
    pub opening: Vec<Move>,
    /// The engines' moves.
    pub moves: Vec<MoveRecord>,
    /// How it ended.
    pub outcome: Outcome,
    /// The faults that decided it or were seen in it, in order.
    pub faults: Vec<Fault>,
    /// Breaches of the protocol that lost nothing, by [`Color::index`].
    pub breaches: [Breaches; 2],
    /// The last lines before a fault, and what was left of the engine; `None` in a
    /// game without one. The store gives it apart from the record.
    pub dialogue: Option<Box<Dialogue>>,
}

/// One move by an engine.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveRecord {
    /// The move.
    pub chess_move: Move,
    /// Just before `go` was written.
    pub sent: Stamp,
    /// When the bytes with `bestmove` had been read.
    pub received: Stamp,
    /// What the host took of the time in between, where the event does not charge that.
    pub taken: Duration,
    /// What remained on the mover's clock after the move, the increment added;
    /// `None` where no clock runs.
    pub clock: Option<Duration>,
    /// The node limit of this move, where one was set (drawn, under `nodes_jitter`).
    pub nodes_limit: Option<u64>,
    /// What the last `info` lines said.
    pub thinking: Thinking,
    /// What the host did meanwhile; `None` for moves that were not watched.
    pub host: Option<Box<Observation>>,
    /// Processor time of the other engine meanwhile; `None` if it was not watched.
    pub idle: Option<IdleTimes>,
    /// Whether its search had begun on the opponent's time, and how that went.
    pub pondered: Option<Pondered>,
    /// What it said in the lines that the event wants to be kept, in the order of their expressions.
    pub lines: Vec<String>,
    /// After it the game was interrupted, and went on after so long; several times, if it has several.
    pub interruptions: Vec<Duration>,
}

crate::chess::worded! {
    /// How a search on the opponent's time ended.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Pondered,
    /// A stable word, for files that programs read.
    word: &'static str {
        /// The opponent made the expected move, and the search continued: `ponderhit`.
        Hit = "hit",
        /// The opponent made another one: `stop`, and a new search.
        Miss = "miss",
    }
}

impl MoveRecord {
    /// A move of which nothing is known but when it was asked for; it took no time.
    pub fn new(chess_move: Move, sent: Stamp) -> MoveRecord {
        MoveRecord {
            chess_move,
            sent,
            received: sent,
            taken: Duration::ZERO,
            clock: None,
            nodes_limit: None,
            thinking: Thinking::default(),
            host: None,
            idle: None,
            pondered: None,
            lines: Vec::new(),
            interruptions: Vec::new(),
        }
    }

    /// The time between the two stamps.
    pub fn elapsed(&self) -> Duration {
        self.received.saturating_since(self.sent)
    }

    /// The part of it that was charged to the clock.
    pub fn charged(&self) -> Duration {
        self.elapsed().saturating_sub(self.taken)
    }
}

impl GameRecord {
    /// A game before its first move, of which nobody knows how it ends.
    pub(crate) fn unplayed(start: Position, opening: Vec<Move>) -> GameRecord {
        GameRecord {
            start,
            opening,
            moves: Vec::new(),
            outcome: Outcome::Void(VoidReason::Interrupted),
            faults: Vec::new(),
            breaches: Default::default(),
            dialogue: None,
        }
    }

    /// Half-moves on the board, the book's included.
    pub fn plies(&self) -> usize {
        self.opening.len() + self.moves.len()
    }

    /// Every move of the game, the book's first.
    pub fn all_moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.all_records().map(|(chess_move, _)| chess_move)
    }

    /// Every move, and for those of the engines what is known of them.
    pub fn all_records(&self) -> impl Iterator<Item = (Move, Option<&MoveRecord>)> {
        let played = self.moves.iter();
        let played = played.map(|record| (record.chess_move, Some(record)));
        self.opening.iter().map(|book| (*book, None)).chain(played)
    }

    /// The game with all its moves made.
    pub fn board(&self) -> Game {
        Game::with_moves(self.start.clone(), self.all_moves())
    }

    /// What remained on the clocks of White and Black after their last moves; `None` of a side that has none, or has
    /// not moved.
    pub(crate) fn clocks(&self) -> [Option<Duration>; 2] {
        let mut clocks = [None; 2];
        for (mover, played) in self.by_movers() {
            clocks[mover.index()] = played.clock;
        }
        clocks
    }

    /// What each side used of the processors while its opponent thought, by [`Color::index`].
    pub fn idle(&self) -> [IdleTimes; 2] {
        let mut idle = [IdleTimes::default(); 2];
        for (mover, played) in self.by_movers() {
            let waiting = &mut idle[(!mover).index()];
            *waiting = waiting.plus(played.idle.unwrap_or_default());
        }
        idle
    }

    /// The engines' moves, each with its side.
    fn by_movers(&self) -> impl Iterator<Item = (Color, &MoveRecord)> {
        let movers = std::iter::successors(Some(self.first_mover()), |mover| Some(!*mover));
        movers.zip(&self.moves)
    }

    /// Where the game was interrupted and went on: the number of the move that was due, and after how long.
    pub fn interruptions(&self) -> impl Iterator<Item = (u32, Duration)> {
        let first = self.start.fullmove_number();
        let black_began = u32::from(self.start.side_to_move() == Color::Black);
        let played = (self.opening.len() as u32 + 1..).zip(&self.moves);
        played.flat_map(move |(plies, played)| {
            let due = first + (plies + black_began) / 2;
            played.interruptions.iter().map(move |away| (due, *away))
        })
    }

    /// The fault that decided the game, if one did: the last of the loser.
    pub fn deciding_fault(&self) -> Option<&Fault> {
        match self.outcome {
            Outcome::Won { by, .. } => self.faults.iter().rev().find(|fault| fault.side == !by),
            _ => None,
        }
    }

    /// Whose move it was first, after the book.
    pub fn first_mover(&self) -> Color {
        let start = self.start.side_to_move();
        if self.opening.len().is_multiple_of(2) {
            start
        } else {
            !start
        }
    }
}

// What an engine reports about the search that runs.

/// A search that has ended, with all its scores.
#[derive(Debug, Clone)]
pub(crate) struct EndedSearch {
    /// Whose it was.
    pub(crate) side: Color,
    /// Where the game began.
    pub(crate) start: Position,
    /// The moves before it, the book's first.
    pub(crate) moves: Vec<Move>,
    /// Every `info` with a score, without that word.
    pub(crate) lines: Vec<String>,
    /// Whether any `info` was said.
    pub(crate) said_more: bool,
    /// The move that was answered, in the engine's words.
    pub(crate) answer: String,
    /// Whether it is one.
    pub(crate) is_legal: bool,
}

/// The last `info` with a score, and the last bound and totals after it. They are parsed only on request: a line costs
/// a copy, not a parse.
///
/// A bound is not a score, because the search that it comes from has not ended. It is used only where an engine gave
/// nothing else.
#[derive(Debug, Default)]
pub struct Remarks {
    score: String,
    bound: String,
    totals: String,
}

impl Remarks {
    /// A new search.
    pub fn clear(&mut self) {
        self.score.clear();
        self.bound.clear();
        self.totals.clear();
    }

    /// Whether nothing was said since the search began.
    pub fn is_empty(&self) -> bool {
        let mut kept = [&self.score, &self.bound, &self.totals].into_iter();
        kept.all(String::is_empty)
    }

    /// Keeps a line. Returns whether it was about the search as a whole.
    pub fn note(&mut self, info: InfoLine<'_>) -> bool {
        let kept = match info.kind() {
            InfoKind::Principal => {
                self.bound.clear();
                self.totals.clear();
                &mut self.score
            }
            InfoKind::Bound => {
                self.totals.clear();
                &mut self.bound
            }
            InfoKind::Totals => &mut self.totals,
            InfoKind::Secondary | InfoKind::Other => return false,
        };
        kept.clear();
        kept.push_str(info.text());
        true
    }

    /// What the engine said.
    pub fn thinking(&self) -> Thinking {
        let bound = InfoLine::new(&self.bound).parse();
        let mut report = if self.score.is_empty() {
            bound.clone()
        } else {
            InfoLine::new(&self.score).parse()
        };
        report.update_totals(&bound);
        report.update_totals(&InfoLine::new(&self.totals).parse());
        report
    }
}

// The commands that an engine got before one of its moves, made again from the record. The same [`Player`] makes them
// as in the game, so the text is the same.

/// The commands that begin one search, without line ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// `position fen … moves …`
    pub position: String,
    /// `go …`
    pub go: String,
    /// The time that the search may take, the margin included; `None` without a clock.
    pub allowed: Option<Duration>,
}

impl GameRecord {
    /// The commands that the side to move got after `index` of the engines' moves; with all of them, those that it got
    /// when the game ended. Settings by [`Color::index`](crate::chess::Color::index); `dialect` as in the game. A node
    /// limit that was drawn is taken from the record, as far as there is a move.
    pub fn request(
        &self,
        players: &[PlayerSettings; 2],
        dialect: UciDialect,
        index: usize,
    ) -> Request {
        let mut game = Game::new(self.start.clone());
        let drawn = self.moves.get(index).and_then(|played| played.nodes_limit);
        let mut sides = [0, 1].map(|side| {
            let mut settings = players[side].clone();
            if drawn.is_some() {
                settings.limits.nodes = drawn;
                settings.node_draw = None;
            }
            Player::new(&settings, &self.start)
        });
        for (chess_move, played) in self.all_records().take(self.opening.len() + index) {
            let text = game.position().uci(chess_move, dialect).to_string();
            if let Some(charged) = played.map(MoveRecord::charged) {
                let mover = game.position().side_to_move();
                let [side, opponent] = mover.own_and_other(&mut sides);
                // It was in time: the game continued.
                let _in_time = side.clock.charge(charged, side.margin);
                opponent.clock.receive(&side.clock, charged);
            }
            sides.iter_mut().for_each(|side| side.append_move(&text));
            game.play(chess_move);
        }
        let plies = u32::try_from(game.moves().len()).unwrap_or(u32::MAX);
        let mover = game.position().side_to_move();
        let [side, opponent] = mover.own_and_other(&mut sides);
        side.ask(Turn {
            mover,
            opponent: &opponent.clock,
            plies,
            spent: Duration::ZERO,
        });
        let allowed = side.clock.allowed();
        let mut lines = side.outbox.text.lines().map(str::to_owned);
        let mut next = || lines.next().unwrap_or_default();
        Request {
            position: next(),
            go: next(),
            allowed: allowed.map(|allowed| allowed.saturating_add(side.margin)),
        }
    }
}
