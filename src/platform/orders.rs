//! The orders of a launcher, which it reads from its standard input before the engine has it: on a command line every
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
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Orders {
    /// Known only to the runner and the launcher. A line on stderr that begins with it comes from the launcher, so an
    /// engine cannot present its failure as the launcher's.
    pub token: String,
    /// The runner's process number: the process that stays with the engine ends it when the runner has gone.
    pub runner: u32,
    /// The niceness.
    pub nice: Option<i8>,
    /// The processors; if empty, those of the runner.
    pub cpus: Vec<u16>,
    /// Maximum number of processes and threads together.
    pub processes: Option<u32>,
    /// Maximum memory of all its processes together, in bytes, if no launcher stands between: a launcher leaves it to
    /// the watch.
    pub memory: Option<u64>,
    /// Maximum size of a file, in bytes.
    pub file_size: Option<u64>,
    /// The walls.
    pub sandbox: Option<SandboxOrders>,
    /// The file by which the engine joins its cgroup.
    pub cgroup: Option<PathBuf>,
}

/// What a sandbox leaves open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SandboxOrders {
    /// Whether the engine must not start with a weaker sandbox.
    pub required: bool,
    /// Whether it must not start if any wall is missing.
    pub strict: bool,
    /// What may be read and run.
    pub readable: Vec<PathBuf>,
    /// Where files may be written.
    pub writable: Vec<PathBuf>,
    /// The one of these places in which nothing is kept.
    pub unkept: Option<Unkept>,
    /// Files in those places that stay as they are.
    pub guarded: Vec<PathBuf>,
}

/// A folder that the engine finds as it is, and in which what it writes is gone when it ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Unkept {
    pub folder: PathBuf,
    /// How much it may write there, bytes.
    pub room: u64,
}

impl Orders {
    /// Whether a second process stays with the engine; the process that was started is then not the engine.
    pub(crate) fn are_kept(&self) -> bool {
        KEEPS && (self.sandbox.is_some() || self.processes.is_some())
    }

    /// Adds that these files must stay as they are.
    #[must_use]
    pub(crate) fn guarding<'p>(mut self, files: impl Iterator<Item = &'p Path>) -> Orders {
        if let Some(sandbox) = &mut self.sandbox {
            let real = |path: &Path| path.canonicalize().ok();
            let places = sandbox.writable.iter().filter_map(|path| real(path));
            let places: Vec<PathBuf> = places.collect();
            let lies_there = |file: &PathBuf| places.iter().any(|place| file.starts_with(place));
            sandbox.guarded = files.filter_map(real).filter(lies_there).collect();
        }
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
