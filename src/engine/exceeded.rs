//! What an engine may use of memory, processes and disk, and which of it was too much.

use std::fmt;

use crate::engine::places::DirectoryContent;
use crate::platform::Usage;
use crate::referee::FaultKind;

/// An engine may hold no more files open in all its processes: their memory could not be counted in time.
pub(super) const MAX_OPEN_FILES: usize = 32_768;

#[derive(Debug, Clone, Copy)]
pub(super) struct ResourceLimits {
    pub(super) memory_mib: Option<u32>,
    pub(super) processes: Option<u32>,
    pub(super) disk_mib: Option<u32>,
}

/// What an engine was ended for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LimitExceeded {
    /// The memory that it used and the memory that it was allowed, both in MiB.
    Memory(u64, u32),
    /// How many processes and threads it had, and how many it was allowed.
    Processes(u64, u32),
    /// It held too many files open: their memory could not be counted.
    OpenFiles,
    /// What it had added to its own places and what it was allowed to, both in MiB.
    Disk(u64, u32),
    /// It had made more files than are counted.
    Files,
    /// It had made folders that nobody can look into.
    HiddenFolders,
}

impl LimitExceeded {
    /// The fault that this is.
    pub(crate) fn fault(self) -> FaultKind {
        match self {
            LimitExceeded::Memory(..) | LimitExceeded::OpenFiles => FaultKind::MemoryLimit,
            LimitExceeded::Processes(..) => FaultKind::ProcessLimit,
            LimitExceeded::Disk(..) | LimitExceeded::Files | LimitExceeded::HiddenFolders => {
                FaultKind::DiskLimit
            }
        }
    }
}

impl fmt::Display for LimitExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it was ended because it ")?;
        match self {
            LimitExceeded::Memory(used, allowed) => {
                write!(f, "used {used} MiB of memory; memory_mib allows {allowed}")
            }
            LimitExceeded::Processes(count, allowed) => write!(
                f,
                "had {count} processes and threads; processes allows {allowed}"
            ),
            LimitExceeded::OpenFiles => {
                write!(f, "held more than {MAX_OPEN_FILES} files open")
            }
            LimitExceeded::Disk(added, allowed) => write!(
                f,
                "wrote {added} MiB to its own places; disk_mib allows {allowed}"
            ),
            LimitExceeded::Files => f.write_str("made too many files in its own places"),
            LimitExceeded::HiddenFolders => {
                f.write_str("made folders in its own places that nobody can look into")
            }
        }
    }
}

impl ResourceLimits {
    pub(super) fn exceeded(self, usage: Usage) -> Option<LimitExceeded> {
        let mib = usage.memory_bytes >> 20;
        let memory = self.memory_mib.filter(|most| mib > u64::from(*most));
        let tasks = usage.tasks;
        let processes = self.processes.filter(|most| tasks > u64::from(*most));
        memory
            .map(|most| LimitExceeded::Memory(mib, most))
            .or_else(|| processes.map(|most| LimitExceeded::Processes(tasks, most)))
    }

    pub(super) fn exceeded_on_disk(self, added: DirectoryContent) -> Option<LimitExceeded> {
        let (mib, allowed) = (added.bytes >> 20, self.disk_mib?);
        match added {
            _ if mib > u64::from(allowed) => Some(LimitExceeded::Disk(mib, allowed)),
            DirectoryContent { more: true, .. } => Some(LimitExceeded::Files),
            DirectoryContent { hidden: 1.., .. } => Some(LimitExceeded::HiddenFolders),
            DirectoryContent { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_itself_is_allowed() {
        let allowed = ResourceLimits {
            memory_mib: Some(64),
            processes: Some(4),
            disk_mib: Some(8),
        };
        let usage = |mib: u64, tasks| Usage {
            memory_bytes: mib << 20,
            tasks,
        };
        assert_eq!(allowed.exceeded(usage(64, 4)), None);
        assert_eq!(
            allowed.exceeded(usage(65, 4)),
            Some(LimitExceeded::Memory(65, 64))
        );
        assert_eq!(
            allowed.exceeded(usage(64, 5)),
            Some(LimitExceeded::Processes(5, 4))
        );
    }

    #[test]
    fn on_the_disk_bytes_files_and_what_cannot_be_seen_are_limited() {
        let allowed = ResourceLimits {
            memory_mib: None,
            processes: None,
            disk_mib: Some(8),
        };
        let added = |mib: u64, hidden, more| DirectoryContent {
            bytes: mib << 20,
            files: 1,
            hidden,
            more,
        };
        let judged = |added| allowed.exceeded_on_disk(added);
        assert_eq!(judged(added(8, 0, false)), None);
        assert_eq!(judged(added(9, 0, false)), Some(LimitExceeded::Disk(9, 8)));
        assert_eq!(judged(added(8, 0, true)), Some(LimitExceeded::Files));
        assert_eq!(
            judged(added(8, 1, false)),
            Some(LimitExceeded::HiddenFolders)
        );
    }

    #[test]
    fn faults_name_what_was_too_much() {
        let memory = LimitExceeded::Memory(300, 256);
        assert_eq!(memory.fault(), FaultKind::MemoryLimit);
        assert!(memory.to_string().contains("300 MiB of memory"));
    }
}
