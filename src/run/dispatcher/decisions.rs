//! What the arbiter decides while games are played: a decision is stored before it is announced, and
//! the event is then read from the store again.

use std::collections::BTreeSet;

use crate::event::{ArbiterAct, ArbiterDecision};
use crate::run::error::RunError;
use crate::run::signals::Stop;
use crate::run::work::settled_ids;
use crate::store::Reader;
use crate::text::printable;

use super::{Dispatcher, EndReason, NewBeginning};

impl Dispatcher<'_> {
    /// The arbiter's book has more decisions than before.
    pub(super) fn hear_decisions(&mut self) {
        if let Err(error) = self.apply_decisions() {
            self.fail(error);
        }
    }

    fn apply_decisions(&mut self) -> Result<(), RunError> {
        let reader = self.store.reader()?;
        let known = self.state.decisions.all().len();
        let all = reader.decisions().all();
        let Some(new) = all.get(known..).filter(|new| !new.is_empty()) else {
            return Ok(());
        };
        self.state.decisions = reader.decisions().clone();
        for decision in new {
            let words = format!(
                "decision {} by {}: {}",
                decision.id,
                printable(&decision.author),
                printable(&decision.reason)
            );
            tracing::info!("{words}");
            self.listeners.say(&words);
        }
        self.begin_anew(&reader)?;
        if let Some(continued) = &mut self.supply.continued {
            continued.decided(self.state.decisions.len());
        }
        self.listeners.decided(new);
        self.go_on_in_another_run(new);
        Ok(())
    }

    /// A game was decided before it was played, and has been played all the same: the decision
    /// counts.
    pub(super) fn count_as_decided(&mut self) {
        let counted = self
            .store
            .reader()
            .and_then(|reader| self.event.update(|event| event.read_again(&reader)));
        if let Err(error) = counted {
            self.fail(RunError::Storage(error));
        }
    }

    /// Counts and plans as if the run began now, but for the pairs that are in flight.
    fn begin_anew(&mut self, reader: &Reader) -> Result<(), RunError> {
        self.event.update(|event| event.read_again(reader))?;
        self.take_back();
        let out: BTreeSet<u16> = self.event.read(|event| {
            let rulings = event.fault_counts().rulings().into_iter();
            rulings.map(|ruling| ruling.engine).collect()
        });
        let in_flight: BTreeSet<_> = self.state.ledger.pairs().collect();
        self.supply
            .work
            .renew(settled_ids(reader)?, out.clone(), in_flight.clone());
        for pair in in_flight {
            self.state
                .ledger
                .play_again(pair, self.supply.work.settled(pair));
        }
        self.state.forget_voids_of(|engine| out.contains(&engine));
        self.publish_disqualifications();
        Ok(())
    }

    /// Another build and a late entrant need a run that reads the event file again. Any run can play a game
    /// that has to be played after the lanes have learned that nothing follows.
    fn go_on_in_another_run(&mut self, new: &[ArbiterDecision]) {
        let takes_a_start = |decision: &ArbiterDecision| {
            matches!(
                decision.act,
                ArbiterAct::Add { .. } | ArbiterAct::Replace { .. }
            )
        };
        if *self.supply.giver.stop.borrow() != Stop::No {
            return;
        }
        if new.iter().any(takes_a_start) {
            self.check_new_file();
        } else if !self.state.phase.is_playing() {
            self.end(EndReason::Again(NewBeginning::SameFile));
        }
    }
}
