//! What the event file decides about every game, thinking on the opponent's time included.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::chess::Position;
use crate::referee::{DrawnBy, Outcome, WonBy};
use crate::tablebase::{SolvedOutcome, Tablebase};

/// `[adjudication]`: when the referee ends a game that the board has not ended. By default nothing but the board does.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// How the moves are counted that make a draw or a win; not stored where it is this program's own way.
    #[serde(default, skip_serializing_if = "crate::text::is_usual")]
    pub school: School,
    /// Draw by score.
    pub draw: Option<DrawRule>,
    /// Win by score.
    pub resign: Option<ResignRule>,
    /// Full moves without the book's, after which the game is drawn.
    pub max_moves: Option<u32>,
    /// By tablebases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tablebase: Option<TablebaseRule>,
    /// The result of a forfeit against a side that cannot mate.
    pub flag_fall: FlagFallRule,
    /// The result of a flag fall that the host is to blame for; not stored where it counts as a loss.
    #[serde(default, skip_serializing_if = "crate::text::is_usual")]
    pub host_faults: HostFaults,
}

impl Adjudication {
    /// Whether it can end a game by score or by length.
    pub(crate) fn has_any(&self) -> bool {
        self.draw.is_some() || self.resign.is_some() || self.max_moves.is_some()
    }

    /// Whether what the host takes of a move is not charged.
    pub(crate) fn deducts(&self) -> bool {
        self.host_faults == HostFaults::Deduct
    }

    /// In a stage with draws and wins by score and length of its own.
    pub(crate) fn in_stage(&self, own: &Adjudication) -> Adjudication {
        Adjudication {
            tablebase: self.tablebase.clone(),
            flag_fall: self.flag_fall,
            host_faults: self.host_faults,
            ..own.clone()
        }
    }
}

crate::chess::worded! {
    /// Whose way of counting is followed: what starts a count again, and what the numbers of a rule
    /// mean (`docs/adjudication.md`).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum School,
    /// Its word in the event file.
    word: &'static str {
        /// This program's.
        #[default]
        Arbiter960 = "arbiter960",
        /// That of fastchess.
        Fastchess = "fastchess",
        /// That of cutechess-cli.
        Cutechess = "cutechess",
        /// That of the Top Chess Engine Championship.
        Tcec = "tcec",
    }
}

/// A draw, when the scores of both engines stayed within `±centipawns` for `moves` full moves in a row (both engines'
/// moves count), not before full move `from_move`. This program counts these moves from `from_move` on. The other ways
/// count them from the first move and check the move number only at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// The first full move of the game that counts, or the number of full moves that must have been played.
    pub from_move: u32,
    /// Full moves in a row.
    pub moves: u32,
    /// The largest absolute score.
    pub centipawns: u32,
}

/// A win, when the loser's scores were at or below `-centipawns` for `moves` of
/// its moves in a row; with `both_engines` the winner's were at or above it too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// Full moves in a row.
    pub moves: u32,
    /// The smallest absolute score.
    pub centipawns: u32,
    /// Whether the winner must agree.
    pub both_engines: bool,
}

/// The result of a flag fall that the host is to blame for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostFaults {
    /// A loss, as any other.
    #[default]
    Count,
    /// The game is void.
    Void,
    /// The game is void, and played again in the same run: the default of an event file with a clock.
    Replay,
    /// As `Replay`; and what the host is proven to have taken of a move is not charged to its clock.
    Deduct,
}

/// The result of a forfeit against a side that cannot mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FlagFallRule {
    /// A loss, always.
    #[default]
    Loss,
    /// A draw if the opponent cannot mate by any series of legal moves (FIDE
    /// Laws 6.9, and 7.5.5 for illegal moves).
    Fide,
}

/// `[timeouts]`: how long the runner waits where no chess clock runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// From the start of the process to `uciok`, and on to the first `readyok`.
    pub start: Duration,
    /// For any other `readyok`.
    pub ready: Duration,
    /// For the `readyok` after `ucinewgame`.
    pub new_game: Duration,
    /// For the `readyok` that is asked for before each `go` and after each `bestmove`; `None` if it
    /// is not.
    pub each_move: Option<Duration>,
    /// For `bestmove` where no clock runs, after the search's last sign of life.
    pub stall: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            start: Duration::from_secs(10),
            ready: Duration::from_secs(10),
            new_game: Duration::from_secs(30),
            each_move: None,
            stall: Duration::from_secs(60),
        }
    }
}

