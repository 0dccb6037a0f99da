//! What engines used of the processors while their opponents thought.

use serde::Serialize;

use crate::store::{Reader, StoreError};
use crate::tournament::Builds;

/// One engine's use of its opponents' time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IdleUse {
    pub engine: String,
    /// Games in which this was measured.
    pub games: u64,
    /// The time measured, in seconds.
    pub watched_seconds: f64,
    /// What it used in that time, in seconds of one processor.
    pub cpu_seconds: f64,
    /// The share, per cent of one processor.
    pub percent: f64,
    /// The largest in one game.
    pub largest_percent: f64,
    /// The largest that the event allows.
    pub allowed_percent: u32,
}

impl IdleUse {
    /// Whether it is large enough to be reported.
    pub fn is_noticed(&self) -> bool {
        self.percent >= 1.0 || self.is_above()
    }

    /// Whether it was above what the event allows, in one game at least.
    pub fn is_above(&self) -> bool {
        self.largest_percent > f64::from(self.allowed_percent)
    }
}

/// The engines of an event.
pub(super) fn idle_use(reader: &Reader, builds: &Builds) -> Result<Vec<IdleUse>, StoreError> {
    let event = builds.current();
    let allowed_percent = event.faults.idle_cpu.percent;
    let name = |engine: u16| {
        let engine = event.engines.get(usize::from(engine));
        engine.map_or_else(String::new, |engine| engine.name.clone())
    };
    let engines = reader.idle_cpu()?.into_iter().map(|used| IdleUse {
        engine: name(used.engine),
        games: used.games,
        watched_seconds: used.times.watched.as_secs_f64(),
        cpu_seconds: used.times.cpu.as_secs_f64(),
        percent: used.times.percent(),
        largest_percent: used.largest_percent,
        allowed_percent,
    });
    Ok(engines.collect())
}
