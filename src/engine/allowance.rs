//! What an engine may use of memory, processes and disk, and which of it was too much. Where the event file does not say
//! it, an engine in a sandbox may use enough for every sound engine on this machine, and too little to bring it down.

use std::str::FromStr;

use crate::config::{Confinement, EngineSpec};
use crate::engine::places::DirectoryContent;
use crate::host::memory::Memory;
use crate::platform::Usage;
use crate::referee::FaultKind;

/// Processes and threads, at least.
const MIN_PROCESSES: u32 = 128;

/// Beyond what its options say it needs.
const MORE_PROCESSES: u32 = 64;
const MORE_MEMORY_MIB: u32 = 1024;

/// What is added to its own places.
const DISK_MIB: u32 = 1024;

/// The same where it is held in memory.
const UNKEPT_MIB: u32 = 256;

/// The limits of an engine, with those that a sandbox has without being told, on a machine with so
/// many games at once.
pub(crate) fn confinement(spec: &EngineSpec, lanes: usize) -> Confinement {
    let mut confinement = spec.confinement.clone();
    if confinement.is_shut_in() {
        let memory = || memory_mib(spec, Memory::of_this_machine()?.total, lanes);
        confinement.processes.get_or_insert(processes(spec));
        confinement.memory_mib = confinement.memory_mib.or_else(memory);
        let disk = match confinement.unkept {
            None => DISK_MIB,
            Some(_) => UNKEPT_MIB,
        };
        confinement.disk_mib.get_or_insert(disk);
    }
    confinement
}

/// Twice its threads and some more.
fn processes(spec: &EngineSpec) -> u32 {
    let threads: u32 = number_option(spec, "Threads").unwrap_or(0);
    let wanted = threads.saturating_mul(2);
    wanted.saturating_add(MORE_PROCESSES).max(MIN_PROCESSES)
}

/// Three quarters of the machine's memory divided by the games at once; never less than twice
/// its hash table and some more.
fn memory_mib(spec: &EngineSpec, machine: u64, lanes: usize) -> Option<u32> {
    let share = machine * 3 / 4 / u64::try_from(lanes.max(1)).ok()?;
    let share = u32::try_from(share).unwrap_or(u32::MAX);
    let hash: u32 = number_option(spec, "Hash").unwrap_or(0);
    let wanted = hash.saturating_mul(2);
    Some(wanted.saturating_add(MORE_MEMORY_MIB).max(share))
}

/// The number to which a UCI option is set, if it is set to one.
pub(crate) fn number_option<T: FromStr>(spec: &EngineSpec, name: &str) -> Option<T> {
    let mut options = spec.options.iter();
    let value = options.find(|(other, _)| other.eq_ignore_ascii_case(name));
    value.and_then(|(_, value)| value.trim().parse().ok())
}

/// An engine may hold no more files open in all its processes: their memory could not be counted in time.
pub(super) const MAX_OPEN_FILES: usize = 32_768;

/// What an engine was ended for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LimitExceeded {
    /// The memory that it used and the memory that it was allowed, both in MiB.
    #[error("it was ended because it used {0} MiB of memory; memory_mib allows {1}")]
    Memory(u64, u32),
    /// How many processes and threads it had, and how many it was allowed.
    #[error("it was ended because it had {0} processes and threads; processes allows {1}")]
    Processes(u64, u32),
    /// It held too many files open: their memory could not be counted.
    #[error("it was ended because it held more than {MAX_OPEN_FILES} files open")]
    OpenFiles,
    /// What it had added to its own places and what it was allowed to, both in MiB.
    #[error("it was ended because it wrote {0} MiB to its own places; disk_mib allows {1}")]
    Disk(u64, u32),
    /// It had made more files than are counted.
    #[error("it was ended because it made too many files in its own places")]
    Files,
    /// It had made folders that nobody can look into.
    #[error("it was ended because it made folders in its own places that nobody can look into")]
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