// Thinking on the opponent's time: what it is, and what it costs.

/// Processor time of the engine that was not to move, while it was watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IdleTimes {
    /// How long it was watched: its opponent's thinking time without its first milliseconds.
    pub watched: Duration,
    /// Processor time of all its processes meanwhile.
    pub cpu: Duration,
}

/// What happens to an engine that thinks on its opponent's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IdlePolicy {
    /// A warning is reported.
    #[default]
    Warn,
    /// It loses the game.
    Fault,
    /// It is stopped while it is not to move; what it uses nevertheless is reported.
    Freeze,
}

/// `[faults] idle_cpu`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct IdleRule {
    /// What becomes of an engine above the limit.
    pub policy: IdlePolicy,
    /// The largest share of the opponent's thinking time, per cent of one processor.
    pub percent: u32,
}

/// What everybody may use in one game: the end of a search, a hash table that is cleared.
pub const ALLOWED: Duration = Duration::from_millis(100);

impl Default for IdleRule {
    fn default() -> IdleRule {
        IdleRule {
            policy: IdlePolicy::Warn,
            percent: 20,
        }
    }
}

impl IdleRule {
    /// Whether an engine that has used this much in one game is above the limit.
    pub fn is_exceeded(&self, idle: IdleTimes) -> bool {
        idle.cpu > ALLOWED && idle.percent() > f64::from(self.percent)
    }
}

impl IdleTimes {
    /// Both together.
    pub fn plus(self, other: IdleTimes) -> IdleTimes {
        IdleTimes {
            watched: self.watched + other.watched,
            cpu: self.cpu + other.cpu,
        }
    }

    /// The share of the time, per cent of one processor.
    pub fn percent(&self) -> f64 {
        if self.watched.is_zero() {
            0.0
        } else {
            100.0 * self.cpu.as_secs_f64() / self.watched.as_secs_f64()
        }
    }
}

// What ends a game by tablebases.

/// When tablebases are probed, and which of their verdicts end a game. It is stored without the tables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablebaseRule {
    /// The tables. They are probed after a move, before the next `go`: no clock runs.
    #[serde(skip)]
    pub tables: OpenTables,
    /// The largest number of men on the board, kings included.
    pub men: u32,
    /// Which verdicts end a game.
    pub results: TablebaseResults,
    /// Whether a win must come before the fifty moves are over.
    pub fifty_moves: bool,
    /// Only where the last move was a capture or a pawn move: where the counter of the fifty moves is 0.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub zeroing: bool,
}

/// Tables, where games are judged by them. What is in them is no part of a rule.
#[derive(Debug, Clone, Default)]
pub struct OpenTables(pub Option<Arc<dyn Tablebase>>);

impl PartialEq for OpenTables {
    fn eq(&self, _: &OpenTables) -> bool {
        true
    }
}

impl Eq for OpenTables {}

/// Which verdicts of tablebases end a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TablebaseResults {
    /// Wins and draws.
    #[default]
    All,
    /// Wins alone.
    Wins,
    /// Draws alone: a side with a won position has to play it out.
    Draws,
}

impl TablebaseRule {
    /// Whether the game is over in this position, which the board has not ended.
    pub(crate) fn judge(&self, position: &Position) -> Option<Outcome> {
        if position.occupied().len() > self.men || (self.zeroing && position.halfmove_clock() > 0) {
            return None;
        }
        let tables = self.tables.0.as_ref()?;
        let verdict = tables.verdict(position, self.fifty_moves)?;
        match (verdict, self.results) {
            (SolvedOutcome::Won(_), TablebaseResults::Draws) => None,
            (SolvedOutcome::Drawn, TablebaseResults::Wins) => None,
            (SolvedOutcome::Won(by), _) => Some(Outcome::Won {
                by,
                how: WonBy::TablebaseAdjudication,
            }),
            (SolvedOutcome::Drawn, _) => Some(Outcome::Drawn(DrawnBy::TablebaseAdjudication)),
        }
    }
}

#[cfg(test)]
mod tests;
