//! The folder of a command line's store: next to the PGN file, otherwise in the user's state folder, otherwise in a
//! folder that anybody may write, under a hash of the command line. OpenBench's client expects only files in its folder
//! of PGN and removes old ones; it passes `-testEnv`, so its stores are in the state folder, too.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use sha2::{Digest, Sha256};

use super::settings::CommandLine;
use crate::platform::{environment, machine};
use crate::sink::replace_file;
use crate::store::{EVENT_FILE, Reader, set_aside};

/// The environment variable that names the folder of the store; a store there is kept.
const STORE_VARIABLE: &str = "ARBITER960_STORE";

/// The folder within the state folder for runs with `-testEnv`.
const TEST_ENVIRONMENT: &str = "test-environment";

/// The ending of the name of a store next to a PGN file.
const STORE_ENDING: &str = ".arbiter960";

/// A file in the store of a run that was ended in order, by a signal or a fault: if the same line is typed again, a new
/// event is meant.
const ENDED_FILE: &str = "ended";

/// A store that was not written to for this long is removed: programs that start a runner kill it and never come back
/// with the same command line.
const ABANDONED_AFTER: Duration = Duration::from_secs(7 * 24 * 3600);

/// Maximum number of copies of one command line at the same time.
const MAX_COPIES: u32 = 1000;

/// The folder of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoreFolder {
    pub(crate) folder: PathBuf,
    /// Whether it stays when the event is complete.
    pub(crate) kept: bool,
}

impl StoreFolder {
    /// The folder that the user has named for all stores, if any.
    pub(crate) fn named() -> Option<StoreFolder> {
        let folder = env::var_os(STORE_VARIABLE).filter(|folder| !folder.is_empty())?;
        Some(StoreFolder {
            folder: std::path::absolute(folder).ok()?,
            kept: true,
        })
    }

    /// The places for the stores of a command line, those in the best folder first: one for each copy of the line that
    /// is played at the same time.
    pub(crate) fn all(words: &[String], line: &CommandLine) -> Vec<Vec<StoreFolder>> {
        let key = key(words);
        let [state, test, others @ ..] = own_folders();
        let (pgn, own) = if line.settings.unwritten.test_env {
            ("", test)
        } else {
            (line.settings.pgn.file.as_str(), state)
        };
        let beside =
            beside(pgn).map(|(folder, name)| (folder, format!(".{name}.{key}"), STORE_ENDING));
        let others = [own].into_iter().chain(others);
        let others = others.map(|folder| (folder, key.clone(), ""));
        let folders = beside.into_iter().chain(others);
        folders
            .map(|(folder, name, ending)| {
                let copy = |copy| StoreFolder {
                    folder: folder.join(match copy {
                        1 => format!("{name}{ending}"),
                        copy => format!("{name}-{copy}{ending}"),
                    }),
                    kept: false,
                };
                (1..=MAX_COPIES).map(copy).collect()
            })
            .collect()
    }

    /// Whether this contains a run that was not ended in order: it was killed, or it is being played. The lock tells
    /// which when the store is opened.
    pub(crate) fn was_killed(&self) -> bool {
        self.reader().is_some() && !self.folder.join(ENDED_FILE).exists()
    }

    /// A reader of the store, if there is a store.
    pub(crate) fn reader(&self) -> Option<Reader> {
        Reader::open(&self.folder).ok()
    }

    /// Records that the run was ended in order, or is continued.
    pub(crate) fn set_ended(&self, ended: bool) {
        let mark = self.folder.join(ENDED_FILE);
        let _unwritten = if ended {
            replace_file(&mark, b"", false)
        } else {
            fs::remove_file(mark)
        };
    }

    /// Removes the store unless it is being played; returns whether the place is free now.
    pub(crate) fn remove(&self) -> bool {
        // The lock decides: it may be held for an instant after a kill.
        if let Ok(Some(aside)) = set_aside(&self.folder) {
            remove(&aside);
        }
        !self.folder.exists()
    }
}

/// Removes a store that nobody needs; it does no harm if that fails.
pub(crate) fn remove(folder: &Path) {
    if let Err(error) = fs::remove_dir_all(folder) {
        tracing::info!(%error, "{} cannot be removed", folder.display());
    }
}

/// Removes the abandoned stores of runs with `-testEnv`.
pub(crate) fn remove_abandoned() {
    let Ok(stores) = fs::read_dir(state_folder().join(TEST_ENVIRONMENT)) else {
        return;
    };
    for store in stores.flatten().map(|entry| entry.path()) {
        let written = fs::metadata(store.join(EVENT_FILE)).and_then(|meta| meta.modified());
        let age = written.ok().and_then(|time| time.elapsed().ok());
        let is_old = age.is_some_and(|age| age > ABANDONED_AFTER);
        if is_old && Reader::open(&store).is_ok_and(|reader| !reader.is_running()) {
            remove(&store);
        }
    }
}

/// The folder and the name of a PGN file, if there is one and it is not a special file of the system.
fn beside(pgn: &str) -> Option<(PathBuf, String)> {
    // The empty name has no absolute path.
    let pgn = std::path::absolute(pgn).ok()?;
    let name = pgn.file_name()?.to_str()?;
    let is_device = pgn.exists() && !pgn.is_file();
    let fits = !is_device && name.len() < 150;
    let folder = pgn.parent().filter(|_| fits)?;
    Some((folder.to_owned(), name.to_owned()))
}

/// `arbiter960` in the system's folder for such files (XDG Base Directory Specification).
fn state_folder() -> PathBuf {
    let mut absolute = environment::STATE.iter().filter_map(|(name, inner)| {
        let folder = PathBuf::from(env::var_os(name)?);
        folder.is_absolute().then(|| folder.join(inner))
    });
    let state = absolute.next();
    state.unwrap_or_else(env::temp_dir).join("arbiter960")
}

/// The folders of this user's stores that are not next to a PGN file: the state folder, in it the folder for
/// `-testEnv`, and where anybody may write.
fn own_folders() -> [PathBuf; 4] {
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

/// What distinguishes command lines: the words, and the folder that they were typed in. The identity of a store shows
/// whether the engines and the book are still the same.
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
    let bytes = digest[..8].iter();
    bytes.map(|byte| format!("{byte:02x}")).collect()
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
