//! Finished pairs to the disk, while the lanes play on, and to the coordinator, until it says what became of them.

use std::io;
use std::time::Instant;

use async_nats::jetstream::AckKind;
use tokio::task::JoinSet;

use crate::event::PairId;
use crate::run::farm::leases::PairState;
use crate::run::farm::messages::{Receipt, read};
use crate::text::{printable, tell};

use super::Shift;

/// A finished pair that is not on the disk yet.
type Unsaved = (PairId, Vec<u8>);

/// What came of an attempt to write it.
pub(super) type WriteResult = (Unsaved, io::Result<()>);

/// Finished pairs on their way to the disk.
#[derive(Debug, Default)]
pub(in crate::run::farm::worker) struct Keeping {
    pub(super) writing: JoinSet<WriteResult>,
    /// Those that could not be written, and are tried again.
    unsaved: Vec<Unsaved>,
    /// The disk takes nothing.
    pub(super) full: bool,
}

impl Keeping {
    /// How many finished pairs are not on the disk.
    pub(super) fn unsaved(&self) -> usize {
        self.unsaved.len() + self.writing.len()
    }
}

impl Shift<'_, '_> {
    /// Begins to write a finished pair. What waits for the disk is no lane and no connection.
    pub(super) fn keep(&mut self, pair: PairId, bytes: Vec<u8>) {
        let (spool, event) = (self.station.spool.clone(), self.event().to_owned());
        self.keeping.writing.spawn_blocking(move || {
            let written = spool.keep(&event, pair, &bytes);
            ((pair, bytes), written)
        });
    }

    /// A pair was written, or could not be: then it is tried again, and no pairs are taken meanwhile, for
    /// they could not be kept either.
    pub(super) async fn written(&mut self, (unsaved, written): WriteResult) {
        if let Err(error) = written {
            let words = format!("a finished pair cannot be written: {error}; once more");
            self.station.has_trouble(words);
            self.keeping.full = true;
            return self.keeping.unsaved.push(unsaved);
        }
        if let Some(lease) = self.leases.get_mut(unsaved.0) {
            lease.stage = PairState::Kept(None);
        }
        if self.keeping.full && self.keeping.unsaved.is_empty() {
            self.keeping.full = false;
            self.station.trouble = None;
            self.take_on();
        }
        self.send_due().await;
    }

    /// Tries again what could not be written.
    pub(super) fn keep_again(&mut self) {
        for (pair, bytes) in std::mem::take(&mut self.keeping.unsaved) {
            self.keep(pair, bytes);
        }
    }

    /// Sends what is on the disk and was not answered.
    pub(super) async fn send_due(&mut self) {
        for pair in self.leases.due() {
            let event = self.event().to_owned();
            let bytes = match self.station.spool.read(&event, pair) {
                Ok(bytes) => bytes,
                Err(error) => {
                    tracing::error!(%error, ?pair, "a finished pair is not on the disk any more");
                    continue;
                }
            };
            if let Some(lease) = self.leases.get_mut(pair) {
                lease.stage = PairState::Kept(Some(Instant::now()));
            }
            let worker = self.station.worker;
            let subject = worker.farm.result(&worker.name.to_string(), &event, pair);
            // Whether the server has it is not asked: the coordinator's answer counts.
            if let Err(error) = self.station.client.publish(subject, bytes.into()).await {
                let words = format!("a finished pair cannot be sent: {error}");
                self.station.has_trouble(words);
            }
        }
    }

    /// What became of a result.
    pub(super) async fn receipt(&mut self, bytes: &[u8]) {
        let receipt: Receipt = match read(bytes) {
            Ok(receipt) => receipt,
            Err(error) => return tracing::warn!(%error, "an answer that cannot be understood"),
        };
        // Of a coordinator whose farm was taken over: what it says of its store is not what counts.
        if receipt.event != self.event() || receipt.epoch != self.assignment.epoch {
            return;
        }
        let pair = receipt.pair;
        let held = self.leases.get_mut(pair);
        if !held.is_some_and(|lease| matches!(lease.stage, PairState::Kept(_))) {
            return;
        }
        let spool = &self.station.spool;
        let put_away = match receipt.stored {
            true => spool.forget(&receipt.event, pair),
            false => {
                let words = printable(&receipt.words).into_owned();
                tell(&format!(
                    "warning: the coordinator has refused pair {}: {words}",
                    pair.0 + 1
                ));
                spool.set_aside(&receipt.event, pair)
            }
        };
        if let Err(error) = put_away {
            tracing::warn!(%error, ?pair, "a pair that was answered is still on the disk");
        }
        self.release(pair, AckKind::Ack).await;
    }
}
