//! What one game is played under.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::chess::{FenDialect, Move, Position, UciDialect};
use crate::clock::{GivenTime, Limits};
use crate::referee::{Adjudication, Compatibility, IdleRule, Timeouts};
use crate::uci::KeptLines;

/// Everything the referee needs to know before the first move.
#[derive(Debug, Clone)]
pub struct GameSettings {
    /// The start position.
    pub start: Position,
    /// The book's moves, legal one after the other from `start`.
    pub opening: Vec<Move>,
    /// How castling is written to the engines.
    pub dialect: UciDialect,
    /// The value of `UCI_Variant` for this game, where engines choose it from a file.
    pub variant: Option<String>,
    /// White and Black, by [`Color::index`](crate::chess::Color::index).
    pub players: [PlayerSettings; 2],
    /// How long to wait where no chess clock runs.
    pub timeouts: Timeouts,
    /// When the game ends though the board has not ended it.
    pub adjudication: Adjudication,
    /// Whose way is followed where programs differ.
    pub compatibility: Compatibility,
    /// Whether what the host does to a side is excused still, by
    /// [`Color::index`](crate::chess::Color::index).
    pub excused: [bool; 2],
    /// What thinking on the opponent's time costs.
    pub idle_cpu: IdleRule,
    /// Which lines of the engines are kept with their moves.
    pub kept_lines: KeptLines,
}

/// One side of a game.
#[derive(Debug, Clone)]
pub struct PlayerSettings {
    /// Clock and search limits.
    pub limits: Limits,
    /// Time beyond the clock or the move time that is forgiven.
    pub margin: Duration,
    /// How the start position is written.
    pub fen: FenDialect,
    /// Whether it searches on the opponent's time.
    pub ponder: bool,
    /// Whether a translator speaks for it, which has a word for a resignation.
    pub translated: bool,
    /// Where the node limit of each move is drawn, how.
    pub node_draw: Option<NodeDraw>,
}

impl PlayerSettings {
    /// The same settings without the time that was given.
    pub(crate) fn after_giving(self, given: GivenTime) -> PlayerSettings {
        match self.limits.after_giving(given) {
            Some(limits) => PlayerSettings { limits, ..self },
            None => self,
        }
    }
}

/// The node limit of a move by the half-moves played before it, a pure function.
#[derive(Clone)]
pub struct NodeDraw(pub Arc<dyn Fn(u32) -> u64 + Send + Sync>);

impl fmt::Debug for NodeDraw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NodeDraw(…)")
    }
}
