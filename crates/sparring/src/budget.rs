//! How much time and how many nodes a move may take.

use std::time::{Duration, Instant};

/// Deepest iteration.
pub const MAX_DEPTH: i32 = 64;

/// The limits of one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// When the search was asked for.
    pub started: Instant,
    /// No new iteration is begun after this time.
    pub soft: Option<Duration>,
    /// The search is broken off after this time.
    pub hard: Option<Duration>,
    /// Nodes, to the letter.
    pub nodes: u64,
    /// Nodes by the level of play; the first iteration is always finished.
    pub level_nodes: u64,
    /// Deepest iteration.
    pub depth: i32,
    /// The move is held back until [`Control::stop`](crate::Control::stop).
    pub infinite: bool,
}
