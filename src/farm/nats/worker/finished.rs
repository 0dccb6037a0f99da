//! Finished pairs to the disk, while the lanes play on, and to the coordinator, until it says what became of them.

use std::time::Instant;

use async_nats::jetstream::AckKind;

use super::event_run::{WorkerRun, WriteResult};
use crate::event::{PairId, PlayedGame};
use crate::farm::nats::held_pairs::PairState;
use crate::farm::nats::messages::{Receipt, ResultMessage, VERSION, read};
use crate::text::{printable, tell};

impl WorkerRun<'_, '_> {
    pub(super) fn write_result(&mut self, pair: PairId, games: Vec<PlayedGame>) {
        let result = ResultMessage {
            version: VERSION,
            event: self.event().to_owned(),
            pair,
            worker: self.connection.settings.name.to_string(),
            host: self.connection.host.clone(),
            games,
        };
        match serde_json::to_vec(&result) {
            Ok(bytes) => self.write(pair, bytes),
            Err(error) => tracing::error!(%error, "a result cannot be written"),
        }
    }

    /// Begins to write a finished pair. What waits for the disk is no lane and no connection.
    fn write(&mut self, pair: PairId, bytes: Vec<u8>) {
        let (spool, event) = (self.connection.spool.clone(), self.event().to_owned());
        self.writes.writing.spawn_blocking(move || {
            let written = spool.keep(&event, pair, &bytes);
            ((pair, bytes), written)
        });
    }

    /// A pair was written, or could not be: then it is tried again, and no pairs are taken meanwhile, for
    /// they could not be kept either.
    pub(super) async fn written(&mut self, (pair, written): WriteResult) {
        if let Err(error) = written {
            let words = format!("a finished pair cannot be written: {error}; once more");
            self.connection.has_trouble(words);
            self.writes.disk_is_full = true;
            return self.writes.failed.push(pair);
        }
        if let Some(held) = self.held.get_mut(pair.0) {
            held.state = PairState::Kept(None);
        }
        if self.writes.disk_is_full && self.writes.failed.is_empty() {
            self.writes.disk_is_full = false;
            self.connection.trouble = None;
            self.free.add_permits(std::mem::take(&mut self.withheld));
        }
        self.send_due().await;
    }

    /// Tries again what could not be written.
    pub(super) fn write_again(&mut self) {
        for (pair, bytes) in std::mem::take(&mut self.writes.failed) {
            self.write(pair, bytes);
        }
    }

    /// Sends what is on the disk and was not answered.
    pub(super) async fn send_due(&mut self) {
        for pair in self.held.due() {
            let event = self.event().to_owned();
            let bytes = match self.connection.spool.read(&event, pair) {
                Ok(bytes) => bytes,
                Err(error) => {
                    tracing::error!(%error, ?pair, "a finished pair is not on the disk any more");
                    continue;
                }
            };
            if let Some(held) = self.held.get_mut(pair) {
                held.state = PairState::Kept(Some(Instant::now()));
            }
            let settings = self.connection.settings;
            let subject = settings
                .farm
                .result(&settings.name.to_string(), &event, pair);
            // Whether the server has it is not asked: the coordinator's answer counts.
            if let Err(error) = self.connection.client.publish(subject, bytes.into()).await {
                let words = format!("a finished pair cannot be sent: {error}");
                self.connection.has_trouble(words);
            }
        }
    }

    /// What became of a result.
    pub(super) async fn hear_receipt(&mut self, bytes: &[u8]) {
        let receipt: Receipt = match read(bytes) {
            Ok(receipt) => receipt,
            Err(error) => return tracing::warn!(%error, "an answer that cannot be understood"),
        };
        // Of a coordinator whose farm was taken over: what it says of its store is not what counts.
        if receipt.event != self.event() || receipt.epoch != self.assignment.epoch {
            return;
        }
        let pair = receipt.pair;
        let held = self.held.get_mut(pair);
        if !held.is_some_and(|held| matches!(held.state, PairState::Kept(_))) {
            return;
        }
        let spool = &self.connection.spool;
        let put_away = if receipt.stored {
            spool.forget(&receipt.event, pair)
        } else {
            tell(&format!(
                "warning: the coordinator has refused pair {}: {}",
                pair.0 + 1,
                printable(&receipt.words)
            ));
            spool.set_aside(&receipt.event, pair)
        };
        if let Err(error) = put_away {
            tracing::warn!(%error, ?pair, "a pair that was answered is still on the disk");
        }
        self.release(pair, AckKind::Ack).await;
    }
}
