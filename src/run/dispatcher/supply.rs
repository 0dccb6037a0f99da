//! Pairs for the lanes, as long as there are any to hand out.

use crate::event::PairId;
use crate::run::continuation::{Continued, Growth};

use super::Dispatcher;

impl Dispatcher<'_> {
    /// Keeps one pair ahead for every lane.
    pub(super) fn hand_out(&mut self) {
        while !self.state.closed && self.queue.len() < self.lanes {
            match self.work.next() {
                Some(job) => {
                    self.state.ledger.open(job);
                    self.queue.push(job);
                }
                None if self.goes_on() => {}
                None => return,
            }
        }
    }

    /// At the end of what is planned: whether more pairs follow at once. A pair that is open
    /// may come back, and its results may decide what follows; until then the lanes wait.
    fn goes_on(&mut self) -> bool {
        let open = self.state.ledger.len() as u64;
        let growth = match &mut self.continued {
            Some(continued) if !self.state.has_holes() => {
                let withdrawn = self.work.withdrawn().clone();
                continued.extend(self.work.plan_mut(), open, &withdrawn, self.store)
            }
            // What was left void has to be played first, by the next run.
            _ => Ok(Growth::Waiting),
        };
        match growth {
            Ok(Growth::Grown) => {
                if let Some(chosen) = self.continued.as_ref().and_then(Continued::last_round) {
                    self.event.update(|event| event.chosen(chosen));
                }
                return true;
            }
            Ok(Growth::Waiting) if open > 0 => {}
            Ok(Growth::Over) => {
                let games = self.work.plan().games();
                self.event.update(|event| event.is_planned(games));
                self.close();
            }
            Ok(Growth::Waiting) => self.close(),
            Err(error) => self.fail(error),
        }
        false
    }

    /// If nothing of a pair is in flight any more, what is left of it goes back into the queue.
    pub(super) fn settle(&mut self, pair: PairId) {
        if let Some(job) = self.state.ledger.settle(pair)
            && !self.state.closed
        {
            self.work.give_back(job);
        }
    }

    /// Hands out no more pairs.
    pub(super) fn close(&mut self) {
        self.state.closed = true;
        self.queue.close();
    }
}
