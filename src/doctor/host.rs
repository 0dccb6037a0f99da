//! What the kernel reports of processors, clock and pressure, and how long a write takes to be durable where results are kept.
//! Anything that is not reported is `None`, never a guess.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;

use super::measure::Distribution;
use crate::host::{cpus, disk_space};
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

/// Writes that are timed.
const WRITES: usize = 20;

/// The bytes of each, about those of a short game.
const WRITE_BYTES: usize = 4096;

/// The disk of the results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Disk {
    /// The folder that was looked at: the results', or the nearest above it that exists.
    pub folder: PathBuf,
    /// Bytes that may still be written.
    pub free: Option<u64>,
    /// How long a write took to be durable; `None` if the folder cannot be written.
    pub durable_write: Option<Distribution>,
}

impl Disk {
    /// Writes a test file into the folder of the results, and removes it.
    pub(super) fn examine(results: &Path) -> Disk {
        let results = std::path::absolute(results).unwrap_or_else(|_| results.to_owned());
        let folder = results.ancestors().find(|folder| folder.is_dir());
        let folder = folder.unwrap_or(Path::new("/")).to_owned();
        Disk {
            free: disk_space::free(&folder).ok(),
            durable_write: durable_writes(&folder).ok(),
            folder,
        }
    }
}

fn durable_writes(folder: &Path) -> io::Result<Distribution> {
    let path = folder.join(format!(".arbiter960-doctor-{}", std::process::id()));
    let measured = File::create_new(&path).and_then(|mut file| {
        let once = |_| {
            let begun = Instant::now();
            file.write_all(&[b'.'; WRITE_BYTES])?;
            file.sync_data()?;
            Ok(begun.elapsed())
        };
        (0..WRITES).map(once).collect::<io::Result<Vec<_>>>()
    });
    // Nothing is left behind, whatever happened.
    let removed = fs::remove_file(&path);
    let durations = measured?;
    removed?;
    Ok(Distribution::from_durations(durations))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_not_there_yet_lies_on_a_disk_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::examine(&folder.path().join("results/of/mine"));
        assert_eq!(disk.folder, folder.path());
        assert!(disk.free.is_some());
        assert_eq!(disk.durable_write.map(|writes| writes.count), Some(WRITES));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
