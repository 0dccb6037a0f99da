//! All processes of the machine at one moment, from `/proc` (proc_pid_stat(5)): to which engine they belong and what
//! they use.

use std::collections::{HashMap, HashSet};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::LazyLock;
use std::{fs, io};

use rustix::process::Pid;

use super::orphans;
use super::walls::is_first_of_a_namespace;
use crate::platform::Usage;
use crate::platform::proc::{self, Stat};
use crate::platform::process::Group;

/// One process.
#[derive(Debug)]
struct SampledProcess {
    stat: Stat,
    mark: Option<String>,
    /// Whether it is the first one of a namespace.
    first: bool,
}

/// The processes at the time of the last count, by their numbers and when they began, which identifies them for ever.
#[derive(Debug, Default)]
pub(crate) struct ProcessSnapshot(HashMap<(i32, u64), SampledProcess>);

/// Whether the system reports what processes use.
///
/// # Errors
/// It does not.
pub(crate) fn available() -> io::Result<()> {
    Ok(())
}

impl ProcessSnapshot {
    /// Counts all processes again.
    pub(crate) fn take(&mut self) {
        let mut known = std::mem::take(&mut self.0);
        // Without /proc nothing can be counted.
        let sampled = proc::processes().filter_map(|process| sample(process, &mut known));
        self.0 = sampled.collect();
    }

    /// What the processes of an engine use, and their numbers: the processes of this group, those with this mark that
    /// have left it, and those that descend from its leader. If the engine is `kept`, its leader is the keeper; the
    /// keeper and the first process of its namespace do not count.
    pub(crate) fn usage(&self, group: &Group, kept: bool, mark: &str) -> (Usage, Vec<i32>) {
        let group = group.number();
        let process_tree = self.process_tree(group);
        let (mut total, mut counted) = (Usage::default(), Vec::new());
        for ((process, _), seen) in &self.0 {
            let marked = seen.mark.as_deref() == Some(mark);
            let is_its_own = seen.stat.group == group || marked || process_tree.contains(process);
            let first = seen.stat.parent == group && seen.first;
            if is_its_own && !(kept && (*process == group || first)) {
                total.tasks += seen.stat.threads;
                counted.push(*process);
            }
        }
        total.memory_bytes = memory_bytes(&counted);
        (total, counted)
    }

    /// The numbers of all descendants of this process.
    fn process_tree(&self, root: i32) -> HashSet<i32> {
        let mut process_tree = HashSet::from([root]);
        loop {
            let seen = self.0.iter();
            let children = seen.filter(|(_, seen)| process_tree.contains(&seen.stat.parent));
            let children: Vec<i32> = children.map(|((process, _), _)| *process).collect();
            let before = process_tree.len();
            process_tree.extend(children);
            if process_tree.len() == before {
                return process_tree;
            }
        }
    }
}

/// The memory of these processes, in bytes: what is resident or swapped out, and their page tables. A process that has
/// ended counts as 0.
pub(crate) fn memory_bytes(processes: &[i32]) -> u64 {
    sum(processes, &["VmRSS:", "VmSwap:", "VmPTE:"])
}

/// The part of their memory that does not belong to a file and is not shared.
pub(crate) fn private(processes: &[i32]) -> u64 {
    sum(processes, &["RssAnon:"])
}

/// The sum of these lines of `/proc/<pid>/status` (proc_pid_status(5)), in bytes.
fn sum(processes: &[i32], names: &[&str]) -> u64 {
    let of = |process: &i32| -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let kib = |line: &str| -> Option<u64> {
            let rest = names.iter().find_map(|name| line.strip_prefix(name))?;
            rest.trim().strip_suffix(" kB")?.trim().parse().ok()
        };
        Some(status.lines().filter_map(kib).sum::<u64>() << 10)
    };
    processes.iter().filter_map(of).sum()
}

/// What these processes hold by open files, in bytes: the content of files without a name, less what may be mapped and
/// is counted already, the buffers of sockets and the watches of epoll(7). `None` if they hold more than `most` files open. Files without a
/// name are memory (memfd_create(2)), or were deleted on a disk.
pub(crate) fn held_open(processes: &[i32], most: usize) -> Option<u64> {
    let mut held = OpenMemory::default();
    let mut looked_at = 0;
    for process in processes {
        let open = fs::read_dir(format!("/proc/{process}/fd"));
        for entry in open.into_iter().flatten().flatten() {
            looked_at += 1;
            if looked_at > most {
                return None;
            }
            held.add(&entry.path());
        }
    }
    let mapped = || sum(processes, &["RssShmem:"]);
    let memory = match held.memory.values().sum::<u64>() {
        0 => 0,
        memory => memory.saturating_sub(mapped()),
    };
    let deleted = held.deleted.values().sum::<u64>();
    Some(memory + deleted + buffers(held.sockets.len()) + held.watches * EPOLL_WATCH_BYTES)
}

/// What processes hold by open files, each of them once.
#[derive(Debug, Default)]
struct OpenMemory {
    /// The bytes of each file without a name, by its device and number.
    memory: HashMap<(u64, u64), u64>,
    deleted: HashMap<(u64, u64), u64>,
    sockets: HashSet<Vec<u8>>,
    /// Files that are watched by epoll; those of a set that processes share count for each.
    watches: u64,
}

