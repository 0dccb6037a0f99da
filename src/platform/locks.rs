//! Which processes hold locks on files, as far as the kernel reports it (`/proc/locks`).

use std::collections::BTreeSet;
use std::path::Path;

use super::{files, proc};

/// Whether the kernel reports who holds locks.
pub(crate) fn are_known() -> bool {
    proc::text("locks").is_some()
}

/// The process that holds an `flock` on this folder or file for itself alone.
pub(crate) fn flock_owner(path: &Path) -> Option<u32> {
    let mut found = holders(path, "FLOCK").into_iter();
    let writer = found.find(|(how, _)| how == "WRITE");
    writer.map(|(_, process)| process)
}

/// Whether all who hold an `flock` on this folder or file are strangers to the folder: readers of it, who do not play it.
pub(crate) fn are_strangers(path: &Path, folder: &Path) -> bool {
    let held = holders(path, "FLOCK");
    let mut processes = held.iter().map(|(_, process)| *process);
    !held.is_empty() && processes.all(|process| proc::is_strangers(process, folder))
}

/// The other processes that have locked one of these files for writing, each with its name; empty if it is not known.
pub(crate) fn other_writers(paths: &[&Path]) -> Vec<(u32, String)> {
    let own = std::process::id();
    let found = paths.iter().flat_map(|path| holders(path, "POSIX"));
    let writers = found.filter(|(how, process)| how == "WRITE" && *process != own);
    let found: BTreeSet<u32> = writers.map(|(_, process)| process).collect();
    let named = |process: u32| (process, proc::name(process.cast_signed()));
    found.into_iter().map(named).collect()
}

/// `READ` or `WRITE`, and the process, of all locks of this kind on a file.
fn holders(path: &Path, kind: &str) -> Vec<(String, u32)> {
    let locks = proc::text("locks").unwrap_or_default();
    let known = files::known(path);
    known.map_or_else(|_| Vec::new(), |known| read(&locks, kind, known.inode))
}

/// From lines such as `1: FLOCK  ADVISORY  WRITE 1234 fe:00:5678 0 EOF`. The device is not compared: some file systems
/// show another one there than in `stat`. A process that waits for a lock is listed after `->`.
fn read(locks: &str, kind: &str, inode: u64) -> Vec<(String, u32)> {
    let lock = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        let [found, _, how, process, file, ..] = words[..] else {
            return None;
        };
        let found_inode: u64 = file.rsplit(':').next()?.parse().ok()?;
        let is_it = (found, found_inode) == (kind, inode);
        is_it.then(|| Some((how.to_owned(), process.parse().ok()?)))?
    };
    locks.lines().filter_map(lock).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_locks_is_searched_by_kind_and_inode() {
        let locks = "1: POSIX  ADVISORY  WRITE 7 fe:00:99 120 120\n\
                     1: -> POSIX  ADVISORY  WRITE 9 fe:00:99 120 120\n\
                     2: POSIX  ADVISORY  READ 6 fe:00:99 123 123\n\
                     3: FLOCK  ADVISORY  WRITE 8 fe:00:77 0 EOF\n";
        let (read_lock, write_lock) = ("READ".to_owned(), "WRITE".to_owned());
        let posix = [(write_lock.clone(), 7), (read_lock, 6)];
        assert_eq!(read(locks, "POSIX", 99), posix);
        assert_eq!(read(locks, "FLOCK", 77), [(write_lock, 8)]);
        assert!(read(locks, "FLOCK", 99).is_empty());
    }
}
