//! Who holds a pair, and for how long that is believed: a worker that holds one for ever, or only says so, keeps no
//! event from its end.

use std::time::{Duration, Instant};

use crate::event::PairId;
use crate::run::farm::names::Farm;

use super::{BEAT, Outstanding, RunningCoordinator};

/// A pair is given to another worker too when it is held for so many times the longest time that one was played.
const TIMES: u32 = 4;

/// Before any is stored, nobody knows how long that is.
const UNKNOWN: Duration = Duration::from_secs(3600);

/// What workers say of a pair since it was published.
#[derive(Debug)]
pub(super) struct Hold {
    /// Who said last that it holds it.
    pub(super) worker: String,
    /// When.
    pub(super) heard: Instant,
    /// When the first did.
    since: Instant,
}

impl Outstanding {
    /// A worker holds it.
    pub(super) fn held_by(&mut self, worker: &str) {
        let heard = Instant::now();
        let since = self.hold.as_ref().map_or(heard, |hold| hold.since);
        let worker = worker.to_owned();
        self.hold = Some(Hold {
            worker,
            heard,
            since,
        });
    }

    /// Whether nobody has said for so long that it holds it.
    pub(super) fn is_silent_for(&self, time: Duration) -> bool {
        let hold = self.hold.as_ref();
        hold.is_none_or(|hold| hold.heard.elapsed() > time)
    }
}

impl RunningCoordinator {
    /// A pair is stored: how long it was played, if a worker was seen to play it.
    pub(super) fn was_played(&mut self, begun: Option<Instant>) {
        let took = begun.map_or(BEAT, |begun| begun.elapsed());
        self.longest = self.longest.max(took);
    }

    /// For how long a worker may hold a pair while others are idle.
    pub(super) fn longest_hold(&self) -> Duration {
        let known = self.longest.saturating_mul(TIMES);
        let known = if known.is_zero() { UNKNOWN } else { known };
        known.max(3 * self.start.coordination.lease)
    }

    /// Who has held a pair for too long, if another worker can play it.
    pub(super) fn held_too_long_by(&self, known: &Outstanding) -> Option<String> {
        let hold = known.hold.as_ref()?;
        let too_long = !known.storing && hold.since.elapsed() > self.longest_hold();
        let other = too_long && self.is_another_there(&hold.worker, known.class);
        other.then(|| hold.worker.clone())
    }

    /// Whether nobody holds a pair that has been with the server for long, or the server does not have it.
    fn is_left(&self, known: &Outstanding) -> bool {
        let lease = self.start.coordination.lease;
        let of_late =
            |since: Instant| since.elapsed() <= 3 * lease || !known.is_silent_for(2 * lease);
        !known.storing && !known.published.is_some_and(of_late)
    }

    /// Publishes again what is left, and what is held for too long.
    pub(super) async fn publish_again(&mut self) {
        let due = self.outstanding.iter().filter_map(|(pair, known)| {
            let not_by = self.held_too_long_by(known);
            let is_due = not_by.is_some() || self.is_left(known);
            is_due.then(|| (*pair, known.class, known.published.is_some(), not_by))
        });
        let due: Vec<(PairId, usize, bool, Option<String>)> = due.collect();
        // A pair that waits for a free lane is as silent as one that the server has lost.
        let mut waits = vec![None; self.classes.all().len()];
        for (pair, class, anew, not_by) in due {
            if anew && waits[class].is_none() {
                waits[class] = Some(self.somebody_waits(class).await);
            }
            if !anew || waits[class] == Some(true) {
                if let Some(worker) = &not_by {
                    tracing::warn!(?pair, worker, "held for long: another plays it too");
                }
                self.publish(pair, anew, not_by);
            }
        }
    }

    /// Whether workers have free lanes for a class, and the server nothing for them.
    async fn somebody_waits(&self, class: usize) -> bool {
        let consumer = Farm::job_consumer(&self.event, &self.classes.all()[class]);
        let info = self.streams.jobs.consumer_info(consumer).await;
        info.is_ok_and(|info| info.num_pending == 0)
    }
}
