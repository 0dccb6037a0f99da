//! What an engine may use; and the orders of a launcher, which it reads from its standard input before the engine has it: on a command line every
//! process of the machine could read them.

use std::fmt::Display;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::walls::KEEPS;

/// Why a launcher could not become the engine.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct LaunchError(String);

impl LaunchError {
    /// The error with what could not be done, and why, and what to do.
    pub(crate) fn new(what: impl Display, reason: impl Display) -> LaunchError {
        LaunchError(format!("{what}: {reason}"))
    }
}

/// What to restrict before the engine begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Orders {
    /// Known only to the runner and the launcher. A line on stderr that begins with it comes from the launcher, so an
    /// engine cannot present its failure as the launcher's.
    pub token: String,
    /// The runner's process number: the process that stays with the engine ends it when the runner has gone.
    pub runner: u32,
    /// What the engine may use; a launcher leaves its memory to the watch.
    pub allowed: Confinement,
    /// Files in the places where it may write that stay as they are.
    pub guarded: Vec<PathBuf>,
    /// The file by which the engine joins its cgroup.
    pub cgroup: Option<PathBuf>,
}

/// The limits of one engine. They bind each of its processes, one in every lane.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
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

    /// Whether it runs in a sandbox, and says something of the places for it.
    pub(crate) fn is_shut_in(&self) -> bool {
        self.sandbox != Sandbox::Off
    }

    /// The places where what it writes stays.
    pub fn kept(&self) -> impl Iterator<Item = &PathBuf> {
        let kept = |place: &&PathBuf| self.unkept.as_ref() != Some(*place);
        self.writable.iter().filter(kept)
    }
}

impl Orders {
    /// Whether a second process stays with the engine; the process that was started is then not the engine.
    pub(crate) fn are_kept(&self) -> bool {
        KEEPS && (self.allowed.is_shut_in() || self.allowed.processes.is_some())
    }

    /// Adds that these files must stay as they are.
    #[must_use]
    pub(crate) fn guarding<'p>(mut self, files: impl Iterator<Item = &'p Path>) -> Orders {
        let real = |path: &Path| path.canonicalize().ok();
        let places = self.allowed.writable.iter().filter_map(|path| real(path));
        let places: Vec<PathBuf> = places.collect();
        let lies_there = |file: &PathBuf| places.iter().any(|place| file.starts_with(place));
        self.guarded = files.filter_map(real).filter(lies_there).collect();
        self
    }

    /// The orders as the launcher reads them: their length, then JSON.
    ///
    /// # Errors
    /// A path that is not UTF-8.
    pub(crate) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let text = serde_json::to_string(self).map_err(io::Error::other)?;
        let length = u32::try_from(text.len()).map_err(io::Error::other)?;
        Ok([&length.to_be_bytes(), text.as_bytes()].concat())
    }

    /// Reads the orders, and nothing of what follows them, which is the engine's.
    ///
    /// # Errors
    /// The input ends before, or has something else.
    pub(crate) fn read(mut input: impl Read) -> io::Result<Orders> {
        let mut length = [0; 4];
        input.read_exact(&mut length)?;
        let mut text = Vec::new();
        let length = u64::from(u32::from_be_bytes(length));
        input.take(length).read_to_end(&mut text)?;
        serde_json::from_slice(&text).map_err(io::Error::other)
    }

    /// The launcher's last line on stderr.
    pub(crate) fn sign(&self, error: &LaunchError) -> String {
        format!("{} {error}", self.token)
    }

    /// The launcher's message if it failed, from the end of the process's stderr.
    pub(crate) fn failure(&self, stderr: &str) -> Option<String> {
        let mut lines = stderr.lines();
        let words = lines.find_map(|line| line.strip_prefix(&self.token))?;
        Some(words.trim().to_owned())
    }
}

/// 128 bits that nobody can guess, from the keys of the standard library's hash tables.
pub(crate) fn token() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}
