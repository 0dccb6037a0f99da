//! What coordinator and workers say to each other. A game is written as the store writes it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::event::identity::EventIdentity;
use crate::event::{PairId, PlayedGame};
use crate::run::job::Job;

/// The version of everything here. Coordinator and workers of one farm have the same.
pub(super) const VERSION: u32 = 3;

/// What an event is called in subjects: its identity and revision, and the very event that has it, because
/// another may be played with the same engines and settings.
pub(super) fn token(identity: &EventIdentity, revision: u32, name: &str, created: &str) -> String {
    let mut hash = Sha256::new();
    for part in [&identity.to_json(), name, created] {
        hash.update(part);
        hash.update([0]);
    }
    format!("{}-{revision}", hex(&hash.finalize()[..8]))
}

/// Bytes in hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// SHA-256 of the program of each engine; `None` for a built-in one.
pub(super) fn programs(identity: &EventIdentity) -> Vec<Option<String>> {
    let engines = identity.engines.iter();
    let programs = engines.map(|engine| engine.launch.sha256().map(str::to_owned));
    programs.collect()
}

/// A text of another version of this program, or of another program.
#[derive(Debug, thiserror::Error)]
pub(super) enum UnreadableMessage {
    /// Another version.
    #[error("it is of version {0}, and this arbiter960 has {VERSION}")]
    Version(u32),
    /// No such message.
    #[error(transparent)]
    Text(#[from] serde_json::Error),
}

#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

/// Reads a message that names its version.
pub(super) fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, UnreadableMessage> {
    let Versioned { version } = serde_json::from_slice(bytes)?;
    match version {
        VERSION => Ok(serde_json::from_slice(bytes)?),
        other => Err(UnreadableMessage::Version(other)),
    }
}

/// The event that is played.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct EventMessage {
    pub(super) version: u32,
    /// What it is called in subjects.
    pub(super) event: String,
    pub(super) name: String,
    pub(super) identity: EventIdentity,
    pub(super) revision: u32,
    /// The event file.
    pub(super) text: String,
    /// Where it lies at the coordinator.
    pub(super) source: PathBuf,
    /// All files that it names.
    pub(super) files: Vec<FarmFile>,
    /// How long a worker may be silent before its pairs go to others, milliseconds.
    pub(super) lease_ms: u64,
}

/// A file that an event needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FarmFile {
    /// Where it lies at the coordinator.
    pub(super) path: PathBuf,
    /// Of its content, hexadecimal; its name in the object store.
    pub(super) sha256: String,
    /// Whether it is to be executed.
    pub(super) program: bool,
}

/// A pair to be played.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct JobMessage {
    pub(super) version: u32,
    pub(super) event: String,
    #[serde(flatten)]
    pub(super) job: Job,
    /// What its result quotes: see [`Tickets`](super::tickets::Tickets).
    pub(super) ticket: String,
    /// Who has played it before, and leaves it to the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) not_by: Option<String>,
}

/// A pair that was played.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ResultMessage {
    pub(super) version: u32,
    pub(super) event: String,
    pub(super) pair: PairId,
    /// That of the pair as the server gave it.
    pub(super) ticket: String,
    pub(super) worker: String,
    /// The version of the program that played it.
    pub(super) program: String,
    /// SHA-256 of each engine's program when the worker began; `None` for a built-in one.
    pub(super) engines: Vec<Option<String>>,
    pub(super) host: HostFacts,
    /// Nodes a second of the fixed search on the lane's machine, before the pair and after it.
    #[serde(default)]
    pub(super) speed: [u64; 2],
    /// Every playing of its games, in order; the last of each may count.
    pub(super) games: Vec<PlayedGame>,
}

impl ResultMessage {
    /// The games that have an end.
    pub(super) fn finished(&self) -> impl Iterator<Item = &PlayedGame> {
        let games = self.games.iter();
        games.filter(|game| !game.record.outcome.is_void())
    }
}

/// On what a pair was played.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct HostFacts {
    /// The machine's name.
    pub(super) host: String,
    /// What the kernel calls its processor.
    pub(super) processor: String,
    /// Processors that the worker may use.
    pub(super) processors: usize,
    /// Games at once.
    pub(super) lanes: usize,
}

/// What became of a result.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Receipt {
    pub(super) version: u32,
    pub(super) event: String,
    /// Of the coordinator that says it, as in [`CoordinatorBeat`].
    pub(super) epoch: u64,
    pub(super) pair: PairId,
    /// Whether the pair is stored, with these games or with others; else it was refused.
    pub(super) stored: bool,
    pub(super) words: String,
}

/// A worker's sign of life.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct WorkerBeat {
    pub(super) version: u32,
    pub(super) worker: String,
    pub(super) program: String,
    pub(super) host: HostFacts,
    /// The event that it plays; empty before the first.
    pub(super) event: String,
    /// The pairs that it holds: to be played, played, or on its disk.
    pub(super) held: Vec<PairId>,
    /// Those that are being played.
    pub(super) playing: Vec<PairId>,
    /// Nodes a second of the fixed search, when it was last measured.
    #[serde(default)]
    pub(super) speed: Option<u64>,
    /// What engines of the event need and its machine does not have: it takes none of their pairs.
    pub(super) lacks: Vec<String>,
    /// Why it cannot play, if it cannot.
    pub(super) trouble: Option<String>,
}

/// The coordinator's sign of life, and what follows from the games that are stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct CoordinatorBeat {
    pub(super) version: u32,
    pub(super) event: String,
    /// The sequence of its announcement in the stream: that of a later coordinator is higher. 0 before the
    /// server has it.
    pub(super) epoch: u64,
    pub(super) name: String,
    pub(super) host: String,
    /// Workers whose results are refused: they play no more.
    pub(super) barred: Vec<String>,
    /// Engines that play no more pairs.
    pub(super) out: Vec<u16>,
    /// Engines to which nothing that the host does is excused any more.
    pub(super) unexcused: Vec<u16>,
}
