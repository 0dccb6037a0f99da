//! What each system can do: the table of `docs/platforms.md`, which configuration, `doctor` and the tests read here.

/// A group of systems that the program treats alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum System {
    Linux,
    /// macOS and other Unix systems; Linux with the feature `portable`.
    Portable,
    Windows,
}

/// The system that this program was built for.
pub(crate) const SYSTEM: System = match (cfg!(windows), cfg!(target_os = "linux")) {
    (true, _) => System::Windows,
    (_, true) if !cfg!(feature = "portable") => System::Linux,
    _ => System::Portable,
};

/// The page with the table.
const PAGE: &str = include_str!("../../docs/platforms.md");

/// Something that not every system can do, or not in the same way, in the order of the table's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    /// An engine is ended with all that it has started.
    EndsDescendants,
    /// Engines end when the runner was killed.
    OutlivedByNobody,
    /// Which threads waited for a processor, and how long.
    WaitEvidence,
    /// What the engine that is not to move uses.
    IdleEvidence,
    /// Whether the machine was suspended.
    Suspension,
    /// Engines stopped while they are not to move.
    Freeze,
    /// Limits of memory and of processes.
    MemoryLimit,
    /// Processors reserved for an engine.
    Processors,
    /// A niceness.
    Niceness,
    /// Maximum size of an engine's files.
    FileSize,
    /// Walls around an engine.
    Sandbox,
    /// How much memory the machine has.
    Memory,
    /// Which process holds a lock.
    LockHolders,
    /// Results on a network drive are noticed.
    NetworkDrives,
    /// Signals that stop a run.
    Signals,
    /// `control` and `status` reach a run.
    Control,
    /// Results survive a power cut.
    PowerCut,
    /// Stamps of lines.
    Stamps,
}

/// Whether a system has a capability, with the words of the table that say how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Support {
    Yes,
    Partly(&'static str),
    /// The words say what the program does instead.
    No(&'static str),
}

/// The rows of the table: what it is, and how far this system has it.
fn rows() -> impl Iterator<Item = (&'static str, Support)> {
    let (_, table) = PAGE.split_once("|---|---|---|---|\n").unwrap_or_default();
    table.lines().filter_map(|line| {
        let mut cells = line.trim_matches(['|', ' ']).split(" | ");
        let (what, cell) = (cells.next()?, cells.nth(SYSTEM as usize)?);
        let partly = || cell.strip_prefix("in part: ").map(Support::Partly);
        let no = cell.strip_prefix("**no**: ").map(Support::No);
        Some((what, no.or_else(partly).unwrap_or(Support::Yes)))
    })
}

/// How far this system has the capability.
pub(crate) fn support(capability: Capability) -> Support {
    let row = rows().nth(capability as usize);
    row.map_or(Support::No("it is not in the table"), |(_, support)| {
        support
    })
}

/// Whether this system has all of the capability.
pub fn has(capability: Capability) -> bool {
    support(capability) == Support::Yes
}

/// What this system lacks, in a sentence; `None` if it lacks nothing.
pub(crate) fn lacking() -> Option<String> {
    let lacking = rows().filter_map(|(what, support)| match support {
        Support::Yes => None,
        Support::Partly(words) | Support::No(words) => Some(format!("{what}: {words}")),
    });
    let lacking: Vec<String> = lacking.collect();
    (!lacking.is_empty()).then(|| {
        let lacking = lacking.join("; ").replace('`', "");
        format!("what Linux can do and this system cannot: {lacking}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_capability_has_its_row() {
        let rows = [
            (Capability::EndsDescendants, "An engine is ended"),
            (Capability::OutlivedByNobody, "Engines end when"),
            (Capability::WaitEvidence, "Evidence for a flag"),
            (Capability::IdleEvidence, "Processor time"),
            (Capability::Suspension, "The machine was suspended"),
            (Capability::Freeze, "`idle_cpu"),
            (Capability::MemoryLimit, "`memory_mib`"),
            (Capability::Processors, "`cpus`"),
            (Capability::Niceness, "`nice`"),
            (Capability::FileSize, "`file_size_mib`"),
            (Capability::Sandbox, "`sandbox`"),
            (Capability::Memory, "The machine's memory"),
            (Capability::LockHolders, "Who holds a lock"),
            (Capability::NetworkDrives, "Results on a network"),
            (Capability::Signals, "A run is asked"),
            (Capability::Control, "`control`"),
            (Capability::PowerCut, "Results survive"),
            (Capability::Stamps, "Stamps"),
        ];
        assert_eq!(super::rows().count(), rows.len());
        for (capability, begins) in rows {
            let row = super::rows().nth(capability as usize);
            let (what, _) = row.unwrap();
            assert!(what.starts_with(begins), "{capability:?}: {what}");
        }
    }
}
