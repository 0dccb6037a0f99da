//! How long a write takes to be durable where results are kept, and the room there.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;

use super::Distribution;
use crate::host::disk_space;

/// Writes that are timed.
const WRITES: usize = 20;

/// The bytes of each, about those of a short game.
const WRITE_BYTES: usize = 4096;

/// The disk of the results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Disk {
    /// The folder that was looked at: the results', or the nearest above it that exists.
    pub folder: PathBuf,
    /// Bytes that may still be written.
    pub free: Option<u64>,
    /// How long a write took to be durable; `None` if the folder cannot be written.
    pub durable_write: Option<Distribution>,
}

impl Disk {
    /// Writes a test file into the folder of the results, and removes it.
    pub(super) fn examine(results: &Path) -> Disk {
        let results = std::path::absolute(results).unwrap_or_else(|_| results.to_owned());
        let folder = results.ancestors().find(|folder| folder.is_dir());
        let folder = folder.unwrap_or(Path::new("/")).to_owned();
        Disk {
            free: disk_space::free(&folder).ok(),
            durable_write: durable_writes(&folder).ok(),
            folder,
        }
    }
}

fn durable_writes(folder: &Path) -> io::Result<Distribution> {
    let path = folder.join(format!(".arbiter960-doctor-{}", std::process::id()));
    let measured = File::create_new(&path).and_then(|mut file| {
        let once = |_| {
            let begun = Instant::now();
            file.write_all(&[b'.'; WRITE_BYTES])?;
            file.sync_data()?;
            Ok(begun.elapsed())
        };
        (0..WRITES).map(once).collect::<io::Result<Vec<_>>>()
    });
    // Nothing is left behind, whatever happened.
    let removed = fs::remove_file(&path);
    let durations = measured?;
    removed?;
    Ok(Distribution::from_durations(durations))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_not_there_yet_lies_on_a_disk_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::examine(&folder.path().join("results/of/mine"));
        assert_eq!(disk.folder, folder.path());
        assert!(disk.free.is_some());
        assert_eq!(disk.durable_write.map(|writes| writes.count), Some(WRITES));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
