//! The event that is announced: by whom, and in which epoch, which is its place in the stream. Whoever finds a later
//! announcement than its own coordinates no more.

use async_nats::HeaderMap;
use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::stream::Stream;
use sha2::{Digest, Sha256};

use super::messages::{EventMessage, UnreadableMessage, read};
use super::streams::last_message;
use crate::config::hex;
use crate::farm::FarmName;

/// The header that says which coordinator has announced an event.
const COORDINATOR: &str = "Arbiter960-Coordinator";

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
        let message = last_message(stream, &farm.event()).await?;
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
    pub(super) fn event(&self) -> Result<EventMessage, UnreadableMessage> {
        read(&self.message.payload)
    }
}

/// The headers of an announcement that this coordinator makes.
pub(super) fn headers(coordinator: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(COORDINATOR, coordinator);
    headers
}
