//! The event that a worker plays, as the coordinator has announced it: the same event file, read with the
//! coordinator's files, and engines that are byte for byte the coordinator's.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::{fs, io};

use async_nats::jetstream::Context;
use async_nats::jetstream::object_store::ObjectStore;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;

use super::messages::{Announcement, EventMessage, FarmFile};
use crate::config::{
    FileKind, Files, Launch, Overrides, RealFiles, Tournament, parse, plain_path, sha256,
};
use crate::event::identity::EventIdentity;
use crate::farm::{FarmError, FarmName};
use crate::platform::files::{MORE_PROGRAMS, open_plain, open_to_all};
use crate::platform::rename;

/// An event that can be played here.
#[derive(Debug)]
pub(super) struct Assignment {
    pub(super) announced: EventMessage,
    pub(super) digest: String,
    /// Of the coordinator that has announced it last.
    pub(super) epoch: u64,
    pub(super) tournament: Tournament,
}

/// What is played now; `None` if nothing was ever announced.
pub(super) async fn announced(
    context: &Context,
    farm: &FarmName,
) -> Result<Option<Announcement>, String> {
    let stream = context.get_stream(farm.stream("event")).await;
    let stream = stream.map_err(|error| format!("there is no coordinator yet ({error})"))?;
    let last = Announcement::last(&stream, farm).await;
    last.map_err(|error| error.to_string())
}

impl Assignment {
    /// Makes an event ready to be played here, with this number of games at once.
    ///
    /// # Errors
    /// It cannot be played here, in words.
    pub(super) async fn prepare(
        announcement: Announcement,
        folder: &Path,
        lanes: NonZeroUsize,
        store: &ObjectStore,
    ) -> Result<Assignment, String> {
        let announced = announcement.event()?;
        let mut found = BTreeMap::new();
        for file in &announced.files {
            let place = find(file, folder, store).await?;
            found.insert(plain_path(&file.path), (place, file.program));
        }
        let identity = &announced.identity;
        let recorded = |_: &str| Some(identity.clone());
        let overrides = Overrides {
            seed: Some(identity.organisers_seed()),
            concurrency: Some(lanes),
            recorded: Some(&recorded),
            ..Overrides::default()
        };
        let coordinators = CoordinatorFiles(found);
        let read = parse(&announced.text, &announced.source, overrides, &coordinators);
        let (mut tournament, _) =
            read.map_err(|errors| format!("the event file cannot be used here:\n{errors}"))?;
        let differences = identity.differences(&tournament.identity_like(identity));
        if let Some(difference) = differences.first() {
            return Err(format!("the event is another here: {difference}"));
        }
        coordinators.localise(&mut tournament, folder)?;
        Ok(Assignment {
            digest: announcement.digest(),
            epoch: announcement.epoch(),
            announced,
            tournament,
        })
    }
}

/// The files of the coordinator as the event file names them, and where this machine has them.
struct CoordinatorFiles(BTreeMap<PathBuf, (PathBuf, bool)>);

impl CoordinatorFiles {
    fn place(&self, path: &Path) -> Option<&(PathBuf, bool)> {
        self.0.get(&plain_path(path))
    }

    fn here(&self, path: &Path) -> io::Result<&PathBuf> {
        let found = self.place(path).map(|(place, _)| place);
        found.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Lets engines and options name the files of this machine.
    fn localise(&self, tournament: &mut Tournament, folder: &Path) -> Result<(), String> {
        let mut moved: Vec<(String, String)> = Vec::new();
        for file in &mut tournament.files {
            if let Some((place, _)) = self.place(&file.path).cloned() {
                if place != file.path {
                    moved.push((file.name.clone(), place.display().to_string()));
                }
                file.path = place;
            }
        }
        for spec in &mut tournament.engines {
            let name = spec.name.clone();
            let replace = |value: &mut String| {
                for (named, place) in &moved {
                    if value == named {
                        value.clone_from(place);
                    } else if value.contains(named.as_str()) {
                        return Err(format!(
                            "engine \"{name}\" names {named} within `{value}`: install the file here at \
                             the same path"
                        ));
                    }
                }
                Ok(())
            };
            let mut options = spec.options.iter_mut();
            options.try_for_each(|(_, value)| replace(value))?;
            if let Launch::Program {
                path,
                args,
                directory,
                env,
                ..
            } = &mut spec.launch
            {
                args.iter_mut().try_for_each(&replace)?;
                env.iter_mut().try_for_each(|(_, value)| replace(value))?;
                let here = self.here(path).map_err(|error| error.to_string())?.clone();
                *path = here;
                if !directory.is_dir() {
                    *directory = folder.join("work");
                    fs::create_dir_all(&*directory).map_err(|error| error.to_string())?;
                }
            }
            for path in &mut spec.files {
                if let Some((place, _)) = self.place(path) {
                    path.clone_from(place);
                }
            }
        }
        Ok(())
    }
}

impl Files for CoordinatorFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        RealFiles.read(self.here(path)?)
    }

    fn read_start(&self, path: &Path, most: usize) -> io::Result<Vec<u8>> {
        RealFiles.read_start(self.here(path)?, most)
    }

    fn kind(&self, path: &Path) -> FileKind {
        match self.place(path) {
            Some((_, true)) => FileKind::Program,
            Some((_, false)) => FileKind::Plain,
            // Folders that an engine may read or write, or runs in.
            None => RealFiles.kind(path),
        }
    }

    fn search_path(&self) -> Vec<PathBuf> {
        let programs = self.0.iter().filter(|(_, (_, program))| *program);
        let folders = programs.filter_map(|(path, _)| path.parent().map(Path::to_owned));
        folders.collect()
    }
}

// Engines and other files by SHA-256: at their place already and equal, or from the object store.

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
async fn find(file: &FarmFile, folder: &Path, store: &ObjectStore) -> Result<PathBuf, String> {
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
