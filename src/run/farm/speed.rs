//! How fast this machine is: one fixed search, the same on every machine and at every time.

use std::time::Instant;

use crate::chess::{Position, perft};

/// Counts the positions after so many half-moves from the usual start: some ten milliseconds, of a lane
/// that has no pair. A program without optimisation would take a second for it.
const DEPTH: u32 = if cfg!(debug_assertions) { 3 } else { 5 };

/// Nodes a second.
pub(super) fn measured() -> u64 {
    let begun = Instant::now();
    let nodes = perft(&Position::standard(), DEPTH);
    (nodes as f64 / begun.elapsed().as_secs_f64().max(1e-9)) as u64
}
