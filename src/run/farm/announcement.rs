//! The event that is announced: by whom, and in which epoch, which is its place in the stream. Whoever finds a later
//! announcement than its own coordinates no more.

use std::path::Path;

use async_nats::HeaderMap;
use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::stream::Stream;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use nkeys::KeyPair;
use sha2::{Digest, Sha256};

use super::messages::{EventMessage, UnreadableMessage, hex, read};
use super::names::Farm;
use super::streams::last_message;
use crate::run::farm_error::FarmError;

/// The header that says which coordinator has announced an event.
const COORDINATOR: &str = "Arbiter960-Coordinator";

/// The header with the signature of the announcement.
const SIGNATURE: &str = "Arbiter960-Signature";

/// What the stream contains.
#[derive(Debug)]
pub(super) struct Announcement {
    message: StreamMessage,
}

/// The last announcement; `None` if nothing was ever announced.
///
/// # Errors
/// What the server says.
pub(super) async fn last(
    stream: &Stream,
    farm: &Farm,
) -> Result<Option<Announcement>, async_nats::Error> {
    let message = last_message(stream, &farm.event()).await?;
    Ok(message.map(|message| Announcement { message }))
}

impl Announcement {
    /// Its epoch.
    pub(super) fn epoch(&self) -> u64 {
        self.message.sequence
    }

    /// Which coordinator has announced it; empty if it does not say.
    pub(super) fn by(&self) -> &str {
        self.header(COORDINATOR)
    }

    /// What it is known by: another event file of the same event gets another announcement.
    pub(super) fn mark(&self) -> String {
        hex(&Sha256::digest(&self.message.payload)[..8])
    }

    /// The event.
    ///
    /// # Errors
    /// It is of another version.
    pub(super) fn event(&self) -> Result<EventMessage, UnreadableMessage> {
        read(&self.message.payload)
    }

    /// Whether the owner of this public nkey has signed it.
    pub(super) fn is_signed_by(&self, nkey: &str) -> bool {
        let signature = STANDARD.decode(self.header(SIGNATURE)).unwrap_or_default();
        let key = KeyPair::from_public_key(nkey);
        key.is_ok_and(|key| key.verify(&self.message.payload, &signature).is_ok())
    }

    fn header(&self, name: &str) -> &str {
        let value = self.message.headers.get(name);
        value.map_or("", |value| value.as_str())
    }
}

/// The headers of an announcement: who makes it, signed with the nkey whose seed lies there, if there is one.
///
/// # Errors
/// The seed cannot be read or is none.
pub(super) fn headers(
    by: &str,
    announcement: &[u8],
    seed: Option<&Path>,
) -> Result<HeaderMap, FarmError> {
    let mut headers = HeaderMap::new();
    headers.insert(COORDINATOR, by);
    if let Some(path) = seed {
        let failed = FarmError::of_file(path);
        let seed = std::fs::read_to_string(path).map_err(&failed)?;
        let signature = KeyPair::from_seed(seed.trim()).and_then(|key| key.sign(announcement));
        let signature = signature.map_err(|error| failed(std::io::Error::other(error)))?;
        headers.insert(SIGNATURE, STANDARD.encode(signature).as_str());
    }
    Ok(headers)
}

/// Whether a text is a public nkey of a user.
pub(crate) fn is_public_nkey(text: &str) -> bool {
    text.starts_with('U') && KeyPair::from_public_key(text).is_ok()
}