/// What of the memory and the processes in use is more than is allowed.
pub(super) fn exceeded(allowed: &Confinement, usage: Usage) -> Option<LimitExceeded> {
    let mib = usage.memory_bytes >> 20;
    let memory = allowed.memory_mib.filter(|most| mib > u64::from(*most));
    let tasks = usage.tasks;
    let processes = allowed.processes.filter(|most| tasks > u64::from(*most));
    let memory = memory.map(|most| LimitExceeded::Memory(mib, most));
    memory.or_else(|| processes.map(|most| LimitExceeded::Processes(tasks, most)))
}

/// What of all that was added to an engine's own places is more than is allowed.
pub(super) fn exceeded_on_disk(
    allowed: &Confinement,
    added: DirectoryContent,
) -> Option<LimitExceeded> {
    let (mib, allowed) = (added.bytes >> 20, allowed.disk_mib?);
    match added {
        _ if mib > u64::from(allowed) => Some(LimitExceeded::Disk(mib, allowed)),
        DirectoryContent { more: true, .. } => Some(LimitExceeded::Files),
        DirectoryContent { hidden: 1.., .. } => Some(LimitExceeded::HiddenFolders),
        DirectoryContent { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::FenDialect;
    use crate::config::{Launch, Sandbox};
    use crate::platform::capabilities::{Capability, has};

    fn spec(options: &[(&str, &str)], sandbox: Sandbox) -> EngineSpec {
        let options = options
            .iter()
            .map(|(name, value)| ((*name).into(), (*value).into()));
        EngineSpec {
            name: "Stranger".to_owned(),
            launch: Launch::Sparring,
            files: Default::default(),
            listed_files: Vec::new(),
            volatile_files: Default::default(),
            options: options.collect(),
            fen: FenDialect::Shredder,
            margin: std::time::Duration::ZERO,
            restart: crate::event::identity::Restart::Auto,
            nodes_jitter: None,
            leaves_out_refused_options: false,
            may_miss_its_limit: false,
            plays_chess960_undeclared: false,
            copies: 1,
            ponder: false,
            limits: crate::clock::Limits::default(),
            confinement: Confinement {
                sandbox,
                ..Confinement::default()
            },
        }
    }

    #[test]
    fn a_sandbox_has_limits_without_being_told() {
        let free = confinement(&spec(&[], Sandbox::Off), 2);
        assert_eq!(free, Confinement::default());
        let shut = confinement(&spec(&[], Sandbox::Required), 2);
        assert_eq!(shut.processes, Some(128));
        assert_eq!(shut.disk_mib, Some(DISK_MIB));
        let is_bounded = shut.memory_mib.is_some_and(|mib| mib >= MORE_MEMORY_MIB);
        assert_eq!(is_bounded, has(Capability::Memory));
        let mut told = spec(&[], Sandbox::Required);
        told.confinement.processes = Some(3);
        assert_eq!(confinement(&told, 2).processes, Some(3));
    }

    #[test]
    fn they_are_beyond_what_its_options_ask_for() {
        let big = spec(&[("threads", "200"), ("Hash", "6000")], Sandbox::Required);
        assert_eq!(processes(&big), 464);
        assert_eq!(memory_mib(&big, 8000, 4), Some(13_024));
        assert_eq!(memory_mib(&big, 100_000, 4), Some(18_750));
    }

    #[test]
    fn the_limit_itself_is_allowed() {
        let allowed = Confinement {
            memory_mib: Some(64),
            processes: Some(4),
            ..Confinement::default()
        };
        let usage = |mib: u64, tasks| Usage {
            memory_bytes: mib << 20,
            tasks,
        };
        assert_eq!(exceeded(&allowed, usage(64, 4)), None);
        assert_eq!(
            exceeded(&allowed, usage(65, 4)),
            Some(LimitExceeded::Memory(65, 64))
        );
        assert_eq!(
            exceeded(&allowed, usage(64, 5)),
            Some(LimitExceeded::Processes(5, 4))
        );
    }

    #[test]
    fn on_the_disk_bytes_files_and_what_cannot_be_seen_are_limited() {
        let allowed = Confinement {
            disk_mib: Some(8),
            ..Confinement::default()
        };
        let added = |mib: u64, hidden, more| DirectoryContent {
            bytes: mib << 20,
            files: 1,
            hidden,
            more,
        };
        let judged = |added| exceeded_on_disk(&allowed, added);
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
