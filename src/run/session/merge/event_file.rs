//! The event as the shards have it. Whoever merges need not have its engines.

use std::io;
use std::path::{Path, PathBuf};

use super::parts::Part;
use crate::config::{
    Disk, FileKind, Files, Overrides, Recorded, Tournament, load, parse, plain_path,
};
use crate::event::identity::{EventIdentity, LaunchIdentity};
use crate::run::error::RunError;
use crate::run::merge_error::MergeError;

/// The event of a shard, from the text that its store has or from this file.
pub(super) fn read(part: &Part, event: Option<&Path>) -> Result<Tournament, RunError> {
    let identity = part.identity();
    let recorded = |_: &str| Some(Recorded::of(identity));
    let overrides = Overrides {
        seed: Some(identity.organisers_seed()),
        recorded: Some(&recorded),
        ..Overrides::default()
    };
    let unreadable = |words: String| MergeError::EventFile(words);
    let read = match event {
        Some(path) => load(path, overrides),
        None => {
            let value = |key: &str| part.reader.value(key);
            let (text, source) = (value("config")?, value("source")?);
            let (Some(text), Some(source)) = (text, source) else {
                return Err(unreadable("the store does not have it".to_owned()).into());
            };
            parse(
                &text,
                Path::new(&source),
                overrides,
                &WithoutEngines::of(identity),
            )
        }
    };
    let (tournament, _) = read.map_err(|errors| unreadable(errors.to_string()))?;
    let differences = identity.differences(&tournament.identity_like(identity));
    match differences.is_empty() {
        true => Ok(tournament),
        false => Err(MergeError::OtherEventFile(differences).into()),
    }
}

/// The files of this machine, and a program for every engine that it does not have: none is started.
struct WithoutEngines {
    /// What the event file calls them, without `.`.
    commands: Vec<PathBuf>,
}

impl WithoutEngines {
    fn of(identity: &EventIdentity) -> WithoutEngines {
        let command = |launch: &LaunchIdentity| match launch {
            LaunchIdentity::Program { command, .. } => Some(plain_path(Path::new(command))),
            LaunchIdentity::Sparring { .. } => None,
        };
        let engines = identity.engines.iter();
        WithoutEngines {
            commands: engines
                .filter_map(|engine| command(&engine.launch))
                .collect(),
        }
    }

    fn is_missing_engine(&self, path: &Path) -> bool {
        let path = plain_path(path);
        Disk.kind(&path) == FileKind::Missing
            && self.commands.iter().any(|command| path.ends_with(command))
    }
}

impl Files for WithoutEngines {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        Disk.read(path)
    }

    fn read_start(&self, path: &Path, most: usize) -> io::Result<Vec<u8>> {
        match self.is_missing_engine(path) {
            true => Ok(Vec::new()),
            false => Disk.read_start(path, most),
        }
    }

    fn kind(&self, path: &Path) -> FileKind {
        match self.is_missing_engine(path) {
            true => FileKind::Program,
            false => Disk.kind(path),
        }
    }

    fn real(&self, path: &Path) -> PathBuf {
        Disk.real(path)
    }

    fn search_path(&self) -> Vec<PathBuf> {
        Disk.search_path()
    }
}
