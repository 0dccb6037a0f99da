//! The file of an event that has begun, read as it was accepted then, maybe on a machine without its engines.

use std::path::{Path, PathBuf};

use super::files::{FileKind, Files, RealFiles, plain_path};
use super::parse::parse;
use super::plan::{Overrides, Recorded};
use super::problem::ConfigErrors;
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
    let (tournament, _) = parse(text, origin, overrides, &WithoutEngines::new(identity))?;
    Ok(tournament)
}

/// The files of this machine, and a program for every engine that it does not have.
struct WithoutEngines {
    /// Their paths in the event file, without `.`.
    commands: Vec<PathBuf>,
}

impl WithoutEngines {
    fn new(identity: &EventIdentity) -> WithoutEngines {
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
}

impl Files for WithoutEngines {
    fn kind(&self, path: &Path) -> FileKind {
        let path = plain_path(path);
        let is_engine = self.commands.iter().any(|command| path.ends_with(command));
        match RealFiles.kind(&path) {
            FileKind::Missing if is_engine => FileKind::Program,
            kind => kind,
        }
    }
}
