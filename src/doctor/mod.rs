//! Is this machine fit to time engines? The built-in engine plays at the planned
//! concurrency, and what the machine costs is measured.
//!
//! | file | what |
//! |---|---|
//! | `measure` | round trips, wake-ups and waits, in lanes as a run has them |
//! | `speed` | how many games at once leave an engine as fast as alone |
//! | `host` | what the kernel tells of processors, clock, pressure and the disk |
//! | `advice` | what the numbers mean for time controls |

mod advice;
mod host;
mod measure;
mod speed;

use std::path::Path;
use std::time::Duration;

use serde::Serialize;

pub(crate) use advice::{Advice, control};
pub(crate) use host::{Disk, Host};
pub(crate) use measure::{Distribution, Latency};
pub(crate) use speed::{Rate, Speeds};

use crate::config::EngineSpec;
use crate::engine::launcher::{self, Enforced};
use crate::host::{cpus, neighbours};
use crate::platform::capabilities;
use crate::platform::cgroup::Cgroups;
use crate::run::RunError;
use crate::run::places::measured_beside;

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
    let before = host::HostCounters::read();
    let latency = measure::measure(planned, time, built_in)?;
    let host = Host::read(&before)?;
    let disk = Disk::examine(results);
    let cgroups = Cgroups::new();
    let sandbox = launcher::trial();
    let speeds = engine.map(|spec| {
        let slice = (time / 5).max(MIN_SEARCH_TIME);
        speed::measure(spec, planned.threads, planned.lanes, slice)
    });
    let speeds = speeds.transpose()?;
    let mut warnings = advice::warnings(planned, &latency, &host, &disk);
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
