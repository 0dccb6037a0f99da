//! What is settled before the first engine is started, and what the user should know of this machine.

use std::path::Path;

use crate::config::{EngineSpec, Sandbox, Tournament};
use crate::engine::guardian::Guardian;
use crate::engine::launcher;
use crate::engine::surroundings::{Guarded, Surroundings};
use crate::engine::watch::EngineWatch;
use crate::host::observer::HostObserver;
use crate::host::reach::lies_in;
use crate::platform::cgroup::Cgroups;
use crate::run::RunError;
use crate::text::printable;

/// No engine in a sandbox may write where the results are.
///
/// # Errors
/// One may; or the system does not say where the folders are.
pub(crate) fn keep_results_out_of_reach(
    tournament: &Tournament,
    folder: &Path,
) -> Result<(), RunError> {
    for spec in tournament.engines.iter().filter(|spec| is_shut_in(spec)) {
        for writable in &spec.confinement.writable {
            if lies_in(folder, writable)? || lies_in(writable, folder)? {
                return Err(RunError::ResultsWithinReach {
                    engine: spec.name.clone(),
                    results: folder.to_owned(),
                    writable: writable.clone(),
                });
            }
        }
    }
    Ok(())
}

/// Says what was left of the former run, if anything was.
pub(crate) fn left_over(names: &[String]) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    let (count, listed) = (names.len(), names.join(", "));
    let names = printable(&listed);
    tracing::warn!(count, %names, "left of the former run of this event, and ended");
    Some(format!(
        "warning: {count} processes were left of the former run of this event, and were ended: \
         {names}"
    ))
}

/// Where engines that are held to something get a cgroup each, if this user may make any.
fn cgroups(tournament: &Tournament) -> Option<Cgroups> {
    let held = |spec: &EngineSpec| is_shut_in(spec) || spec.confinement.is_watched();
    if !tournament.engines.iter().any(held) {
        return None;
    }
    let none = |error: &_| tracing::info!(%error, "engines have no cgroups");
    let cgroups = Cgroups::new().inspect_err(none).ok()?;
    let limits = cgroups.controllers().join(", ");
    tracing::info!(limits, "every engine that a launcher starts has a cgroup");
    Some(cgroups)
}

/// What surrounds the engines of all lanes.
pub(crate) fn surroundings(tournament: &Tournament, guardian: &Guardian) -> Surroundings {
    Surroundings {
        lanes: tournament.concurrency.get(),
        cgroups: cgroups(tournament),
        watch: EngineWatch::of_engines(&tournament.engines),
        guarded: Guarded::of_engines(&tournament.engines),
        ..Surroundings::new(guardian.clone())
    }
}

/// Warnings for people: what the sandboxes of this event do not block. Everything that
/// they do block goes to the log.
pub(crate) fn remarks(tournament: &Tournament) -> Vec<String> {
    let engines = tournament.engines.iter();
    let shut_in = engines.filter(|spec| is_shut_in(spec));
    let mut remarks: Vec<String> = shut_in.filter_map(remark).collect();
    remarks.dedup();
    remarks
}

fn remark(spec: &EngineSpec) -> Option<String> {
    let enforced = match launcher::trial_for(spec) {
        Ok(enforced) => enforced,
        Err(error) => return Some(format!("warning: {error}")),
    };
    let name = printable(&spec.name);
    for wall in enforced.walls() {
        tracing::info!("sandbox of {name}: {wall}");
    }
    let gaps = enforced.gaps().join("; ");
    let open = !gaps.is_empty();
    open.then(|| format!("warning: the sandbox of \"{name}\" does not hold off: {gaps}"))
}

fn is_shut_in(spec: &EngineSpec) -> bool {
    spec.confinement.sandbox != Sandbox::Off
}

/// Refuses to play by the kernel's evidence where it gives none.
///
/// # Errors
/// The event does not charge what the host takes, and the kernel does not tell that.
pub(crate) fn check_evidence(tournament: &Tournament) -> Result<(), RunError> {
    match tournament.adjudication.deducts() && !HostObserver::of_this_thread().can_see() {
        true => Err(RunError::NoEvidence),
        false => Ok(()),
    }
}
