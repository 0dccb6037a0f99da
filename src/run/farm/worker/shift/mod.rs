//! The pairs of one event: taken, played, kept on the disk and sent.
//!
//! | file | what |
//! |---|---|
//! | `mod` | from the first pair to the last, and what the coordinator says meanwhile |
//! | `taking` | pairs from the server |
//! | `finishing` | what lanes report |
//! | `sending` | finished pairs to the disk and to the coordinator, and its answers |

mod finishing;
mod sending;
mod taking;

pub(super) use sending::Keeping;

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Subscriber;
use futures_util::StreamExt;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::JoinHandle as Task;
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::run::farm::assignment::{Assignment, announced};
use crate::run::farm::connection::Change;
use crate::run::farm::leases::Leases;
use crate::run::farm::messages::{CoordinatorBeat, read};
use crate::run::farm_error::FarmError;
use crate::run::signals::{Signals, Stop};
use crate::run::source::StoredConsequences;
use crate::text::tell;

use super::lanes::WorkerLanes;
use super::station::{Station, StationEnd};
use super::{BEAT, FAREWELL};

/// The playing of one event.
pub(super) struct Shift<'s, 'w> {
    pub(super) station: &'s mut Station<'w>,
    pub(super) assignment: Assignment,
    pub(super) lanes: WorkerLanes,
    pub(super) leases: Leases,
    /// One for each lane without a pair.
    pub(super) free: Arc<Semaphore>,
    /// Lanes that have not ended.
    pub(super) alive: usize,
    pub(super) barred: bool,
    /// Free lanes that take nothing while the worker is barred, or cannot write.
    pub(super) withheld: usize,
    pub(super) keeping: Keeping,
    /// Why no more pairs are taken.
    pub(super) over: Option<StationEnd>,
    /// Since when.
    pub(super) since: Option<Instant>,
}

impl Shift<'_, '_> {
    fn event(&self) -> &str {
        &self.assignment.announced.event
    }

    pub(super) async fn run(
        &mut self,
        signals: &mut Signals,
        receipts: &mut Subscriber,
        coordinator: &mut Subscriber,
    ) -> Result<StationEnd, FarmError> {
        for pair in self.station.spool.pairs(self.event())? {
            self.leases.found(pair);
        }
        let (to, mut jobs) = mpsc::channel(self.station.worker.lanes.get());
        let (finish, finishing) = watch::channel(false);
        let fetching = self.fetch(to, finishing);
        let lease = Duration::from_millis(self.assignment.announced.lease_ms);
        let mut alive = interval(lease / 3);
        let mut beat = interval(BEAT);
        for timer in [&mut alive, &mut beat] {
            timer.set_missed_tick_behavior(MissedTickBehavior::Skip);
        }
        while !self.is_over(&fetching) {
            tokio::select! {
                biased;
                (stop, code) = signals.next() => {
                    self.end(StationEnd::Stopped(code), stop);
                    let _fetching = finish.send(true);
                }
                Some(report) = self.lanes.giver.reports.recv() => self.hear(report).await,
                Some(message) = jobs.recv() => self.take(message).await,
                Some(Ok(written)) = self.keeping.writing.join_next() => self.written(written).await,
                Some(message) = receipts.next() => self.receipt(&message.payload).await,
                Some(message) = coordinator.next() => {
                    if self.coordinator(&message.payload).await {
                        self.end(StationEnd::Another, Stop::FinishPairs);
                        let _fetching = finish.send(true);
                    }
                }
                Some(change) = self.station.changes.recv() => {
                    self.station.let_in(&change)?;
                    if change == Change::Connected {
                        self.leases.send_again();
                        self.leases.keep_alive().await;
                    }
                }
                _ = alive.tick() => self.leases.keep_alive().await,
                _ = beat.tick() => {
                    self.keep_again();
                    self.send_due().await;
                    self.station.beat(self.event(), &self.leases).await;
                }
            }
        }
        fetching.abort();
        self.lanes.giver.queue.close();
        let _flushed = timeout(BEAT, self.station.client.flush()).await;
        let _late = timeout(BEAT, async {
            while let Some(Ok(written)) = self.keeping.writing.join_next().await {
                self.written(written).await;
            }
        })
        .await;
        let lost = self.keeping.unsaved();
        if lost > 0 {
            tell(&format!(
                "warning: {lost} finished pairs could not be written and are lost; they will be played again"
            ));
        }
        let kept = self.leases.pairs().len().saturating_sub(lost);
        if kept > 0 {
            tell(&format!(
                "{kept} finished pairs stay in {} until the coordinator takes them: start the worker again",
                self.station.worker.folder.display()
            ));
        }
        Ok(self.over.take().unwrap_or(StationEnd::Another))
    }

    /// Takes no more pairs.
    fn end(&mut self, over: StationEnd, stop: Stop) {
        stop.ask(&self.lanes.giver.stop);
        if !matches!(self.over, Some(StationEnd::Stopped(_))) {
            self.over = Some(over);
        }
        self.since.get_or_insert_with(Instant::now);
        self.lanes.giver.queue.close();
    }

    fn is_over(&self, fetching: &Task<()>) -> bool {
        let stops = self.over.is_some() && fetching.is_finished() && self.alive == 0;
        let waited = self.since.is_some_and(|since| since.elapsed() > FAREWELL);
        let lost = self.alive == 0 && self.over.is_none();
        // What cannot be written would be waited for without end.
        let killed = self.alive == 0 && *self.lanes.giver.stop.borrow() >= Stop::Kill;
        lost || killed || (stops && (self.leases.is_empty() || (self.leases.only_kept() && waited)))
    }

    /// Reads what the coordinator says of itself; returns whether it plays another event, or has read its file again.
    async fn coordinator(&mut self, bytes: &[u8]) -> bool {
        let Ok(beat) = read::<CoordinatorBeat>(bytes) else {
            return false;
        };
        if beat.epoch != self.assignment.epoch {
            // Another coordinator, a later one or one from before: the server says which.
            return self.over.is_none() && self.is_over_elsewhere().await;
        }
        let own = self.station.worker.name.to_string();
        let before = std::mem::replace(&mut self.barred, beat.barred.contains(&own));
        if self.barred && !before {
            tell(
                "warning: the coordinator has quarantined this worker, which plays no more pairs; \
                 `arbiter960 status` says why where the coordinator runs",
            );
        }
        self.take_on();
        self.lanes.giver.tell(StoredConsequences {
            out: beat.out.into_iter().collect(),
            unexcused: beat.unexcused.into_iter().collect(),
        });
        false
    }

    /// Whether another event than this is announced, or its file was read again. If the same event is announced
    /// again, the epoch of that announcement is taken over.
    async fn is_over_elsewhere(&mut self) -> bool {
        let farm = &self.station.worker.farm;
        let Ok(Some(announced)) = announced(&self.station.context, farm).await else {
            return false;
        };
        let same = announced.mark() == self.assignment.mark;
        if same {
            self.assignment.epoch = announced.epoch();
        }
        !same
    }

    /// Whether no pair may be taken: nobody wants its result, or it could not be kept.
    fn withholds(&self) -> bool {
        self.barred || self.keeping.full
    }

    /// Lanes that were withheld take pairs again, if they may.
    fn take_on(&mut self) {
        if !self.withholds() {
            self.free.add_permits(std::mem::take(&mut self.withheld));
        }
    }
}
