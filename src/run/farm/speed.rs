//! How fast this machine is: one fixed search, the same on every machine and at every time.

use std::time::Instant;

use crate::chess::{Position, perft};

/// Half-moves from the usual start, after which all positions are counted. This takes about a millisecond
/// of a lane that has no pair. A program without optimisation takes one half-move less.
const DEPTH: u32 = if cfg!(debug_assertions) { 3 } else { 4 };

/// Number of searches, of which the fastest counts: one may be interrupted.
const SEARCHES: u32 = 3;

/// Nodes a second.
pub(super) fn measured() -> u64 {
    let speed = |_| {
        let begun = Instant::now();
        let nodes = perft(&Position::standard(), DEPTH);
        (nodes as f64 / begun.elapsed().as_secs_f64().max(1e-9)) as u64
    };
    (0..SEARCHES).map(speed).max().unwrap_or_default()
}
