//! What is settled before the first engine is started, and what the user should know of this machine.

use std::path::Path;
use std::time::Duration;

use tokio::time::timeout;

use super::RunError;
use crate::chess::{CastlingRule, Variant};
use crate::config::{EngineSpec, Launch, RefusedByEngine, Sandbox, Tournament};
use crate::engine::guardian::Guardian;
use crate::engine::launcher;
use crate::engine::probe::probe;
use crate::engine::surroundings::{Guarded, Surroundings, VariantSetup};
use crate::engine::watch::EngineWatch;
use crate::host::observer::HostObserver;
use crate::host::reach::lies_in;
use crate::platform::cgroup::Cgroups;
use crate::platform::runtime;
use crate::sink::{InSinkFile, replace_file};
use crate::text::printable;
use crate::uci::chess480_variants;

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
                return Err(RunError::Refused(format!(
                    "the results ({}) and a place where the sandbox of engine \"{}\" lets it write ({}) lie in \
                     one another: choose another --results, or give the engine a folder of its own",
                    folder.display(),
                    printable(&spec.name),
                    writable.display()
                )));
            }
        }
    }
    Ok(())
}

/// How long an engine may take to say what it refuses, where an event file has errors already.
const TRIAL: Duration = Duration::from_secs(5);

/// What the engines of an event refuse whose file has errors; nothing of engines that do not answer soon.
pub(crate) fn refused(tournament: &Tournament) -> Vec<RefusedByEngine> {
    // Other variants are explained in a file of the event's folder.
    if tournament.variant.castling_rule() == CastlingRule::Chess480 {
        return Vec::new();
    }
    let (Ok(runtime), Ok(guardian)) = (runtime(), Guardian::start()) else {
        return Vec::new();
    };
    let mut refused = Vec::new();
    runtime.block_on(async {
        let Ok(around) = surroundings(tournament, Path::new("."), &guardian) else {
            return;
        };
        for (place, engine) in tournament.engines.iter().enumerate() {
            // A program that was not found has its error already.
            if !matches!(&engine.launch, Launch::Program { path, .. } if path.is_file()) {
                continue;
            }
            let is_tried = |spec: &EngineSpec| std::ptr::eq(spec, engine);
            let tried = probe(tournament, &around, is_tried);
            if let Ok(Err(unfit)) = timeout(TRIAL, tried).await {
                refused.extend(unfit.iter().flat_map(|unfit| unfit.refused(place)));
            }
        }
    });
    guardian.dismiss();
    refused
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
///
/// # Errors
/// See [`of_trial`].
pub(crate) fn surroundings(
    tournament: &Tournament,
    folder: &Path,
    guardian: &Guardian,
) -> Result<Surroundings, RunError> {
    Ok(Surroundings {
        lanes: tournament.concurrency.get(),
        cgroups: cgroups(tournament),
        watch: EngineWatch::of_engines(&tournament.engines),
        guarded: Guarded::of_engines(&tournament.engines),
        ..of_trial(tournament, folder, guardian)?
    })
}

/// What surrounds engines of this event that are started without a lane.
///
/// # Errors
/// The variant's file cannot be written, or its path cannot be said in UCI.
pub(crate) fn of_trial(
    tournament: &Tournament,
    folder: &Path,
    guardian: &Guardian,
) -> Result<Surroundings, RunError> {
    Ok(Surroundings {
        rules: rules(tournament.variant, folder)?,
        timeouts: tournament.timeouts,
        ..Surroundings::new(guardian.clone())
    })
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
    let enforced = match launcher::trial(Some(spec)) {
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
    if tournament.adjudication.deducts() && !HostObserver::of_this_thread().can_see() {
        return Err(RunError::Refused(
            "`host_faults = \"deduct\"` needs a kernel that counts for how long threads wait for a processor \
             (/proc/thread-self/schedstat), and this one does not: take another value"
                .to_owned(),
        ));
    }
    Ok(())
}

/// The file in the event's folder from which engines learn Chess480.
const VARIANTS_FILE: &str = "variants.ini";

/// The rules of a variant. If engines have to read them, the file is written into the
/// event's folder: so the rules that were played stay with the games.
fn rules(variant: Variant, folder: &Path) -> Result<VariantSetup, RunError> {
    let explained = variant.castling_rule() == CastlingRule::Chess480;
    let variants_file = explained.then(|| write_variants(folder)).transpose()?;
    Ok(VariantSetup {
        chess960: variant.sends_uci_chess960(),
        variants_file,
        variant: (variant == Variant::Moab).then(|| variant.name()),
    })
}

fn write_variants(folder: &Path) -> Result<String, RunError> {
    // The engine may run in another folder.
    let path = folder.canonicalize()?.join(VARIANTS_FILE);
    let said = path.to_str().filter(|path| can_be_said(path));
    let said = said.ok_or_else(|| {
        RunError::Refused(format!(
            "engines could not read the variant's file at {path:?}: they take a path apart at every \
             colon, and at double blanks; choose another event.name or --results"
        ))
    })?;
    replace_file(&path, chess480_variants().as_bytes(), true).at(&path)?;
    Ok(said.to_owned())
}

/// Whether an engine reads this path unchanged: a value's words are read one by one and joined
/// by single blanks, and `VariantPath` is a list.
fn can_be_said(path: &str) -> bool {
    let words: Vec<&str> = path.split_whitespace().collect();
    !path.contains([':', ';']) && words.join(" ") == path
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn only_chess480_is_explained_in_a_file() {
        let folder = tempfile::tempdir().unwrap();
        for variant in Variant::ALL {
            let rules = rules(variant, folder.path()).unwrap();
            assert_eq!(rules.chess960, variant.sends_uci_chess960());
            assert_eq!(rules.variants_file.is_some(), variant == Variant::Chess480);
            assert_eq!(rules.variant.is_some(), variant == Variant::Moab);
        }
        let text = fs::read_to_string(folder.path().join(VARIANTS_FILE)).unwrap();
        assert_eq!(text, chess480_variants());
    }

    #[test]
    fn a_link_in_the_place_of_the_file_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let [file, victim] = [VARIANTS_FILE, "victim"].map(|name| folder.path().join(name));
        fs::write(&victim, "precious").unwrap();
        crate::platform::files::link(&victim, &file).unwrap();
        rules(Variant::Chess480, folder.path()).unwrap();
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
        assert_eq!(fs::read_to_string(&file).unwrap(), chess480_variants());
    }

    #[test]
    fn a_path_that_would_be_misheard_is_refused() {
        for name in ["a:b", "a;b", "a  b", "a\tb"] {
            let parent = tempfile::tempdir().unwrap();
            let folder = parent.path().join(name);
            fs::create_dir(&folder).unwrap();
            let refused = rules(Variant::Chess480, &folder);
            assert!(matches!(refused, Err(RunError::Refused(_))), "{name:?}");
            assert!(rules(Variant::Chess960, &folder).is_ok());
        }
    }
}
