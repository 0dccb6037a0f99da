//! What an engine's processes may use.

use std::path::PathBuf;

/// The limits of one engine. They bind each of its processes, one in every lane.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Confinement {
    /// The niceness, −20 to 19; below that of the runner only with the right to it.
    pub nice: Option<i8>,
    /// The processors it may use; none named: those that the runner has.
    pub cpus: Vec<u16>,
    /// The resident memory of all its processes together, MiB.
    pub memory_mib: Option<u32>,
    /// Processes and threads together.
    pub processes: Option<u32>,
    /// The longest file it may write, MiB.
    pub file_size_mib: Option<u32>,
    /// What it may add to the places where a sandbox lets it write, MiB.
    pub disk_mib: Option<u32>,
    /// Whether it runs in a sandbox.
    pub sandbox: Sandbox,
    /// What a sandbox lets it read and run, in addition to its program and the files of the system.
    pub readable: Vec<PathBuf>,
    /// Where a sandbox lets it write.
    pub writable: Vec<PathBuf>,
    /// The one of these places in which nothing is kept of what it writes.
    pub unkept: Option<PathBuf>,
}

/// Whether an engine runs in a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sandbox {
    /// It may do what the runner may do.
    #[default]
    Off,
    /// As far as this machine can; what it cannot do is reported.
    BestEffort,
    /// With the walls that every sandbox needs: nothing is played on a machine that cannot do it.
    Required,
    /// With every wall: nothing is played on a machine that lacks one.
    Strict,
}

impl Confinement {
    /// Whether the runner has to watch what the engine uses.
    pub fn is_watched(&self) -> bool {
        self.memory_mib.is_some() || self.processes.is_some() || self.disk_mib.is_some()
    }

    /// The places where what it writes stays.
    pub fn kept(&self) -> impl Iterator<Item = &PathBuf> {
        let kept = |place: &&PathBuf| self.unkept.as_ref() != Some(*place);
        self.writable.iter().filter(kept)
    }
}
