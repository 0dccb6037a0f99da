//! The places where engines in a sandbox may write: what was there when the run began, and what has been added.
//!
//! A place where two engines may write is not counted, since nobody knows which of them wrote. Nobody waits here for an
//! engine: looking at a file's size opens no file, and links are not followed.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::config::EngineSpec;
use crate::host::reach::lies_in;
use crate::platform::files::room_taken;

/// An engine may make no more files and folders than this.
const MAX_FILES: u64 = 100_000;

/// Longer paths are not looked at: the system opens none of them.
const MAX_PATH_BYTES: usize = 4000;

/// The places of a run's engines.
#[derive(Debug, Default)]
pub(super) struct EnginePlaces(Vec<(PathBuf, DirectoryContent)>);

/// What a place holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct DirectoryContent {
    /// Room on the disk, bytes.
    pub(super) bytes: u64,
    pub(super) files: u64,
    /// Folders that nobody can look into.
    pub(super) hidden: u64,
    /// Whether there is more that was not counted.
    pub(super) more: bool,
}

impl EnginePlaces {
    /// The places where these engines may write, each alone, with what is there now.
    pub(super) fn of_engines(engines: &[EngineSpec]) -> EnginePlaces {
        let shut_in = |spec: &&EngineSpec| spec.confinement.is_shut_in();
        let owned = engines.iter().filter(shut_in).enumerate();
        let owned = owned.flat_map(|(owner, spec)| {
            let places = spec.confinement.kept();
            places.map(move |place| (owner, place))
        });
        let owned: Vec<(usize, &PathBuf)> = owned.collect();
        let is_counted = |index: usize| {
            let (owner, place) = owned[index];
            let mut others = owned.iter().enumerate();
            !others.any(|(at, (other, counted))| match owner == *other {
                // A place within another of the same engine is counted there.
                true if place == *counted => at < index,
                true => within(place, counted),
                false => within(place, counted) || within(counted, place),
            })
        };
        let counted = (0..owned.len()).filter(|index| is_counted(*index));
        let before = counted.map(|index| {
            let place = owned[index].1;
            (place.clone(), content(place, u64::MAX))
        });
        EnginePlaces(before.collect())
    }

    /// What has been added to these places, as far as they are counted.
    pub(super) fn added(&self, places: &[PathBuf]) -> DirectoryContent {
        let counted = self.0.iter();
        let counted = counted.filter(|(place, _)| places.contains(place));
        let mut added = DirectoryContent::default();
        for (place, before) in counted {
            let now = content(place, before.files.saturating_add(MAX_FILES));
            added.bytes += now.bytes.saturating_sub(before.bytes);
            added.files += now.files.saturating_sub(before.files);
            added.hidden += now.hidden.saturating_sub(before.hidden);
            added.more |= now.more;
        }
        added.more |= added.files > MAX_FILES;
        added
    }
}

/// Whether a place is another or lies in it. Where the system does not tell, it may.
fn within(inner: &Path, outer: &Path) -> bool {
    lies_in(inner, outer).unwrap_or(true)
}

/// What is in a place, with at most this many files.
fn content(place: &Path, most: u64) -> DirectoryContent {
    let mut content = DirectoryContent::default();
    let mut waiting = vec![place.to_owned()];
    while let Some(path) = waiting.pop() {
        let Ok(found) = fs::symlink_metadata(&path) else {
            content.hidden += u64::from(path.as_os_str().len() >= MAX_PATH_BYTES);
            continue;
        };
        content.bytes += room_taken(&found);
        content.files += 1;
        if content.files > most {
            content.more = true;
            return content;
        }
        if !found.is_dir() {
            continue;
        }
        match fs::read_dir(&path) {
            Ok(entries) => {
                let room = most.saturating_sub(waiting.len() as u64).saturating_add(1);
                let entries = entries.flatten().map(|entry| entry.path());
                waiting.extend(entries.take(usize::try_from(room).unwrap_or(usize::MAX)));
            }
            Err(error) => {
                content.hidden += u64::from(error.kind() == ErrorKind::PermissionDenied);
            }
        }
    }
    content
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_to_a_place_is_counted_and_links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        let strange = folder.path().join("strange");
        fs::create_dir_all(&home).unwrap();
        fs::create_dir_all(&strange).unwrap();
        fs::write(home.join("net"), vec![1; 4 << 20]).unwrap();
        fs::write(strange.join("big"), vec![1; 8 << 20]).unwrap();
        let places = EnginePlaces(vec![(home.clone(), content(&home, u64::MAX))]);
        let mine = [home.clone(), strange.clone()];
        assert_eq!(places.added(&mine), DirectoryContent::default());
        fs::create_dir(home.join("deep")).unwrap();
        fs::write(home.join("deep/learned"), vec![1; 2 << 20]).unwrap();
        crate::platform::files::link(&strange, &home.join("link")).unwrap();
        let added = places.added(&mine);
        assert!(added.bytes >= 2 << 20 && added.bytes < 4 << 20, "{added:?}");
        assert_eq!((added.files, added.hidden, added.more), (3, 0, false));
    }

    #[test]
    fn a_flood_of_files_is_not_counted_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        for name in 0..50 {
            fs::write(folder.path().join(name.to_string()), "").unwrap();
        }
        let flood = content(folder.path(), 20);
        assert!(flood.more && flood.files == 21, "{flood:?}");
        assert!(!content(folder.path(), 51).more);
    }
}
