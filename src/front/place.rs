//! Where the store of a command line lies: beside the PGN file, else in the user's folder of state, else
//! where anybody may write, under a hash of the command line. OpenBench's client keeps nothing but files in
//! its folder of PGN, and removes old ones; it says `-testEnv`, and its stores lie in the folder of state,
//! too.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use sha2::{Digest, Sha256};

use super::settings::CommandLine;
use crate::platform::machine;
use crate::store::{EVENT_FILE, Reader, set_aside};

/// The variable that names the folder of the store, which is kept then.
const VARIABLE: &str = "ARBITER960_STORE";

/// The folder in the folder of state for runs with `-testEnv`.
const TEST_ENVIRONMENT: &str = "test-environment";

/// How the name of a store ends that lies beside a PGN file.
pub(super) const ENDING: &str = ".arbiter960";

/// A file in the store of a run that was ended in order, by a signal or a fault: whoever types the same
/// line again means a new event.
const ENDED: &str = "ended";

/// Programs that start a runner end it by a kill and never come back with the same command line. What
/// was not written to for so long is removed.
const ABANDONED: Duration = Duration::from_secs(7 * 24 * 3600);

/// Copies of the same command line at the same time, at most.
const COPIES: u32 = 1000;

/// The folder of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The folder itself.
    pub(super) folder: PathBuf,
    /// Whether it stays when the event is complete.
    pub(super) kept: bool,
}

impl Place {
    /// The folder that the user names for all stores, if one is named.
    pub(super) fn named() -> Option<Place> {
        let folder = env::var_os(VARIABLE).filter(|folder| !folder.is_empty())?;
        Some(Place {
            folder: std::path::absolute(folder).ok()?,
            kept: true,
        })
    }

    /// The places of the stores of a command line, those in the best folder first: one for each copy of it
    /// that is played at the same time.
    pub(super) fn all(words: &[String], line: &CommandLine) -> Vec<Vec<Place>> {
        let key = key(words);
        let pgn = match line.settings.unwritten.test_env {
            true => "",
            false => line.settings.pgn.file.as_str(),
        };
        let beside = beside(pgn).map(|(folder, name)| (folder, format!(".{name}.{key}"), ENDING));
        let [state, test, others @ ..] = own_folders();
        let state = match line.settings.unwritten.test_env {
            true => test,
            false => state,
        };
        let others = [state].into_iter().chain(others);
        let others = others.map(|folder| (folder, key.clone(), ""));
        let folders = beside.into_iter().chain(others);
        folders
            .map(|(folder, name, ending)| {
                let copy = |copy| Place {
                    folder: folder.join(match copy {
                        1 => format!("{name}{ending}"),
                        copy => format!("{name}-{copy}{ending}"),
                    }),
                    kept: false,
                };
                (1..=COPIES).map(copy).collect()
            })
            .collect()
    }

    /// That of a store that is there.
    pub(super) fn of_folder(folder: &Path) -> Place {
        Place {
            folder: folder.to_owned(),
            kept: false,
        }
    }

    /// Whether a run is here that was not ended in order: it was killed, or it is played, which the lock tells
    /// whoever opens it.
    pub(super) fn was_killed(&self) -> bool {
        self.reader().is_some() && !self.folder.join(ENDED).exists()
    }

    /// What is stored here.
    pub(super) fn reader(&self) -> Option<Reader> {
        Reader::open(&self.folder).ok()
    }

    /// The run was ended in order, or goes on.
    pub(super) fn set_ended(&self, ended: bool) {
        let mark = self.folder.join(ENDED);
        let _unwritten = match ended {
            true => fs::write(mark, ""),
            false => fs::remove_file(mark),
        };
    }

    /// Removes the store, if nobody plays in it; whether the place is free now.
    pub(super) fn remove(&self) -> bool {
        // The lock decides: it may be held for an instant after a kill.
        if let Ok(Some(aside)) = set_aside(&self.folder) {
            remove(&aside);
        }
        !self.folder.exists()
    }
}

/// Removes a store that nobody needs; one that cannot be removed does no harm.
pub(super) fn remove(folder: &Path) {
    if let Err(error) = fs::remove_dir_all(folder) {
        tracing::info!(%error, "{} cannot be removed", folder.display());
    }
}

/// Removes the abandoned stores of runs with `-testEnv`.
pub(super) fn remove_abandoned() {
    let Ok(stores) = fs::read_dir(state_folder().join(TEST_ENVIRONMENT)) else {
        return;
    };
    for store in stores.flatten().map(|entry| entry.path()) {
        let written = fs::metadata(store.join(EVENT_FILE)).and_then(|meta| meta.modified());
        let age = written.ok().and_then(|time| time.elapsed().ok());
        let is_old = age.is_some_and(|age| age > ABANDONED);
        if is_old && Reader::open(&store).is_ok_and(|reader| !reader.is_running()) {
            remove(&store);
        }
    }
}

/// The folder and the name of a PGN file, if there is one and it is none of the system's.
fn beside(pgn: &str) -> Option<(PathBuf, String)> {
    let pgn = std::path::absolute(Path::new(pgn))
        .ok()
        .filter(|_| !pgn.is_empty())?;
    let name = pgn.file_name()?.to_str()?;
    let is_device = pgn.exists() && !pgn.is_file();
    let fits = !is_device && name.len() < 150;
    fits.then_some(())?;
    Some((pgn.parent()?.to_owned(), name.to_owned()))
}

/// `$XDG_STATE_HOME/arbiter960` (XDG Base Directory Specification).
fn state_folder() -> PathBuf {
    let absolute = |name: &str| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let state = absolute("XDG_STATE_HOME");
    let state = state.or_else(|| Some(absolute("HOME")?.join(".local/state")));
    state.unwrap_or_else(env::temp_dir).join("arbiter960")
}

/// Where the stores of this user lie that lie beside no PGN file: in the folder of state, there those with
/// `-testEnv`, and where anybody may write.
pub(super) fn own_folders() -> [PathBuf; 4] {
    let user = format!("arbiter960 {}", machine::user()).replace(' ', "-");
    let state = state_folder();
    let test = state.join(TEST_ENVIRONMENT);
    [
        state,
        test,
        env::temp_dir().join(&user),
        Path::new("/dev/shm").join(&user),
    ]
}

/// What tells command lines apart: the words, and the folder that they were typed in. Whether the engines
/// and the book are still those of a store is seen by its identity.
fn key(words: &[String]) -> String {
    let mut hash = Sha256::new();
    let mut part = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    part("arbiter960 front 2");
    words.iter().for_each(|word| part(word));
    let folder = env::current_dir().unwrap_or_default();
    part(&folder.to_string_lossy());
    let digest = hash.finalize();
    digest
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_line_has_another_place() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let key = |text: &str| key(&words(text));
        assert_eq!(key("-a b"), key("-a b"));
        assert_ne!(key("-a b"), key("-ab"));
        assert_eq!(key("-a").len(), 16);
    }

    #[test]
    fn a_store_lies_hidden_beside_its_pgn() {
        let found = beside("/x/games.pgn").unwrap();
        assert_eq!(found, (PathBuf::from("/x"), "games.pgn".to_owned()));
        assert_eq!(beside("/dev/null"), None);
        assert_eq!(beside(""), None);
    }
}
