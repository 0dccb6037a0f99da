//! What each system can do: `docs/platforms.md`, `doctor` and the tests read this table.

/// A group of systems that the program treats alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum System {
    /// Linux.
    Linux,
    /// macOS and other Unix systems; Linux with the feature `portable`.
    Portable,
    /// Windows.
    Windows,
}

/// The system that this program was built for.
pub(crate) const SYSTEM: System = match (cfg!(windows), cfg!(target_os = "linux")) {
    (true, _) => System::Windows,
    (_, true) if !cfg!(feature = "portable") => System::Linux,
    _ => System::Portable,
};

/// Something that not every system can do, or not in the same way.
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

/// Whether a system has a capability, with a text that says how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Support {
    /// All of it.
    Yes(&'static str),
    /// A part of it.
    Partly(&'static str),
    /// None of it; the text says what the program does instead.
    No(&'static str),
}

/// One capability.
#[derive(Debug)]
pub(crate) struct CapabilityRow {
    capability: Capability,
    /// The capability in words.
    what: &'static str,
    /// On Linux, portable Unix, Windows.
    support: [Support; 3],
}

use Support::{No, Partly, Yes};

const fn row(capability: Capability, what: &'static str, support: [Support; 3]) -> CapabilityRow {
    CapabilityRow {
        capability,
        what,
        support,
    }
}

pub(crate) static TABLE: [CapabilityRow; 18] = [
    row(
        Capability::EndsDescendants,
        "An engine is ended with all that it has started",
        [
            Yes(
                "group, descent, a mark in the environment; cgroup or namespace where there is one",
            ),
            Partly("its process group; a helper that leaves the group lives on"),
            Yes("its job object"),
        ],
    ),
    row(
        Capability::OutlivedByNobody,
        "Engines end when the runner is killed",
        [
            Yes("a guardian process"),
            Partly("a guardian process, which knows process groups"),
            Yes("the job ends with the runner"),
        ],
    ),
    row(
        Capability::WaitEvidence,
        "Evidence for a flag: who waited for a processor (`host_faults`)",
        [
            Yes("`schedstat` of every thread, pressure"),
            No("none: a flag is judged by stamps alone, `\"deduct\"` is refused"),
            No("none: a flag is judged by stamps alone, `\"deduct\"` is refused"),
        ],
    ),
    row(
        Capability::IdleEvidence,
        "Processor time of the engine that is not to move (`idle_cpu`)",
        [
            Yes("processor clocks of its processes"),
            No("not looked at"),
            Partly("processor times of its living processes; under Wine, of their threads"),
        ],
    ),
    row(
        Capability::Suspension,
        "The machine was suspended",
        [
            Yes("two clocks"),
            No("not noticed"),
            Yes("two clocks, from a tenth of a second on"),
        ],
    ),
    row(
        Capability::Freeze,
        "`idle_cpu = \"freeze\"`",
        [
            Yes("cgroup or SIGSTOP, all of its processes"),
            Partly("SIGSTOP to its group"),
            No("refused"),
        ],
    ),
    row(
        Capability::MemoryLimit,
        "`memory_mib`, `processes`",
        [
            Yes("sampled; cgroup and RLIMIT_NPROC where there are any"),
            No("refused"),
            Yes(
                "sampled, of all that is in the job; the job refuses more processes, and memory to commit \
                 beyond `memory_mib`, for which the engine is ended, too",
            ),
        ],
    ),
    row(
        Capability::Processors,
        "`cpus`, `cpus_per_lane`",
        [
            Yes("affinity"),
            No("refused"),
            Yes("affinity of the job, the first 64 processors"),
        ],
    ),
    row(
        Capability::Niceness,
        "`nice`",
        [
            Yes("niceness"),
            Yes("niceness"),
            Partly("four classes of priority"),
        ],
    ),
    row(
        Capability::FileSize,
        "`file_size_mib`",
        [Yes("RLIMIT_FSIZE"), Yes("RLIMIT_FSIZE"), No("refused")],
    ),
    row(
        Capability::Sandbox,
        "`sandbox`",
        [
            Yes("Landlock, namespaces, seccomp ([sandbox.md](sandbox.md))"),
            No("`true` and `\"strict\"` are refused, `\"best-effort\"` goes without and says so"),
            No("`true` and `\"strict\"` are refused, `\"best-effort\"` goes without and says so"),
        ],
    ),
    row(
        Capability::Memory,
        "The machine's memory is compared with the hash tables",
        [
            Yes("`/proc/meminfo`, cgroups"),
            No("not compared"),
            Yes("`GlobalMemoryStatusEx`"),
        ],
    ),
    row(
        Capability::LockHolders,
        "Who holds a lock is named",
        [
            Yes("`/proc/locks`"),
            Partly("the runner, by its lock file"),
            No("not named"),
        ],
    ),
    row(
        Capability::NetworkDrives,
        "Results on a network drive: a warning",
        [Yes("`statfs`"), No("not noticed"), No("not noticed")],
    ),
    row(
        Capability::Signals,
        "A run is asked to stop",
        [
            Yes("SIGINT, SIGTERM, SIGHUP, SIGUSR1"),
            Yes("SIGINT, SIGTERM, SIGHUP, SIGUSR1"),
            Yes("Ctrl-C, Ctrl-Break, the window is closed, the session ends"),
        ],
    ),
    row(
        Capability::Control,
        "`control` and `status` reach a run",
        [
            Yes("a socket with an abstract name"),
            Yes("a socket in `/tmp`"),
            Yes("a named pipe"),
        ],
    ),
    row(
        Capability::PowerCut,
        "Results survive a power cut",
        [
            Yes("files and folders are synced"),
            Yes("files and folders are synced"),
            Partly("files are synced; names are left to NTFS"),
        ],
    ),
    row(
        Capability::Stamps,
        "Stamps of an engine's lines",
        [
            Yes("CLOCK_MONOTONIC"),
            Yes("the system's monotonic clock"),
            Yes("QueryPerformanceCounter"),
        ],
    ),
];

/// How far this system has the capability.
pub(crate) fn support(capability: Capability) -> Support {
    let row = TABLE.iter().find(|row| row.capability == capability);
    row.map_or(No("it is not in the table"), |row| {
        row.support[SYSTEM as usize]
    })
}

/// Whether this system has all of the capability.
pub fn has(capability: Capability) -> bool {
    matches!(support(capability), Yes(_))
}

/// What this system lacks, in a sentence; `None` if it lacks nothing.
pub(crate) fn lacking() -> Option<String> {
    let lacking = TABLE
        .iter()
        .filter_map(|row| match row.support[SYSTEM as usize] {
            Yes(_) => None,
            Partly(words) | No(words) => Some(format!("{}: {words}", row.what)),
        });
    let lacking: Vec<String> = lacking.collect();
    (!lacking.is_empty()).then(|| {
        let lacking = lacking.join("; ").replace('`', "");
        format!("what Linux can do and this system cannot: {lacking}")
    })
}

impl Support {
    fn cell(self) -> String {
        match self {
            Yes(how) => how.to_owned(),
            Partly(how) => format!("in part: {how}"),
            No(instead) => format!("**no**: {instead}"),
        }
    }
}

/// `docs/platforms.md`.
pub fn markdown() -> String {
    let mut page = include_str!("platforms.md").to_owned();
    for row in &TABLE {
        let cells = row.support.map(Support::cell).join(" | ");
        page += &format!("| {} | {cells} |\n", row.what);
    }
    page
}
