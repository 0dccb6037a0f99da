//! An event that has been played before, read where its engines need not be installed: none is started.

use std::io;
use std::path::{Path, PathBuf};

use super::files::{FileKind, Files, RealFiles, plain_path};
use super::parse::parse;
use super::problem::ConfigErrors;
use super::recorded::{Overrides, Recorded};
use super::tournament::Tournament;
use crate::event::identity::{EventIdentity, LaunchIdentity};

/// Reads the text of an event file that lies at `origin`, in the form that was accepted with this identity. Its book
/// must exist, its engines need not. `seed` replaces the file's.
///
/// # Errors
/// As [`parse`].
pub(crate) fn parse_as_recorded(
    text: &str,
    origin: &Path,
    seed: Option<u64>,
    identity: &EventIdentity,
) -> Result<Tournament, ConfigErrors> {
    let recorded = |_: &str| Some(Recorded::of(identity));
    let overrides = Overrides {
        seed,
        recorded: Some(&recorded),
        ..Overrides::default()
    };
    let (tournament, _) = parse(text, origin, overrides, &WithoutEngines::of(identity))?;
    Ok(tournament)
}

/// The files of this machine, and a program for every engine that it does not have.
struct WithoutEngines {
    /// Their paths in the event file, without `.`.
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
        RealFiles.kind(&path) == FileKind::Missing
            && self.commands.iter().any(|command| path.ends_with(command))
    }
}

impl Files for WithoutEngines {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        RealFiles.read(path)
    }

    fn read_start(&self, path: &Path, most: usize) -> io::Result<Vec<u8>> {
        match self.is_missing_engine(path) {
            true => Ok(Vec::new()),
            false => RealFiles.read_start(path, most),
        }
    }

    fn read_plain_start(&self, path: &Path, most: usize) -> io::Result<Vec<u8>> {
        match self.is_missing_engine(path) {
            true => Ok(Vec::new()),
            false => RealFiles.read_plain_start(path, most),
        }
    }

    fn kind(&self, path: &Path) -> FileKind {
        match self.is_missing_engine(path) {
            true => FileKind::Program,
            false => RealFiles.kind(path),
        }
    }

    fn real(&self, path: &Path) -> PathBuf {
        RealFiles.real(path)
    }

    fn search_path(&self) -> Vec<PathBuf> {
        RealFiles.search_path()
    }
}
