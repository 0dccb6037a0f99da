//! The event that a worker plays, as the coordinator has announced it: the same event file, read with the
//! coordinator's files, and engines that are byte for byte the coordinator's.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::{fs, io};

use async_nats::jetstream::Context;
use async_nats::jetstream::object_store::ObjectStore;

use super::files;
use super::messages::{Announcement, EventMessage};
use crate::config::{FileKind, Files, Launch, Overrides, RealFiles, Tournament, parse, plain_path};
use crate::farm::FarmName;

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
    let stream = context.get_stream(farm.event_stream()).await;
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
        let announced = announcement.event().map_err(|error| error.to_string())?;
        let mut found = BTreeMap::new();
        for file in &announced.files {
            let place = files::find(file, folder, store).await?;
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
        let coordinators = CoordinatorFiles { found };
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
struct CoordinatorFiles {
    found: BTreeMap<PathBuf, (PathBuf, bool)>,
}

impl CoordinatorFiles {
    fn place(&self, path: &Path) -> Option<&(PathBuf, bool)> {
        self.found.get(&plain_path(path))
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
            spec.options
                .iter_mut()
                .try_for_each(|(_, value)| replace(value))?;
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
        let programs = self.found.iter().filter(|(_, (_, program))| *program);
        programs
            .filter_map(|(path, _)| path.parent().map(Path::to_owned))
            .collect()
    }
}
