//! What the arbiter decides while games are played: a decision is stored before it is announced, and
//! the event is then read from the store again.

use std::collections::BTreeSet;
use std::fs;
use std::time::SystemTime;

use crate::event::{ArbiterAct, ArbiterDecision};
use crate::run::error::RunError;
use crate::run::signals::Stop;
use crate::run::work::settled_ids;
use crate::store::Reader;
use crate::text::printable;

use super::{Dispatcher, EndReason, NewBeginning};

impl Dispatcher<'_> {
    /// The arbiter's book has more decisions than before.
    pub(super) fn heed(&mut self) {
        if let Err(error) = self.try_to_heed() {
            self.fail(error);
        }
    }

    fn try_to_heed(&mut self) -> Result<(), RunError> {
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
        if let Some(continued) = &mut self.continued {
            continued.decided(self.state.decisions.len());
        }
        self.listeners.decided(new);
        self.go_on_in_another_run(new, &reader);
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
        let waiting = self.queue.clear();
        self.state.ledger.withdrawn(&waiting);
        let out: BTreeSet<u16> = self.event.read(|event| {
            let rulings = event.fault_counts().rulings().into_iter();
            rulings.map(|ruling| ruling.engine).collect()
        });
        let in_flight: BTreeSet<_> = self.state.ledger.pairs().collect();
        self.work
            .renew(settled_ids(reader)?, out.clone(), in_flight.clone());
        for pair in in_flight {
            self.state.ledger.play_again(pair, self.work.settled(pair));
        }
        // Nobody will play these again.
        let is_out = |engine: u16| out.contains(&engine);
        let concerns =
            |seats: &[crate::event::Seat; 2]| seats.iter().any(|seat| is_out(seat.engine));
        self.state.voided.retain(|_, seats| !concerns(seats));
        self.publish_disqualifications();
        Ok(())
    }

    /// Another build and a late entrant need a run that reads the event file again. Any run can play a game
    /// that has to be played after the lanes have learned that nothing follows.
    fn go_on_in_another_run(&mut self, new: &[ArbiterDecision], reader: &Reader) {
        let takes_a_start = |decision: &ArbiterDecision| {
            matches!(
                decision.act,
                ArbiterAct::Add { .. } | ArbiterAct::Replace { .. }
            )
        };
        if *self.stop.borrow() != Stop::No {
            return;
        }
        if new.iter().any(takes_a_start) {
            self.try_new_file(reader);
        } else if !self.state.phase.is_playing() {
            self.end(EndReason::Again(NewBeginning::SameFile));
        }
    }

    /// Ends this run for one that reads the event file again, if that one could begin. Otherwise this run
    /// continues, and tries again when the file has changed.
    fn try_new_file(&mut self, reader: &Reader) {
        match (self.next_run)(reader) {
            Ok(()) => {
                self.state.refused_file = None;
                self.listeners.say(
                    "The running pairs are finished; then the event goes on with the new engine.",
                );
                self.raise(Stop::FinishPairs, EndReason::Again(NewBeginning::NewFile));
            }
            Err(words) => {
                self.state.refused_file = Some(written(reader));
                let lines: Vec<_> = words.lines().map(printable).collect();
                self.listeners.say(&format!(
                    "error: the event cannot go on with the new engine: {}\nThe event goes on as it \
                     was; put the event file right, and it is read again.",
                    lines.join("\n")
                ));
            }
        }
    }

    /// Looks at an event file again that could not be played, if it was written since.
    pub(super) fn try_refused_file(&mut self) {
        if self.state.refused_file.is_none() || *self.stop.borrow() != Stop::No {
            return;
        }
        match self.store.reader() {
            Ok(reader) if self.state.refused_file != Some(written(&reader)) => {
                self.try_new_file(&reader);
            }
            Ok(_) => {}
            Err(error) => self.fail(RunError::Storage(error)),
        }
    }
}

/// When the event's file was written last.
fn written(reader: &Reader) -> Option<SystemTime> {
    let source = reader.value("source").ok().flatten()?;
    fs::metadata(source).ok()?.modified().ok()
}
