//! The pairs that a worker holds, from when it takes one until the coordinator says what became of it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use async_nats::jetstream::{AckKind, Message};

use crate::event::{PairId, PlayedGame};

/// A result without an answer is sent again after this time.
const AGAIN: Duration = Duration::from_secs(3);

/// The state of a pair.
#[derive(Debug)]
pub(super) enum PairState {
    /// A lane plays it, or is about to; these games are over.
    Playing(Vec<PlayedGame>),
    /// All its games are over; it is not on the disk yet.
    Finished,
    /// It is on the disk, and was sent then.
    Kept(Option<Instant>),
}

/// A pair.
#[derive(Debug)]
pub(super) struct Lease {
    /// As the server gave it; `None` of a pair that was on the disk when the worker began.
    pub(super) message: Option<Message>,
    pub(super) stage: PairState,
    /// A lane has begun it.
    pub(super) begun: bool,
    /// Nodes a second of the fixed search, before it was begun.
    pub(super) speed: u64,
}

/// All pairs that are held.
#[derive(Debug, Default)]
pub(super) struct Leases(BTreeMap<PairId, Lease>);

impl Leases {
    /// A pair that was on the disk.
    pub(super) fn found(&mut self, pair: PairId) {
        self.hold(pair, None, PairState::Kept(None));
    }

    fn hold(&mut self, pair: PairId, message: Option<Message>, stage: PairState) {
        let lease = Lease {
            message,
            stage,
            begun: false,
            speed: 0,
        };
        self.0.insert(pair, lease);
    }

    /// A pair from the server: whether it is to be played. One that is held already is not.
    pub(super) fn take(&mut self, pair: PairId, message: Message) -> bool {
        if let Some(lease) = self.0.get_mut(&pair) {
            lease.message = Some(message);
            return false;
        }
        self.hold(pair, Some(message), PairState::Playing(Vec::new()));
        true
    }

    pub(super) fn get_mut(&mut self, pair: PairId) -> Option<&mut Lease> {
        self.0.get_mut(&pair)
    }

    pub(super) fn remove(&mut self, pair: PairId) -> Option<Lease> {
        self.0.remove(&pair)
    }

    /// All pairs.
    pub(super) fn pairs(&self) -> Vec<PairId> {
        self.0.keys().copied().collect()
    }

    /// Those that are played now.
    pub(super) fn playing(&self) -> Vec<PairId> {
        let playing = self
            .0
            .iter()
            .filter(|(_, lease)| lease.begun && matches!(lease.stage, PairState::Playing(_)));
        playing.map(|(pair, _)| *pair).collect()
    }

    /// Whether nothing is held but what is on the disk.
    pub(super) fn only_kept(&self) -> bool {
        self.0
            .values()
            .all(|lease| matches!(lease.stage, PairState::Kept(_)))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those that are to be sent, now or once more.
    pub(super) fn due(&self) -> Vec<PairId> {
        let due = self.0.iter().filter(|(_, lease)| match lease.stage {
            PairState::Kept(sent) => sent.is_none_or(|sent| sent.elapsed() > AGAIN),
            PairState::Playing(_) | PairState::Finished => false,
        });
        due.map(|(pair, _)| *pair).collect()
    }

    /// All that is on the disk is to be sent at once.
    pub(super) fn send_again(&mut self) {
        for lease in self.0.values_mut() {
            if let PairState::Kept(sent) = &mut lease.stage {
                *sent = None;
            }
        }
    }

    /// Tells the server that all are being worked on: else it would give them to others.
    pub(super) async fn keep_alive(&self) {
        for message in self.0.values().filter_map(|lease| lease.message.as_ref()) {
            if let Err(error) = message.ack_with(AckKind::Progress).await {
                tracing::warn!(error, "a lease was not kept alive");
            }
        }
    }
}
