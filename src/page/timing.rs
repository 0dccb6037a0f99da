//! Time, depth and latency by engine, from the games that a page carries.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::event::Seat;

use super::packed::PlayedMoves;

/// The last move number of an engine that is counted; later moves are left out.
const LAST_MOVE: usize = 80;

/// Sums over the searches for one move number.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SearchSums {
    with_time: u32,
    seconds: f64,
    with_depth: u32,
    depth: f64,
}

impl SearchSums {
    fn add(&mut self, seconds: Option<f64>, depth: Option<u32>) {
        if let Some(seconds) = seconds {
            self.with_time += 1;
            self.seconds += seconds;
        }
        if let Some(depth) = depth {
            self.with_depth += 1;
            self.depth += f64::from(depth);
        }
    }

    /// The mean time, if any time is known.
    pub(super) fn mean_seconds(&self) -> Option<f64> {
        (self.with_time > 0).then(|| self.seconds / f64::from(self.with_time))
    }

    /// The mean depth, if any depth is known.
    pub(super) fn mean_depth(&self) -> Option<f64> {
        (self.with_depth > 0).then(|| self.depth / f64::from(self.with_depth))
    }
}

/// What is known about an engine's searches.
#[derive(Debug, Clone, Default)]
pub(super) struct EngineTiming {
    /// By the engine's own move number, starting with its first move.
    pub by_move: Vec<SearchSums>,
    /// The longest, in seconds, where times are known.
    pub longest: Option<f64>,
    /// The shortest time left on its clock after a move, in seconds.
    pub least_left: Option<f64>,
}

/// All engines, and the host.
#[derive(Debug, Clone, Default)]
pub(super) struct Timing {
    pub engines: BTreeMap<Seat, EngineTiming>,
    /// The runner's own waits for a processor before it read a move, in microseconds.
    wakeups: Vec<u32>,
    pub suspended: Duration,
}

impl Timing {
    /// Takes in the moves of a game between these seats, White's first.
    pub(super) fn add(&mut self, game: &PlayedMoves<'_>, seats: [Seat; 2]) {
        let mut mover = game.start.side_to_move();
        if !game.book.len().is_multiple_of(2) {
            mover = !mover;
        }
        for (index, played) in game.moves.iter().enumerate() {
            let engine = self.engines.entry(seats[mover.index()]).or_default();
            let seconds = game.is_timed.then(|| played.charged().as_secs_f64());
            if seconds > engine.longest {
                engine.longest = seconds;
            }
            if let Some(left) = played.clock {
                let least = engine.least_left.unwrap_or(f64::INFINITY);
                engine.least_left = Some(least.min(left.as_secs_f64()));
            }
            let own = index / 2;
            if own < LAST_MOVE {
                if engine.by_move.len() <= own {
                    engine.by_move.resize(own + 1, SearchSums::default());
                }
                engine.by_move[own].add(seconds, played.thinking.depth);
            }
            if let Some(host) = &played.host {
                self.suspended += host.suspended;
                let waited = host.wakeup.map(|waited| waited.as_micros());
                self.wakeups
                    .extend(waited.map(|micros| u32::try_from(micros).unwrap_or(u32::MAX)));
            }
            mover = !mover;
        }
    }

    /// Number of watched moves, and the runner's wait in microseconds: median, 99 % and longest.
    pub(super) fn latency(&self) -> Option<(usize, [u32; 3])> {
        let mut sorted = self.wakeups.clone();
        sorted.sort_unstable();
        let last = sorted.len().checked_sub(1)?;
        let at = |share: f64| sorted[(share * last as f64).round() as usize];
        Some((sorted.len(), [at(0.5), at(0.99), at(1.0)]))
    }
}