impl OpenMemory {
    fn add(&mut self, descriptor: &Path) {
        // It may have been closed meanwhile.
        let Ok(target) = fs::read_link(descriptor) else {
            return;
        };
        let target = target.as_os_str().as_bytes();
        if target.starts_with(b"socket:[") {
            self.sockets.insert(target.to_vec());
        }
        if target == b"anon_inode:[eventpoll]" {
            self.watches += watched(descriptor).unwrap_or(0);
        }
        if target.ends_with(b" (deleted)")
            && let Ok(file) = fs::metadata(descriptor)
            && file.nlink() == 0
        {
            let files = if target.starts_with(b"/memfd:") {
                &mut self.memory
            } else {
                &mut self.deleted
            };
            files.insert((file.dev(), file.ino()), file.blocks() * STAT_BLOCK_BYTES);
        }
    }
}

/// How many files this set of epoll watches (proc_pid_fdinfo(5)).
fn watched(descriptor: &Path) -> Option<u64> {
    let (process, number) = (descriptor.parent()?.parent()?, descriptor.file_name()?);
    let set = fs::read_to_string(process.join("fdinfo").join(number)).ok()?;
    Some(set.lines().filter(|line| line.starts_with("tfd:")).count() as u64)
}

/// The kernel's memory for a file that epoll watches, in bytes (epoll(7)).
const EPOLL_WATCH_BYTES: u64 = 160;

/// Sockets of an engine that count as empty: many programs make some at their start.
const FREE_SOCKETS: usize = 64;

/// The memory that this number of sockets may hold, in bytes. The system does not say how much is in a socket's buffer,
/// so each one beyond [`FREE_SOCKETS`] counts as full.
fn buffers(sockets: usize) -> u64 {
    sockets.saturating_sub(FREE_SOCKETS) as u64 * *SOCKET_BUFFER_BYTES
}

/// Maximum number of bytes in the buffer of a socket whose owner has not changed it (socket(7)), which no engine in a
/// sandbox can.
static SOCKET_BUFFER_BYTES: LazyLock<u64> = LazyLock::new(|| {
    let most = fs::read_to_string("/proc/sys/net/core/wmem_default").ok();
    let most = most.and_then(|most| most.trim().parse().ok());
    most.unwrap_or(212_992)
});

/// Bytes of a block in the units of `stat`.
const STAT_BLOCK_BYTES: u64 = 512;

/// A process that lives. Its mark and its role in a namespace stay the same, and may be known already.
fn sample(
    process: i32,
    known: &mut HashMap<(i32, u64), SampledProcess>,
) -> Option<((i32, u64), SampledProcess)> {
    let stat = Stat::of_process(process).filter(|stat| !stat.has_ended())?;
    let name = (process, stat.began);
    let known = known.remove(&name).map(|known| (known.mark, known.first));
    let (mark, first) = known.unwrap_or_else(|| {
        let first = Pid::from_raw(process).is_some_and(is_first_of_a_namespace);
        (orphans::mark_of(process), first)
    });
    Some((name, SampledProcess { stat, mark, first }))
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use rustix::event::EventfdFlags;

    use super::*;

    #[test]
    fn this_process_is_found_by_its_group() {
        let mut process_snapshot = ProcessSnapshot::default();
        process_snapshot.take();
        let (usage, counted) =
            process_snapshot.usage(&Group(rustix::process::getpgrp()), false, "no such mark");
        let me = i32::try_from(std::process::id()).unwrap();
        assert!(counted.contains(&me) && memory_bytes(&[me]) > 1 << 20);
        assert!(
            usage.memory_bytes > 1 << 20 && usage.tasks >= 1,
            "{usage:?}"
        );
    }

    #[test]
    fn memory_in_a_file_without_a_name_is_counted_mapped_or_not() {
        use std::io::Write;
        let me = [i32::try_from(std::process::id()).unwrap()];
        let held = || held_open(&me, usize::MAX).unwrap();
        let before = held();
        let flags = rustix::fs::MemfdFlags::empty();
        let file = rustix::fs::memfd_create("hoard", flags).unwrap();
        fs::File::from(file.try_clone().unwrap())
            .write_all(&vec![1; 8 << 20])
            .unwrap();
        assert!(held() >= before + (8 << 20));
        drop(file);
        assert!(held() < before + (8 << 20));
        assert_eq!(held_open(&me, 2), None, "too many to look at");
    }

    #[test]
    fn what_epoll_watches_is_counted() {
        use rustix::event::epoll;
        let me = [i32::try_from(std::process::id()).unwrap()];
        let set = epoll::create(epoll::CreateFlags::CLOEXEC).unwrap();
        let place = format!("/proc/{}/fd/{}", me[0], set.as_raw_fd());
        assert_eq!(watched(Path::new(&place)), Some(0));
        let [one, other] =
            [(); 2].map(|()| rustix::event::eventfd(0, EventfdFlags::CLOEXEC).unwrap());
        for file in [&one, &other] {
            let data = epoll::EventData::new_u64(0);
            epoll::add(&set, file, data, epoll::EventFlags::IN).unwrap();
        }
        assert_eq!(watched(Path::new(&place)), Some(2));
        assert!(held_open(&me, usize::MAX).unwrap() >= 2 * EPOLL_WATCH_BYTES);
    }

    #[test]
    fn a_few_sockets_count_as_empty_and_the_others_as_full() {
        assert_eq!([0, FREE_SOCKETS].map(buffers), [0; 2]);
        assert_eq!(buffers(FREE_SOCKETS + 3), 3 * *SOCKET_BUFFER_BYTES);
        assert!(*SOCKET_BUFFER_BYTES >= 4096, "{}", *SOCKET_BUFFER_BYTES);
    }
}
