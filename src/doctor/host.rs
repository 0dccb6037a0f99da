//! What the kernel reports of processors, clock and pressure. Anything that it does not
//! report is `None`, never a guess.

use std::hint::black_box;
use std::time::Instant;

use serde::Serialize;

use crate::host::cpus;
use crate::platform::{Fact, machine};
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
    /// Stolen and total time of all processors, in ticks.
    ticks: Option<(u64, u64)>,
    /// Time in which somebody waited for a processor, microseconds.
    pressure: Option<u64>,
}

impl HostCounters {
    pub(super) fn read() -> HostCounters {
        HostCounters {
            at: Instant::now(),
            ticks: text(Fact::ProcessorTime).and_then(|text| ticks(&text)),
            pressure: text(Fact::Pressure).and_then(|text| pressure(&text)),
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
        Ok(Host {
            processors: cpus.len(),
            cores: cpus::cores(&cpus),
            smt: text(Fact::Smt).map(|active| active == "1"),
            clock_source: text(Fact::ClockSource),
            clock_reading_ns: clock_reading_ns(),
            governor: text(Fact::Governor),
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

fn text(fact: Fact) -> Option<String> {
    Some(machine::text(fact)?.trim().to_owned())
}

/// Stolen and total ticks of the line `cpu …` (proc_stat(5)): the eighth number is stolen,
/// the two after it are counted in others already.
fn ticks(stat: &str) -> Option<(u64, u64)> {
    let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let ticks: Option<Vec<u64>> = line
        .split_whitespace()
        .take(8)
        .map(|number| number.parse().ok())
        .collect();
    let ticks = ticks?;
    Some((*ticks.get(7)?, ticks.iter().sum()))
}

/// The total of the line `some …`.
fn pressure(text: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with("some "))?;
    line.split("total=").nth(1)?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_own_lines_are_read() {
        let stat = "cpu  10 0 20 70 0 0 0 5 9 9\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assert_eq!(ticks(stat), Some((5, 105)));
        assert_eq!(ticks("cpu  1 2 3\n"), None);
        let text = "some avg10=0.00 avg60=0.00 avg300=0.00 total=28871952\nfull avg10=0.00";
        assert_eq!(pressure(text), Some(28_871_952));
    }
}
