//! What happened: facts, which are durable, and updates, which may be lost.
//!
//! PGN, standings, tables and exports derive from facts alone and can be
//! rebuilt from the store, byte for byte. An update may be dropped at any time
//! and is never stored.
//!
//! | file | what |
//! |---|---|
//! | `arbiter` | one decision of the arbiter |
//! | `decisions` | the arbiter's book: all of them, and what they make of games |
//! | `fault_rules` | what a fault costs |
//! | `rules` | the rules of formats in which results decide who meets whom |
//! | `stages` | the rules of an event that is played in stages |
//! | `identity` | what an event is, and who plays in it |
//! | `names` | how people name a game |
//! | `live` | updates, and the games that run as updates tell of them |

mod arbiter;
mod decisions;
mod fault_rules;
pub(crate) mod identity;
pub(crate) mod live;
mod names;
mod rules;
mod stages;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::chess::start::StartNumber;
use crate::chess::{Color, FenDialect, UciDialect};
use crate::hash::fnv1a;
use crate::referee::GameRecord;

pub use arbiter::{ArbiterAct, ArbiterDecision};
pub use decisions::Decisions;
pub(crate) use decisions::{Award, GameRuling};
pub(crate) use fault_rules::{Disqualified, FaultPolicy, FaultRules};
pub use names::{GameName, GameNames, Named};
pub(crate) use rules::{
    AfterInterruption, ArmageddonWhite, ByePoints, Colours, EliminationRules, EncounterTieBreak,
    FirstWhite, MAX_GIVEN_PERCENT, OpeningRules, OpeningSystem, PairTerms, Playoff, PositionDraw,
    Series, SeriesOpening, SeriesOrder, SwappedGames, SwissRules,
};
pub use rules::{Place, RoundTime};
pub(crate) use stages::{GroupSeeding, StageEntrants, StageFormat, StagePlaces, StageRules};

/// The version of the facts, as stored and as printed by `--json`.
pub(crate) const SCHEMA_VERSION: u32 = 1;

/// A pair of the plan: games from one start position with the colours swapped.
/// Counted from 0; people see it from 1, as the PGN round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PairId(pub u64);

/// A game of a pair: 0 or 1. The key under which a fact is stored once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GameId {
    /// The pair.
    pub pair: PairId,
    /// 0, or 1 for the game with the colours swapped.
    pub game: u8,
}

/// Pair and game, `17.1`: what every command takes. [`GameNames`] has the name that is shown.
impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.pair.0 + 1, self.game + 1)
    }
}

/// A participant: an engine of the event file, and which copy of it (0 unless
/// the engine plays itself).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Seat {
    /// Index into the event's engines.
    pub engine: u16,
    /// Which copy.
    pub copy: u8,
}

impl Seat {
    /// The name of the seat of an engine that plays in this number of copies; copies have a number at the end.
    pub(crate) fn name(self, engine: &str, copies: u8) -> String {
        match copies {
            1 => engine.to_owned(),
            _ => format!("{engine} #{}", self.copy + 1),
        }
    }
}

/// The name of an engine and the number of its copy, of a name as [`Seat::name`] makes it: PGN files have no more.
pub(crate) fn engine_and_copy(name: &str) -> (&str, Option<u8>) {
    let parts = name.rsplit_once(" #");
    let parsed = parts.and_then(|(bare, copy)| Some((bare, Some(copy.parse().ok()?))));
    parsed.unwrap_or((name, None))
}

/// Milliseconds since 1970-01-01 UTC, for people; never used to judge a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnixMillis(pub i64);

impl UnixMillis {
    /// The time of day, for people.
    pub(crate) fn now() -> UnixMillis {
        UnixMillis(jiff::Timestamp::now().as_millisecond())
    }

    /// The same without its milliseconds.
    pub(crate) fn to_the_second(self) -> UnixMillis {
        UnixMillis(self.0.div_euclid(1000).saturating_mul(1000))
    }
}

impl fmt::Display for UnixMillis {
    /// As ISO 8601, UTC; nothing if it is out of range.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moment = jiff::Timestamp::from_millisecond(self.0);
        moment.map_or(Ok(()), |moment| moment.fmt(f))
    }
}

/// A game that is over: finished, or voided.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayedGame {
    /// The key.
    pub id: GameId,
    /// The cycle of the plan, from 0: how often every encounter had met on this
    /// position before.
    pub cycle: u32,
    /// The start number, where the start has one.
    pub number: Option<StartNumber>,
    /// White and Black, by [`Color::index`].
    pub seats: [Seat; 2],
    /// When the first `go` was written.
    pub started: UnixMillis,
    /// When the outcome was known.
    pub ended: UnixMillis,
    /// All the rest.
    pub record: GameRecord,
}

impl PlayedGame {
    /// The participant with this colour.
    pub fn seat(&self, color: Color) -> Seat {
        self.seats[color.index()]
    }

    /// Equal for games from the same start position and the same moves of a book, in every run.
    pub fn start_key(&self) -> u64 {
        start_key(self.number, || {
            let mut moves = self.move_texts();
            moves.truncate(self.record.opening.len());
            let fen = self.record.start.fen(FenDialect::XFen);
            format!("{fen} {}", serde_json::Value::from(moves))
        })
    }

    /// All moves as UCI text, castling as king takes rook, the book's first.
    pub(crate) fn move_texts(&self) -> Vec<String> {
        let moves = self.record.all_moves();
        self.record.start.uci_line(moves, UciDialect::Chess960)
    }
}

/// The number of a start, or of the text of one without: its FEN and the moves of the book, as the store
/// has them.
pub(crate) fn start_key(number: Option<StartNumber>, text: impl FnOnce() -> String) -> u64 {
    match number {
        Some(number) => u64::from(number.0),
        // Far from all numbers.
        None => fnv1a(text().into_bytes()) | 1 << 63,
    }
}
