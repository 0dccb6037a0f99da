//! Whether the machine has a processor for every thread that is on a clock.

use std::num::NonZeroUsize;

use crate::clock::TimeLimit;
use crate::config::{EngineSpec, Tournament};

/// A warning, for people, where more threads than processors may think at once: each lane has one
/// engine that thinks, and two where one of them thinks on its opponent's time. `None` if all is
/// well, or nobody is on a clock.
pub fn warning(tournament: &Tournament, processors: NonZeroUsize) -> Option<String> {
    let timed = tournament.engines.iter();
    let timed: Vec<&EngineSpec> = timed
        .filter(|engine| engine.limits.time != TimeLimit::None)
        .collect();
    let most = timed.iter().copied().map(threads).max()?;
    let in_a_lane = at_once(&timed);
    let lanes = tournament.concurrency.get();
    let needed = lanes.saturating_mul(in_a_lane);
    let both = if in_a_lane > most {
        ", both of which think at once where one thinks on its opponent's time,"
    } else {
        ""
    };
    let engines = format!("engines of {most} threads{both}");
    if needed > processors.get() {
        return Some(format!(
            "warning: {lanes} games at once with {engines} want {needed} processors, and there are \
             {processors}: engines will wait for one with their clocks running, and may lose on \
             time by the host's fault (docs/reliability.md)"
        ));
    }
    let own = tournament.cpus_per_lane?.get();
    (own < in_a_lane).then(|| {
        format!(
            "warning: {engines} want {in_a_lane} processors, and cpus_per_lane = {own}: engines \
             will wait for one with their clocks running"
        )
    })
}

/// How many threads think at once in one lane, at most.
pub(crate) fn threads_at_once(tournament: &Tournament) -> usize {
    at_once(&tournament.engines.iter().collect::<Vec<_>>())
}

fn at_once(engines: &[&EngineSpec]) -> usize {
    let of_pair = |(index, one): (usize, &&EngineSpec)| {
        let others = engines.iter().enumerate();
        let others = others.filter(|(other, spec)| *other != index || spec.copies > 1);
        let together = others.filter(|(_, other)| one.ponder || other.ponder);
        let most = together.map(|(_, other)| threads(other)).max();
        threads(one).saturating_add(most.unwrap_or(0))
    };
    let pairs = engines.iter().enumerate().map(of_pair);
    pairs.max().unwrap_or(0)
}

/// At least the threads of an engine: 1 where its option says no number.
fn threads(engine: &EngineSpec) -> usize {
    engine.threads().unwrap_or(1).max(1)
}
