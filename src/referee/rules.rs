//! What the event file decides about every game.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// `[adjudication]`: when the referee ends a game that the board has not ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Adjudication {
    /// Draw by score.
    pub draw: Option<DrawRule>,
    /// Win by score.
    pub resign: Option<ResignRule>,
    /// Full moves without the book's, after which the game is drawn.
    pub max_moves: Option<u32>,
    /// Folders with Syzygy tables.
    pub tablebases: Vec<PathBuf>,
    /// What a forfeit against a side that cannot mate is worth.
    pub flag_fall: FlagFallRule,
    /// What a flag fall is worth that the host is to blame for.
    pub host_faults: HostFaults,
}

/// A draw, when from full move `from_move` on both engines' scores stayed within
/// `±centipawns` for `moves` full moves in a row (both engines' moves count).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// The first full move of the game that counts.
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

/// What a flag fall is worth that the host is to blame for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostFaults {
    /// A loss, as any other.
    #[default]
    Count,
    /// The game is void.
    Void,
    /// The game is void, and played again in the same run: what an event file with a clock means
    /// that does not say it.
    Replay,
}

/// What a forfeit against a side that cannot mate is worth.
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
    /// For `bestmove` where no clock runs, after the search's last sign of life.
    pub stall: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            start: Duration::from_secs(10),
            ready: Duration::from_secs(10),
            new_game: Duration::from_secs(30),
            stall: Duration::from_secs(60),
        }
    }
}
