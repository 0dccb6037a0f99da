//! Finished pairs to the disk, while the lanes play on.

use std::io;

use tokio::task::JoinSet;

use crate::event::PairId;
use crate::run::farm::leases::PairState;

use super::Shift;

/// A finished pair that is not on the disk yet.
#[derive(Debug)]
pub(super) struct Unsaved {
    pair: PairId,
    bytes: Vec<u8>,
}

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
            (Unsaved { pair, bytes }, written)
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
        if let Some(lease) = self.leases.get_mut(unsaved.pair) {
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
        for Unsaved { pair, bytes } in std::mem::take(&mut self.keeping.unsaved) {
            self.keep(pair, bytes);
        }
    }
}
