//! What the kernel reports of processors, clock and pressure. Anything that it does not
//! report is `None`, never a guess.

use std::hint::black_box;
use std::time::Instant;

use serde::Serialize;

use crate::host::cpus;
use crate::platform::{ProcessorFacts, machine};
use crate::run::RunError;

/// The machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Host {
    /// Processors that this process may use.
    pub processors: usize,
    /// Cores behind them.
    pub cores: usize,
    /// Whether cores show themselves as several processors.
    pub smt: Option<bool>,
    /// The kernel's clock, such as `tsc`.
    pub clock_source: Option<String>,
    /// How long it takes to read the clock, nanoseconds.
    pub(crate) clock_reading_ns: u64,
    /// How frequencies are chosen, such as `performance`.
    pub governor: Option<String>,
    /// The part of the processors' time that the hypervisor gave to others meanwhile, percent.
    pub steal_percent: Option<f64>,
    /// The part of the time in which somebody waited for a processor meanwhile, percent.
    pub pressure_percent: Option<f64>,
}

/// Counters that only ever grow, and when they were read.
pub(super) struct HostCounters {
    at: Instant,
    facts: ProcessorFacts,
}

impl HostCounters {
    pub(super) fn read() -> HostCounters {
        HostCounters {
            at: Instant::now(),
            facts: machine::processor_facts(),
        }
    }
}

impl Host {
    /// The machine since these counters were read.
    ///
    /// # Errors
    /// The system does not say which processors there are.
    pub(super) fn read(before: &HostCounters) -> Result<Host, RunError> {
        let cpus = cpus::usable()?;
        let now = HostCounters::read();
        let elapsed = now.at.duration_since(before.at).as_secs_f64().max(1e-6);
        let (before, now) = (&before.facts, now.facts);
        Ok(Host {
            processors: cpus.len(),
            cores: cpus::cores(&cpus),
            smt: now.smt,
            clock_source: now.clock_source,
            clock_reading_ns: clock_reading_ns(),
            governor: now.governor,
            steal_percent: before.ticks.zip(now.ticks).map(|(before, now)| {
                let total = now.1.saturating_sub(before.1).max(1);
                100.0 * now.0.saturating_sub(before.0) as f64 / total as f64
            }),
            pressure_percent: before.pressure.zip(now.pressure).map(|(before, now)| {
                (now.saturating_sub(before) as f64 / 1e4 / elapsed).min(100.0)
            }),
        })
    }
}

/// The best of some series of readings: the others were disturbed.
fn clock_reading_ns() -> u64 {
    const READINGS: u128 = 1000;
    let series = (0..20).map(|_| {
        let begun = Instant::now();
        for _ in 0..READINGS {
            black_box(Instant::now());
        }
        u64::try_from(begun.elapsed().as_nanos() / READINGS).unwrap_or(u64::MAX)
    });
    series.min().unwrap_or_default()
}
