//! One engine of an event: what is started, what it is given, and what bounds its searches.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::difference::{self, Difference};
use crate::chess::FenDialect;
use crate::clock::Limits;

/// An engine as far as its games depend on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventEngine {
    /// The name in the event file.
    pub name: String,
    /// What is started.
    pub launch: LaunchIdentity,
    /// UCI options and their values.
    pub options: BTreeMap<String, String>,
    /// The dialect in which positions are sent.
    pub fen: FenDialect,
    /// What bounds its searches.
    pub limits: Limits,
    /// Time that may be used beyond the clock without losing, microseconds.
    pub margin_us: u64,
    /// How far the node limit of a move may lie from `limits.nodes`, as a part of it.
    pub nodes_jitter: Option<f64>,
    /// Whether it is started again for every game.
    pub restart: Restart,
    /// How many participants it is: 2 in self-play, else 1.
    pub copies: u8,
    /// Whether it thinks on its opponent's time.
    #[serde(default)]
    pub ponder: bool,
    /// Its files, by their places in the event's.
    pub files: Vec<usize>,
}

/// What is started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum LaunchIdentity {
    /// The engine inside this program.
    Sparring {
        /// The program's version.
        sparring: String,
    },
    /// A program is what it was called and what it contains; where it lies may change.
    Program {
        /// The command as the event file has it.
        command: String,
        /// The SHA-256 of the program that was found for it, hexadecimal.
        sha256: String,
        /// Its arguments.
        args: Vec<String>,
        /// Environment variables that are added, as `NAME=value`.
        env: Vec<String>,
        /// What it speaks.
        #[serde(default)]
        protocol: Protocol,
    },
}

/// What an engine speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    #[default]
    Uci,
    /// XBoard's protocol: a translator runs between it and the engine.
    Xboard,
}

/// A file that belongs to an event or to one of its engines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileIdentity {
    /// The name in the event file.
    pub name: String,
    /// The SHA-256 of its content, hexadecimal; `None` where it changes by nature.
    pub sha256: Option<String>,
}

/// Whether an engine is started again for every game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Restart {
    /// When it has to be: after a fault.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never while its process lives.
    Never,
}

impl LaunchIdentity {
    /// The program's content, if it is a separate program.
    pub fn sha256(&self) -> Option<&str> {
        match self {
            LaunchIdentity::Program { sha256, .. } => Some(sha256),
            LaunchIdentity::Sparring { .. } => None,
        }
    }

    /// Whether both start the same program with the same arguments and environment, whatever
    /// it is called.
    pub fn same_program(&self, other: &LaunchIdentity) -> bool {
        let unnamed = |launch: &LaunchIdentity| {
            let mut launch = launch.clone();
            if let LaunchIdentity::Program { command, .. } = &mut launch {
                command.clear();
            }
            launch
        };
        unnamed(self) == unnamed(other)
    }
}

impl EventEngine {
    /// Time that may be used beyond the clock without losing.
    pub fn margin(&self) -> Duration {
        Duration::from_micros(self.margin_us)
    }

    /// How many threads it searches with; `None` if that is not a number.
    pub fn threads(&self) -> Option<usize> {
        let options = self.options.iter();
        threads(options.map(|(name, value)| (name.as_str(), value.as_str())))
    }

    /// Whether two searches of one position are the same: see [`repeats_itself`].
    pub fn repeats_itself(&self) -> bool {
        repeats_itself(&self.limits, self.nodes_jitter, self.threads())
    }

    /// A text that is the same for the same program with the same options.
    pub fn program_text(&self) -> String {
        difference::value(&(&self.launch, &self.options)).to_string()
    }

    /// In what the engine is another now, as far as both say; not its files.
    pub fn differences(&self, now: &EventEngine) -> Vec<Difference> {
        let bare = |engine: &EventEngine| EventEngine {
            files: Vec::new(),
            ..engine.clone()
        };
        difference::differences(&bare(self), &bare(now))
    }
}

/// The value of the UCI option `Threads`, whose name is not case sensitive (UCI protocol,
/// `setoption`); 1 where it is not set, as arbiter960 leaves it; `None` if it is not a number.
pub(crate) fn threads<'a>(options: impl IntoIterator<Item = (&'a str, &'a str)>) -> Option<usize> {
    let mut options = options.into_iter();
    match options.find(|(name, _)| name.eq_ignore_ascii_case("Threads")) {
        Some((_, value)) => value.trim().parse().ok(),
        None => Some(1),
    }
}

/// Whether a deterministic engine plays the same move whenever it is asked the same: nothing but
/// a fixed number of nodes or plies bounds its searches, that number is never varied, and it
/// searches with one thread.
pub(crate) fn repeats_itself(
    limits: &Limits,
    nodes_jitter: Option<f64>,
    threads: Option<usize>,
) -> bool {
    let varies = limits.nodes.is_some() && nodes_jitter.is_some_and(|jitter| jitter > 0.0);
    limits.is_fixed() && !varies && threads == Some(1)
}
