//! Pairs for the lanes, as long as there are any to hand out.

use crate::event::{PairId, UnixMillis};
use crate::run::continuation::{Continued, Growth, over};
use crate::run::game::Job;

use crate::tournament::PendingRound;

use super::{Dispatcher, EndReason};

impl Dispatcher<'_> {
    /// Keeps one pair ahead for every lane, and those that other machines may take.
    pub(super) fn hand_out(&mut self) {
        while self.state.phase.is_playing() && !self.state.instructions.paused && self.has_room() {
            let in_flight = self.state.ledger.len() > 0;
            match self.supply.work.due(in_flight) {
                Some(job) => self.give_out(job),
                None if self.goes_on() => {}
                None => return,
            }
        }
    }

    fn give_out(&mut self, job: Job) {
        self.state.ledger.open(job);
        self.supply.giver.queue.push(job.first_part());
    }

    /// Whether another pair may be given out: one is kept ahead for every lane, but none where
    /// fewer are to be played at once than there are lanes.
    fn has_room(&self) -> bool {
        let most_pairs = self.state.most_pairs();
        if most_pairs < self.state.lanes {
            self.state.ledger.len() < most_pairs
        } else {
            self.supply.giver.queue.len() < self.supply.lanes.max(self.supply.ahead)
        }
    }

    /// At the end of what is planned: whether more pairs follow at once. A pair that is open
    /// may come back, and its results may decide what follows; until then the lanes wait.
    fn goes_on(&mut self) -> bool {
        let half_played = self.supply.work.half_played();
        let open_or_due = self.state.ledger.len() as u64 + half_played;
        if self.state.instructions.stops_after_round && half_played > 0 {
            return self.give_out_second();
        }
        if self.ends_after_round(open_or_due) {
            return false;
        }
        let growth = match &mut self.supply.continued {
            Some(continued) if !self.state.has_holes() => {
                let withdrawn = self.supply.work.withdrawn().clone();
                continued.extend(
                    &mut self.supply.work.plan,
                    (self.state.ledger.pairs().collect(), half_played),
                    (&withdrawn, self.state.decisions.len()),
                    self.store,
                    Some,
                    UnixMillis::now(),
                )
            }
            // All pairs of a test are played, and it is not decided.
            None if !self.state.has_holes() && self.event.read(|event| event.test().is_some()) => {
                over(&self.supply.work.plan, open_or_due, self.store)
            }
            // What was left void has to be played first, by the next run.
            _ => Ok(Growth::Waiting),
        };
        if !matches!(growth, Ok(Growth::Later(_))) {
            self.state.phase.wait(None);
        }
        match growth {
            Ok(Growth::Later(pending)) => self.wait_for(pending),
            // The store announces it.
            Ok(Growth::Decided) => self.store.look_for_decisions(),
            Ok(Growth::Grown) => {
                let continued = self.supply.continued.as_ref();
                if let Some(chosen) = continued.and_then(Continued::last_round) {
                    self.event.update(|event| event.chosen(chosen));
                }
                return true;
            }
            Ok(Growth::Waiting) if open_or_due > 0 => return self.give_out_second(),
            Ok(Growth::Over) => {
                let games = self.supply.work.plan.games();
                self.event.update(|event| event.plan(Some(games)));
                self.end(EndReason::NothingLeft);
            }
            Ok(Growth::Waiting) => self.end(EndReason::NothingLeft),
            Err(error) => self.fail(error),
        }
        false
    }

    /// Gives out the second game of a pair whose first was played; whether there is one.
    fn give_out_second(&mut self) -> bool {
        let second = self.supply.work.second();
        second.map(|job| self.give_out(job)).is_some()
    }

    /// The next round has its time.
    fn wait_for(&mut self, pending: PendingRound) {
        if self.state.phase.waits() != Some(&pending) {
            self.listeners.say(&pending.to_string());
            self.state.phase.wait(Some(pending));
        }
    }

    /// If nothing of a pair is in flight any more, what is left of it goes back into the queue.
    pub(super) fn settle(&mut self, pair: PairId) {
        if let Some(job) = self.state.ledger.settle(pair)
            && self.state.phase.is_playing()
        {
            self.supply.work.give_back(job);
        }
    }

    /// Takes back the pairs that no lane has begun.
    pub(super) fn take_back(&mut self) -> Vec<Job> {
        let waiting = self.supply.giver.queue.take_back();
        self.state.ledger.withdrawn(waiting)
    }

    /// Hands out no more pairs.
    pub(super) fn end(&mut self, reason: EndReason) {
        self.state.phase.end(reason);
        self.supply.giver.queue.close();
    }
}
