//! Engines and other files by SHA-256: at their place already and equal, or from the object store.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use async_nats::jetstream::object_store::ObjectStore;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;

use super::messages::{FarmFile, HostFacts};
use crate::config::{Launch, Tournament, sha256};
use crate::event::identity::EventIdentity;
use crate::farm::FarmError;
use crate::platform::files::{MORE_PROGRAMS, open_plain, open_to_all};
use crate::platform::{machine, proc, rename};

/// All files that an event names, but those that change by nature.
pub(super) fn needed_files(tournament: &Tournament, identity: &EventIdentity) -> Vec<FarmFile> {
    let programs = tournament.engines.iter().zip(&identity.engines);
    let programs = programs.filter_map(|(spec, engine)| match &spec.launch {
        Launch::Program { path, .. } => Some(FarmFile {
            path: path.clone(),
            sha256: engine.launch.sha256()?.to_owned(),
            program: true,
        }),
        Launch::Sparring => None,
    });
    let named = tournament.files.iter().zip(&identity.files);
    let named = named.filter_map(|(file, known)| {
        Some(FarmFile {
            path: file.path.clone(),
            sha256: known.sha256.clone()?,
            program: false,
        })
    });
    let mut files: Vec<FarmFile> = Vec::new();
    for file in programs.chain(named) {
        if !files.iter().any(|known| known.path == file.path) {
            files.push(file);
        }
    }
    files
}

/// Puts these files into the object store, those that it does not have.
pub(super) async fn offer(store: &ObjectStore, files: &[FarmFile]) -> Result<(), FarmError> {
    for file in files {
        let there = store.info(&file.sha256).await;
        if there.is_ok_and(|info| !info.deleted) {
            continue;
        }
        let failed = FarmError::of_file(&file.path);
        let mut content = File::from_std(open_plain(&file.path).map_err(&failed)?);
        let put = store.put(file.sha256.as_str(), &mut content).await;
        put.map_err(|error| failed(io::Error::other(error.to_string())))?;
        let path = &file.path;
        tracing::info!(?path, sha256 = file.sha256, "a file is in the object store");
    }
    Ok(())
}

/// Where this machine has a file: at the same place, or under a program's name where programs are, or in
/// the worker's folder, where it is put if the object store has it.
///
/// # Errors
/// It is nowhere, in words.
pub(super) async fn find(
    file: &FarmFile,
    folder: &Path,
    store: &ObjectStore,
) -> Result<PathBuf, String> {
    let name = file.path.file_name().map(PathBuf::from).unwrap_or_default();
    let kept = folder.join("files").join(&file.sha256).join(&name);
    let mut places = vec![file.path.clone()];
    if file.program {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let more = MORE_PROGRAMS.iter().map(PathBuf::from);
        let folders = std::env::split_paths(&path).chain(more);
        places.extend(folders.map(|folder| folder.join(&name)));
    }
    places.push(kept.clone());
    for place in places {
        if place.is_file() && sha256(&place).is_ok_and(|found| found == file.sha256) {
            return Ok(place);
        }
    }
    let fetched = fetch(file, &kept, store).await;
    fetched.map(|()| kept).map_err(|error| {
        format!(
            "{} with SHA-256 {} is not installed here, and the object store does not give it: {error}",
            file.path.display(),
            file.sha256
        )
    })
}

/// Takes a file from the object store.
async fn fetch(file: &FarmFile, to: &Path, store: &ObjectStore) -> io::Result<()> {
    let mut object = store.get(&file.sha256).await.map_err(io::Error::other)?;
    let folder = to.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let part = folder.join(".part");
    // Of a worker that was killed here.
    let _left = fs::remove_file(&part);
    let mut written = File::create_new(&part).await?;
    tokio::io::copy(&mut object, &mut written).await?;
    written.flush().await?;
    let digits = sha256(&part).map_err(io::Error::other)?;
    if digits != file.sha256 {
        fs::remove_file(&part)?;
        let words = format!("what it gives has SHA-256 {digits}");
        return Err(io::Error::other(words));
    }
    let written = written.into_std().await;
    open_to_all(&written, file.program)?;
    written.sync_all()?;
    // A program that is open for writing cannot be started.
    drop(written);
    rename(&part, to)
}

/// On what is played here.
pub(super) fn host_facts(lanes: usize) -> HostFacts {
    HostFacts {
        host: machine::host_name(),
        processor: proc::processor_name().unwrap_or_default(),
        lanes,
    }
}
