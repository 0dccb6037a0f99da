//! Finished pairs to the coordinator, until it says what became of them.

use std::time::Instant;

use async_nats::jetstream::AckKind;

use crate::run::farm::leases::PairState;
use crate::run::farm::messages::{Receipt, read};
use crate::text::{printable, tell};

use super::Shift;

impl Shift<'_, '_> {
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
