//! Where the store of a command line lies: beside the PGN file, else in the user's folder of state,
//! under a hash of the command line, so that the same line finds it again. OpenBench's client keeps
//! nothing but files in its folder of PGN, and removes old ones; it says `-testEnv`, and its stores
//! lie in the folder of state, too.

use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};
use std::{env, fs};

use sha2::{Digest, Sha256};

use super::settings::{Engine, Settings};
use crate::store::{EVENT_FILE, Reader};

/// The variable that names the folder of the store, which is kept then.
pub(super) const VARIABLE: &str = "ARBITER960_STORE";

/// The folder in the folder of state for runs with `-testEnv`.
const TEST_ENVIRONMENT: &str = "test-environment";

/// Programs that start a runner end it by a kill and never come back with the same command line. What
/// was not written to for so long is removed.
const ABANDONED: Duration = Duration::from_secs(7 * 24 * 3600);

/// The folder of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The folder in which it lies.
    pub(super) results: PathBuf,
    /// Its own name.
    pub(super) name: String,
    /// Whether it stays when the event is complete.
    pub(super) kept: bool,
}

impl Place {
    /// The folder itself.
    pub(super) fn folder(&self) -> PathBuf {
        self.results.join(&self.name)
    }

    /// A folder that is named, absolute; `None` if it has no name.
    pub(super) fn named(folder: &Path, kept: bool) -> Option<Place> {
        let folder = std::path::absolute(folder).ok()?;
        Some(Place {
            results: folder.parent()?.to_owned(),
            name: folder.file_name()?.to_str()?.to_owned(),
            kept,
        })
    }

    /// The place of the store of this command line in this folder.
    pub(super) fn of(words: &[String], settings: &Settings, engines: &[Engine]) -> Place {
        if let Some(folder) = env::var_os(VARIABLE).filter(|folder| !folder.is_empty())
            && let Some(place) = Place::named(Path::new(&folder), true)
        {
            return place;
        }
        let key = key(words, settings, engines);
        let in_state = |results| Place {
            results,
            name: key.clone(),
            kept: false,
        };
        match settings.unwritten.test_env {
            true => in_state(state_folder().join(TEST_ENVIRONMENT)),
            false => beside(&settings.pgn.file, &key).unwrap_or_else(|| in_state(state_folder())),
        }
    }
}

/// Removes the store of an event that is complete or abandoned.
pub(super) fn remove(folder: &Path) {
    if let Err(error) = fs::remove_dir_all(folder) {
        crate::text::tell(&format!("{} cannot be removed: {error}", folder.display()));
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

/// Beside a PGN file, if there is one and it is none of the system's.
fn beside(pgn: &str, key: &str) -> Option<Place> {
    let pgn = std::path::absolute(Path::new(pgn))
        .ok()
        .filter(|_| !pgn.is_empty())?;
    let name = pgn.file_name()?.to_str()?;
    let is_device = pgn.exists() && !pgn.is_file();
    let fits = !is_device && name.len() < 150;
    fits.then_some(())?;
    Some(Place {
        results: pgn.parent()?.to_owned(),
        name: format!(".{name}.{key}.arbiter960"),
        kept: false,
    })
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

/// What tells command lines apart: the words, the folder that they were typed in, and programs and
/// book as they are. A program that was built anew begins anew.
fn key(words: &[String], settings: &Settings, engines: &[Engine]) -> String {
    let mut hash = Sha256::new();
    let mut part = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    part("arbiter960 front 1");
    words.iter().for_each(|word| part(word));
    let folder = env::current_dir().unwrap_or_default();
    part(&folder.to_string_lossy());
    let programs = engines.iter().map(super::event_engine::program);
    for file in programs.chain([PathBuf::from(&settings.opening.file)]) {
        part(&state(&file));
    }
    let digest = hash.finalize();
    digest
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Length and time of a file, if there is one.
fn state(file: &Path) -> String {
    let Ok(meta) = fs::metadata(file) else {
        return String::new();
    };
    let since = meta
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    format!("{} {:?} {}", file.display(), since, meta.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_line_has_another_place() {
        let settings = Settings::new(1);
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let key = |text: &str| key(&words(text), &settings, &[]);
        assert_eq!(key("-a b"), key("-a b"));
        assert_ne!(key("-a b"), key("-ab"));
        assert_eq!(key("-a").len(), 16);
    }

    #[test]
    fn a_store_lies_hidden_beside_its_pgn() {
        let place = beside("/x/games.pgn", "00ff").unwrap();
        assert_eq!(place.folder(), Path::new("/x/.games.pgn.00ff.arbiter960"));
        assert_eq!(beside("/dev/null", "00ff"), None);
        assert_eq!(beside("", "00ff"), None);
    }
}
