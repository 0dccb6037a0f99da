//! Which other process keeps a file locked: for messages, as far as the kernel reports it.

use std::path::{Path, PathBuf};

use crate::platform::{Fact, files, machine, proc};

/// The processes that hold a lock on the store of this name, in words: `sqlite3 (process 4242)`. `None` if the kernel
/// does not report them.
pub(super) fn of_store(file: &Path) -> Option<String> {
    // The locks of a write-ahead log are on its index.
    let index = PathBuf::from(format!("{}-shm", file.display()));
    let locks = machine::text(Fact::Locks).unwrap_or_default();
    let own = std::process::id();
    let mut found: Vec<u32> = [index.as_path(), file]
        .into_iter()
        .filter_map(|path| files::known(path).ok())
        .flat_map(|known| writers(&locks, "POSIX", known.inode))
        .filter(|process| *process != own)
        .collect();
    found.sort_unstable();
    found.dedup();
    let words: Vec<String> = found.into_iter().map(in_words).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// Whether the kernel reports who holds locks.
pub(super) fn are_known() -> bool {
    machine::text(Fact::Locks).is_some()
}

/// The process that holds an `flock` on this folder or file.
pub(super) fn of_lock(path: &Path) -> Option<u32> {
    let locks = machine::text(Fact::Locks)?;
    let inode = files::known(path).ok()?.inode;
    writers(&locks, "FLOCK", inode).next()
}

/// Whether all who hold an `flock` on this folder or file are strangers to the folder: readers of it, who do not play it.
pub(super) fn are_strangers(path: &Path, folder: &Path) -> bool {
    let locks = machine::text(Fact::Locks).unwrap_or_default();
    let Ok(known) = files::known(path) else {
        return false;
    };
    let held = ["WRITE", "READ"].map(|how| holders(&locks, "FLOCK", how, known.inode).collect());
    let held: Vec<u32> = held.into_iter().flat_map(|held: Vec<u32>| held).collect();
    !held.is_empty()
        && held
            .iter()
            .all(|process| proc::is_strangers(*process, folder))
}

/// The processes in `/proc/locks`: `1: FLOCK  ADVISORY  WRITE 1234 fe:00:5678 0 EOF`. The device is not compared: some
/// file systems show another one there than in `stat`. A process that waits for a lock is listed after `->`.
fn holders<'a>(
    locks: &'a str,
    kind: &'a str,
    how: &'a str,
    inode: u64,
) -> impl Iterator<Item = u32> + 'a {
    locks.lines().filter_map(move |line| {
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        let [found, _, found_how, process, file, ..] = words[..] else {
            return None;
        };
        let found_inode: u64 = file.rsplit(':').next()?.parse().ok()?;
        let is_it = (found, found_how, found_inode) == (kind, how, inode);
        is_it.then(|| process.parse().ok())?
    })
}

fn writers<'a>(locks: &'a str, kind: &'a str, inode: u64) -> impl Iterator<Item = u32> + 'a {
    holders(locks, kind, "WRITE", inode)
}

fn in_words(process: u32) -> String {
    let process_name = i32::try_from(process).map(proc::name);
    match process_name.unwrap_or_default().as_str() {
        "" => format!("process {process}"),
        name => format!("{} (process {process})", crate::text::printable(name)),
    }
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
        let found = |kind, inode| writers(locks, kind, inode).collect::<Vec<u32>>();
        assert_eq!(found("POSIX", 99), [7]);
        assert_eq!(found("FLOCK", 77), [8]);
        assert!(found("FLOCK", 99).is_empty());
    }
}
