//! What an engine in a sandbox may use where the event file does not say it: enough for every sound
//! engine on this machine, and too little to bring it down.

use crate::config::{Confinement, EngineSpec, Sandbox};
use crate::host::memory::Memory;

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
    if confinement.sandbox != Sandbox::Off {
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
    let wanted = option(spec, "Threads").saturating_mul(2);
    wanted.saturating_add(MORE_PROCESSES).max(MIN_PROCESSES)
}

/// Three quarters of the machine's memory divided by the games at once; never less than twice
/// its hash table and some more.
fn memory_mib(spec: &EngineSpec, machine: u64, lanes: usize) -> Option<u32> {
    let share = machine * 3 / 4 / u64::try_from(lanes.max(1)).ok()?;
    let share = u32::try_from(share).unwrap_or(u32::MAX);
    let wanted = option(spec, "Hash").saturating_mul(2);
    Some(wanted.saturating_add(MORE_MEMORY_MIB).max(share))
}

/// The number of a UCI option, 0 if it is not set.
fn option(spec: &EngineSpec, name: &str) -> u32 {
    let mut options = spec.options.iter();
    let value = options.find(|(other, _)| other.eq_ignore_ascii_case(name));
    value.and_then(|(_, value)| value.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::FenDialect;
    use crate::config::Launch;
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
}
