//! Is this machine fit to time engines? The built-in engine plays at the planned
//! concurrency, and what the machine costs is measured.
//!
//! | file | what |
//! |---|---|
//! | `measure` | round trips, wake-ups and waits, in lanes as a run has them |
//! | `speed` | how many games at once leave an engine as fast as alone |
//! | `advice` | what the numbers mean for time controls |

mod advice;
mod measure;
mod speed;

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::config::EngineSpec;
use crate::engine::launcher::{self, Enforced};
use crate::host::{cpus, neighbours};
use crate::platform::cgroup::Cgroups;
use crate::platform::{ProcessorFacts, capabilities, machine};
use crate::run::RunError;
use crate::run::places::measured_beside;

pub(crate) use advice::{Advice, control};
pub(crate) use measure::{Distribution, Latency};
pub(crate) use speed::{Rate, Speeds};

/// A search that is long enough to be timed.
const MIN_SEARCH_TIME: Duration = Duration::from_millis(200);

/// What is planned on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Planned {
    /// Games at once.
    pub lanes: usize,
    /// Threads of an engine.
    pub threads: usize,
}

/// What was found.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Findings {
    /// What was planned.
    pub planned: Planned,
    /// How long was measured, seconds.
    pub seconds: f64,
    /// What the machine costs.
    pub latency: Latency,
    /// The machine.
    pub host: Host,
    /// The disk of the results.
    pub disk: Disk,
    /// What a sandbox can hold off here; `None` if the launcher could not be started.
    pub sandbox: Option<Enforced>,
    /// What cgroups can hold engines to here; `None` if this user may make none.
    pub cgroups: Option<Vec<&'static str>>,
    /// The speed of an engine with more and more games at once, if one was named.
    pub speeds: Option<Speeds>,
    /// What it means.
    pub advice: Advice,
    /// What should be looked at.
    pub warnings: Vec<String>,
    /// What keeps clocks from being fair here, in a sentence; `None` where nothing does.
    pub obstacle: Option<String>,
}

/// As many games at once as there are processors for the threads of one engine, at least one.
///
/// # Errors
/// The system does not say which processors there are.
pub(crate) fn usual_lanes(threads: usize) -> Result<usize, RunError> {
    Ok((cpus::usable()?.len() / threads.max(1)).max(1))
}

/// Measures for this long; `results` is where results would be written. The speed of `engine` is
/// measured in addition, in searches of a fifth of this time each.
///
/// # Errors
/// An engine cannot be started, or the system does not answer.
pub(crate) fn examine(
    planned: Planned,
    time: Duration,
    results: &Path,
    built_in: &EngineSpec,
    engine: Option<&EngineSpec>,
) -> Result<Findings, RunError> {
    let before = (Instant::now(), machine::processor_facts());
    let latency = measure::measure(planned, time, built_in)?;
    let host = Host::read(before)?;
    let disk = Disk::examine(results);
    let cgroups = Cgroups::new();
    let sandbox = launcher::trial(None);
    let speeds = engine.map(|spec| {
        let slice = (time / 5).max(MIN_SEARCH_TIME);
        speed::measure(spec, planned.threads, planned.lanes, slice)
    });
    let speeds = speeds.transpose()?;
    let mut warnings = advice::warnings(planned, &latency, &host);
    warnings.extend(advice::of_disk(&disk));
    warnings.extend(capabilities::lacking());
    warnings.extend(measured_beside(neighbours::folder()));
    warnings.extend(speeds.as_ref().and_then(advice::uneven));
    if let Err(error) = &sandbox {
        warnings.push(format!("sandboxes: {error}"));
    }
    Ok(Findings {
        obstacle: advice::obstacle(planned, &latency, &host),
        planned,
        seconds: time.as_secs_f64(),
        advice: Advice::from(&latency),
        latency,
        host,
        disk,
        speeds,
        sandbox: sandbox.ok(),
        cgroups: cgroups.ok().map(|cgroups| cgroups.controllers()),
        warnings,
    })
}

// What the kernel reports of processors, clock and pressure, and how long a write takes to be durable where results are kept.
// Anything that is not reported is `None`, never a guess.

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

impl Host {
    /// The machine since these counters were read.
    ///
    /// # Errors
    /// The system does not say which processors there are.
    fn read((begun, before): (Instant, ProcessorFacts)) -> Result<Host, RunError> {
        let cpus = cpus::usable()?;
        let elapsed = begun.elapsed().as_secs_f64().max(1e-6);
        let now = machine::processor_facts();
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
    fn examine(results: &Path) -> Disk {
        let results = std::path::absolute(results).unwrap_or_else(|_| results.to_owned());
        let folder = results.ancestors().find(|folder| folder.is_dir());
        let folder = folder.unwrap_or(Path::new("/")).to_owned();
        Disk {
            free: machine::free_disk(&folder).ok(),
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
