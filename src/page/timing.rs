//! Time, depth and latency by engine, of the games that a page carries.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::event::{PlayedGame, Seat};

/// Moves of an engine's own that are told apart; later ones are left out.
const LAST_MOVE: usize = 80;

/// Sums over the searches for one move number.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Searches {
    pub count: u32,
    pub seconds: f64,
    pub with_depth: u32,
    pub depth: f64,
}

/// What is known of an engine's searches.
#[derive(Debug, Clone, Default)]
pub(super) struct EngineTiming {
    /// By the engine's own move number, from the first.
    pub by_move: Vec<Searches>,
    /// The longest, in seconds.
    pub longest: f64,
    /// The least that was left on its clock after a move, in seconds.
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
    pub(super) fn add(&mut self, game: &PlayedGame) {
        let mut mover = game.record.first_mover();
        for (index, played) in game.record.moves.iter().enumerate() {
            let seconds = played.elapsed().as_secs_f64();
            let engine = self.engines.entry(game.seat(mover)).or_default();
            engine.longest = engine.longest.max(seconds);
            if let Some(left) = played.clock {
                let least = engine.least_left.unwrap_or(f64::INFINITY);
                engine.least_left = Some(least.min(left.as_secs_f64()));
            }
            let own = index / 2;
            if own < LAST_MOVE {
                if engine.by_move.len() <= own {
                    engine.by_move.resize(own + 1, Searches::default());
                }
                let sums = &mut engine.by_move[own];
                sums.count += 1;
                sums.seconds += seconds;
                if let Some(depth) = played.thinking.depth {
                    sums.with_depth += 1;
                    sums.depth += f64::from(depth);
                }
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

    /// Moves watched, and the runner's wait in microseconds: median, 99 % and longest.
    pub(super) fn latency(&self) -> Option<(usize, [u32; 3])> {
        let mut sorted = self.wakeups.clone();
        sorted.sort_unstable();
        let last = sorted.len().checked_sub(1)?;
        let at = |share: f64| sorted[(share * last as f64).round() as usize];
        Some((sorted.len(), [at(0.5), at(0.99), at(1.0)]))
    }
}
