//! Whether the machine has a processor for every thread that is on a clock.

use std::num::NonZeroUsize;

use crate::clock::TimeLimit;
use crate::config::{EngineSpec, Tournament};

/// A warning, for people, where more threads than processors may be on a clock at once: each
/// lane has one engine that thinks. `None` if all is well, or nobody is on a clock.
pub fn warning(tournament: &Tournament, processors: NonZeroUsize) -> Option<String> {
    let timed = tournament.engines.iter();
    let timed = timed.filter(|engine| engine.limits.time != TimeLimit::None);
    let threads = timed.map(threads).max()?;
    let lanes = tournament.concurrency.get();
    let needed = lanes.saturating_mul(threads);
    (needed > processors.get()).then(|| {
        format!(
            "warning: {lanes} games at once with engines of {threads} threads want {needed} \
             processors, and there are {processors}: engines will wait for one with their clocks \
             running, and may lose on time by the host's fault (docs/reliability.md)"
        )
    })
}

/// At least the threads of an engine: 1 where its option says no number.
pub(crate) fn threads(engine: &EngineSpec) -> usize {
    engine.threads().unwrap_or(1).max(1)
}
