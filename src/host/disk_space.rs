//! How much room the disk of the results has left.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::platform::machine;

/// Below this many bytes the user is warned.
pub(crate) const LITTLE: u64 = 200 << 20;

/// The time between two looks.
const PERIOD: Duration = Duration::from_secs(5);

/// Looks from time to time, and warns when room becomes scarce, until there is more again.
#[derive(Debug)]
pub(crate) struct FreeSpace {
    folder: PathBuf,
    looked: Option<Instant>,
    warned: bool,
}

impl FreeSpace {
    /// The room in the event's folder.
    pub(crate) fn new(folder: &Path) -> FreeSpace {
        FreeSpace {
            folder: folder.to_owned(),
            looked: None,
            warned: false,
        }
    }

    /// A warning, if there is one to give now.
    pub(crate) fn warning(&mut self) -> Option<String> {
        if self.looked.is_some_and(|looked| looked.elapsed() < PERIOD) {
            return None;
        }
        self.looked = Some(Instant::now());
        // A disk that cannot be asked is for the store to complain about.
        self.judge(machine::free_disk(&self.folder).ok()?)
    }

    fn judge(&mut self, free: u64) -> Option<String> {
        let before = std::mem::replace(&mut self.warned, free < LITTLE);
        if before || !self.warned {
            return None;
        }
        let (folder, mib) = (self.folder.display(), free >> 20);
        let text = format!(
            "warning: {mib} MiB are left on the disk of {folder}; when it is full the run stops \
             (exit code 4), and nothing that was announced is lost"
        );
        tracing::warn!(mib, "little disk left");
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_warns_once_until_there_is_room_again() {
        let mut room = FreeSpace::new(Path::new("/r"));
        let said: Vec<bool> = [LITTLE, LITTLE - 1, 0, LITTLE, 5 << 20]
            .map(|free| room.judge(free).is_some())
            .to_vec();
        assert_eq!(said, [false, true, false, false, true]);
    }

    #[test]
    fn a_real_disk_can_be_asked() {
        assert!(machine::free_disk(Path::new("/")).is_ok());
        assert!(machine::free_disk(Path::new("/no/such/folder")).is_err());
    }
}
