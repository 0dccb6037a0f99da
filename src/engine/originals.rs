//! Whether an engine is still the one that the run began with: its program, and the files that its
//! options and arguments name. An engine is started again after a fault, or for every game; if
//! somebody builds it anew meanwhile, the event must not go on with another one under its name.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::config::{EngineSpec, Launch, Tournament, sha256};
use crate::event::identity::{EventEngine, EventIdentity};

/// The files of every engine, by its index, as they were when the event was opened.
#[derive(Debug)]
pub struct Originals(Vec<Vec<Original>>);

#[derive(Debug)]
struct Original {
    path: PathBuf,
    seen: Option<Mark>,
    /// The identity's.
    sha256: String,
}

/// What cannot stay the same when a file is written or replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    device: u64,
    inode: u64,
    length: u64,
    changed: (i64, i64),
}

impl Mark {
    fn of(path: &Path) -> io::Result<Mark> {
        let metadata = fs::metadata(path)?;
        Ok(Mark {
            device: metadata.dev(),
            inode: metadata.ino(),
            length: metadata.len(),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }
}

impl Originals {
    /// The files of this event, whose identity has just been read.
    pub fn new(tournament: &Tournament, identity: &EventIdentity) -> Originals {
        let files = |(spec, engine): (&EngineSpec, &EventEngine)| {
            let program = program(spec, engine);
            let places = engine.files.iter().flatten();
            let named = places.filter_map(|&place| {
                let (file, known) = (tournament.files.get(place)?, identity.files.get(place)?);
                Some(Original::new(&file.path, known.sha256.as_deref()?))
            });
            program.into_iter().chain(named).collect()
        };
        let engines = tournament.engines.iter().zip(&identity.engines);
        Originals(engines.map(files).collect())
    }

    /// The first file of this engine that is not what it was. One that is gone is not
    /// judged here: the start will show what that means.
    pub fn replaced(&self, engine: u16) -> Option<&Path> {
        self.all_replaced(engine).next()
    }

    /// All files of this engine that are not what they were.
    pub fn all_replaced(&self, engine: u16) -> impl Iterator<Item = &Path> {
        let files = self.0.get(usize::from(engine)).into_iter().flatten();
        let replaced = files.filter(|file| file.is_replaced());
        replaced.map(|file| file.path.as_path())
    }
}

fn program(spec: &EngineSpec, engine: &EventEngine) -> Option<Original> {
    match &spec.launch {
        Launch::Program { path, .. } => Some(Original::new(path, engine.launch.sha256()?)),
        Launch::Sparring => None,
    }
}

impl Original {
    fn new(path: &Path, digest: &str) -> Original {
        Original {
            path: path.to_owned(),
            seen: Mark::of(path).ok(),
            sha256: digest.to_owned(),
        }
    }

    /// Only what was touched is read again: the same content is the same file.
    fn is_replaced(&self) -> bool {
        let Ok(now) = Mark::of(&self.path) else {
            return false;
        };
        self.seen != Some(now) && sha256(&self.path).is_ok_and(|digest| digest != self.sha256)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_when_its_content_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engine");
        fs::write(&path, "one").unwrap();
        let original = Original::new(&path, &sha256(&path).unwrap());
        assert!(!original.is_replaced());
        fs::remove_file(&path).unwrap();
        assert!(!original.is_replaced(), "gone is another matter");
        fs::write(&path, "one").unwrap();
        assert!(!original.is_replaced(), "the same again");
        fs::write(&path, "two").unwrap();
        assert!(original.is_replaced());
    }
}
