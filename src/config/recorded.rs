//! Values for keys that the event file does not have: from the command line, and from the record of an event that has
//! begun.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::files::{FileKind, Files, RealFiles, plain_path};
use super::parse::parse;
use super::problem::ConfigErrors;
use super::tournament::Tournament;
use crate::event::identity::{EventIdentity, LaunchIdentity};
use crate::referee::{Compatibility, Disqualified, HostFaults};
use crate::stats::sprt::TestUnit;

/// The command line's values, which replace the event file's, and the defaults if neither has a value.
#[derive(Clone, Copy, Default)]
pub struct Overrides<'a> {
    /// `--seed`.
    pub seed: Option<u64>,
    /// `--concurrency`.
    pub concurrency: Option<NonZeroUsize>,
    /// What an event of this name has recorded, if it has begun.
    pub recorded: Option<&'a RecordedOf<'a>>,
    /// The seed of an event that has not begun, if none is given.
    pub drawn: Option<u64>,
    /// The event is rehearsed: former events may be rehearsals, too.
    pub rehearsal: bool,
    /// Whose way is followed where programs differ.
    pub compatibility: Compatibility,
}

/// What an event of a name has recorded.
pub(super) type RecordedOf<'a> = dyn Fn(&str) -> Option<Recorded> + 'a;

/// Values recorded when an event began, for keys that its file does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recorded {
    /// The seed.
    pub seed: u64,
    /// Whether its positions are played in a listed order.
    pub sequential: bool,
    /// What happens to a game that was lost on time by the host's fault.
    pub host_faults: HostFaults,
    /// What happens to the games of a disqualified engine.
    pub disqualified: Disqualified,
    /// What its sequential test counts, if it has one.
    pub sprt_unit: Option<TestUnit>,
}

impl Recorded {
    /// What the event of this identity has recorded.
    pub(crate) fn of(identity: &EventIdentity) -> Recorded {
        Recorded {
            seed: identity.seed,
            sequential: identity.order.is_some(),
            host_faults: identity.adjudication.host_faults,
            disqualified: identity.faults.disqualified,
            sprt_unit: identity.sprt.as_ref().map(|sprt| sprt.unit),
        }
    }
}

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
