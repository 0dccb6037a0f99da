//! `--fresh`: the whole old event is moved aside.

use std::path::{Path, PathBuf};

use super::error::{InFile, StoreError};
use super::lock::EventLock;
use crate::platform::rename;

/// Moves an event's folder to the first free name of `NAME.old-1`, `NAME.old-2`, … in the same parent folder, and
/// returns that name; `None` if there was no such folder.
///
/// # Errors
/// [`StoreError::Locked`] while a runner plays it, or an error of the disk.
pub(crate) fn set_aside(folder: &Path) -> Result<Option<PathBuf>, StoreError> {
    if !folder.is_dir() {
        return Ok(None);
    }
    let _lock = EventLock::acquire(folder)?;
    let target = free_name(folder);
    rename(folder, &target).at(folder)?;
    Ok(Some(target))
}

fn free_name(folder: &Path) -> PathBuf {
    // Iterating over the components drops a slash at the end.
    let mut name = folder.components().collect::<PathBuf>().into_os_string();
    name.push(".old-");
    let mut number = 1u64;
    loop {
        let mut candidate = name.clone();
        candidate.push(number.to_string());
        if !Path::new(&candidate).exists() {
            return PathBuf::from(candidate);
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn old_events_are_moved_and_never_overwritten() {
        let results = tempfile::tempdir().unwrap();
        let folder = results.path().join("event");
        assert_eq!(set_aside(&folder).unwrap(), None);
        for number in 1..=2 {
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("games.pgn"), number.to_string()).unwrap();
            let moved = set_aside(&folder).unwrap().unwrap();
            assert_eq!(moved, results.path().join(format!("event.old-{number}")));
            assert!(!folder.exists());
            let kept = fs::read_to_string(moved.join("games.pgn")).unwrap();
            assert_eq!(kept, number.to_string());
        }
    }
}
