//! What coordinator and workers say to each other. A game is written as the store writes it.

use std::path::PathBuf;

use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::stream::Stream;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::streams::last_message;
use crate::config::hex;
use crate::event::identity::EventIdentity;
use crate::event::{PairId, PlayedGame};
use crate::farm::FarmName;
use crate::run::control::HostFacts;
use crate::run::game::Job;
use crate::run::source::StoredConsequences;

/// The version of everything here. Coordinator and workers of one farm have the same.
pub(super) const VERSION: u32 = 5;

/// What an event is called in subjects: its identity and revision, and the very event that has it, because
/// another may be played with the same engines and settings.
pub(super) fn event_token(
    identity: &EventIdentity,
    revision: u32,
    name: &str,
    created: &str,
) -> String {
    let mut hash = Sha256::new();
    for part in [&identity.to_json(), name, created] {
        hash.update(part);
        hash.update([0]);
    }
    format!("{}-{revision}", &hex(hash)[..16])
}

#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

/// Reads a message that names its version.
///
/// # Errors
/// It is of another version of this program, or no such message, in words.
pub(super) fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, String> {
    let unreadable = |error: serde_json::Error| error.to_string();
    let Versioned { version } = serde_json::from_slice(bytes).map_err(unreadable)?;
    if version != VERSION {
        return Err(format!(
            "it is of version {version}, and this arbiter960 has {VERSION}"
        ));
    }
    serde_json::from_slice(bytes).map_err(unreadable)
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
    /// When the dispatcher gave it out, milliseconds since 1970: the same when it is published again.
    pub(super) given_ms: i64,
    #[serde(flatten)]
    pub(super) job: Job,
}

/// A pair that was played.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ResultMessage {
    pub(super) version: u32,
    pub(super) event: String,
    pub(super) pair: PairId,
    pub(super) worker: String,
    pub(super) host: HostFacts,
    /// Every playing of its games, in order; the last of each may count.
    pub(super) games: Vec<PlayedGame>,
}

/// What became of a result.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Receipt {
    pub(super) version: u32,
    pub(super) event: String,
    /// Of the coordinator that says it, as in [`CoordinatorHeartbeat`].
    pub(super) epoch: u64,
    pub(super) pair: PairId,
    /// Whether the pair is stored, with these games or with others; else it was refused.
    pub(super) stored: bool,
    pub(super) words: String,
}

/// A worker's sign of life.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct WorkerHeartbeat {
    pub(super) version: u32,
    pub(super) worker: String,
    pub(super) host: HostFacts,
    /// The event that it plays; empty before the first.
    pub(super) event: String,
    /// The pairs that it holds: to be played, played, or on its disk.
    pub(super) held: Vec<PairId>,
    /// Those that are being played.
    pub(super) playing: Vec<PairId>,
    /// Why it cannot play, if it cannot.
    pub(super) trouble: Option<String>,
}

/// The coordinator's sign of life, and what follows from the games that are stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct CoordinatorHeartbeat {
    pub(super) version: u32,
    pub(super) event: String,
    /// The sequence of its announcement in the stream: that of a later coordinator is higher. 0 before the
    /// server has it.
    pub(super) epoch: u64,
    pub(super) name: String,
    pub(super) host: String,
    #[serde(flatten)]
    pub(super) consequences: StoredConsequences,
}

/// The header that says which coordinator has announced an event.
pub(super) const COORDINATOR: &str = "Arbiter960-Coordinator";

/// What the stream contains.
#[derive(Debug)]
pub(super) struct Announcement {
    message: StreamMessage,
}

impl Announcement {
    /// The last announcement; `None` if nothing was ever announced.
    ///
    /// # Errors
    /// What the server says.
    pub(super) async fn last(
        stream: &Stream,
        farm: &FarmName,
    ) -> Result<Option<Announcement>, async_nats::Error> {
        let message = last_message(stream, &farm.subject("event")).await?;
        Ok(message.map(|message| Announcement { message }))
    }

    pub(super) fn epoch(&self) -> u64 {
        self.message.sequence
    }

    /// Which coordinator has announced it; empty if it does not say.
    pub(super) fn coordinator(&self) -> &str {
        let value = self.message.headers.get(COORDINATOR);
        value.map_or("", |value| value.as_str())
    }

    /// What it is known by: another event file of the same event gets another announcement.
    pub(super) fn digest(&self) -> String {
        hex(Sha256::new_with_prefix(&self.message.payload))
    }

    /// The event.
    ///
    /// # Errors
    /// It is of another version.
    pub(super) fn event(&self) -> Result<EventMessage, String> {
        read(&self.message.payload)
    }
}
