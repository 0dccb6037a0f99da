//! A plan that grows: what is played next, where that depends on results.
//!
//! **Invariant: a choice is stored before its first game, and made once.** Resume reads it and
//! does not make it again. What it may depend on is what is durable and cannot change any
//! more: pairs that are settled, in the order of the plan.
//!
//! A pair is *settled* when its games are stored, or when it is not played because an engine
//! is disqualified. A voided pair is not settled: it is played again, in this run or the next.

use std::collections::BTreeSet;
use std::fmt;

use crate::config::Tournament;
use crate::event::UnixMillis;
use crate::run::error::RunError;
use crate::schedule::{Chosen, PairSpec, Plan};
use crate::store::{Reader, Store};
use crate::tournament::Over;

/// What a continuation is asked with.
#[derive(Debug)]
pub(crate) struct SoFar<'run> {
    /// All that was planned and chosen so far.
    pub plan: &'run Plan,
    /// Pairs of the plan that are not settled. Nothing of the plan waits to be begun but these.
    pub open: u64,
    /// The engines that play no more pairs.
    pub withdrawn: &'run BTreeSet<u16>,
    /// Where the results are.
    pub store: &'run Store,
}

/// What follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Next {
    /// These pairs now, in this order.
    Pairs(Vec<PairSpec>),
    /// The same in an event that is played in rounds, with its byes.
    Round(Chosen),
    /// It depends on pairs that are open; ask again when another one is settled.
    Wait,
    /// This round does not begin before this moment; ask again then.
    Later {
        /// The round.
        round: u16,
        /// The moment.
        at: UnixMillis,
    },
    /// Nothing, whatever happens.
    Over,
}

/// Decides what follows what was planned: batches of an adaptive event, rounds of a Swiss or of
/// a knockout.
pub(crate) trait Continuation: fmt::Debug {
    /// The key of its choices in the table `event`, without the number at the end.
    fn key(&self) -> &'static str;

    /// Whether a limit that is not a matter of results is reached. It may be raised later.
    fn is_spent(&self, plan: &Plan) -> bool;

    /// What follows. Asked when every pair of the plan was given out, and again whenever a
    /// pair is settled. One void and one disqualification end nothing: who waits is asked
    /// again, and who is disqualified is paired no more.
    ///
    /// # Errors
    /// The store cannot be read.
    fn next(&mut self, so_far: &SoFar<'_>) -> Result<Next, RunError>;
}

/// A choice as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Choice {
    /// The pairs, in order; none: nothing follows.
    Pairs(Vec<PairSpec>),
    /// The same with byes.
    Round(Chosen),
    /// One more visit to each of these openings: so the first versions wrote it.
    Visits(Vec<u32>),
    /// Nothing follows, unless the arbiter decides more than he had by then.
    Over(Over),
}

impl Choice {
    fn is_empty(&self) -> bool {
        match self {
            Choice::Pairs(pairs) => pairs.is_empty(),
            Choice::Round(chosen) => chosen.pairs.is_empty(),
            Choice::Visits(openings) => openings.is_empty(),
            Choice::Over(_) => true,
        }
    }

    /// The decisions of the arbiter that had been made when nothing followed any more.
    fn ends_after(&self) -> Option<u64> {
        match self {
            Choice::Over(over) => Some(over.over_after_decisions),
            choice => choice.is_empty().then_some(0),
        }
    }

    fn append_to(&self, plan: &mut Plan) {
        match self {
            Choice::Pairs(pairs) => plan.append(pairs),
            Choice::Round(chosen) => plan.append(&chosen.pairs),
            Choice::Visits(openings) => plan.append(&plan.visiting(openings)),
            Choice::Over(_) => {}
        }
    }

    fn text(&self) -> String {
        match self {
            Choice::Pairs(pairs) => serde_json::json!(pairs),
            Choice::Round(chosen) => serde_json::json!(chosen),
            Choice::Visits(openings) => serde_json::json!(openings),
            Choice::Over(over) if over.over_after_decisions == 0 => serde_json::json!([]),
            Choice::Over(over) => serde_json::json!(over),
        }
        .to_string()
    }
}

/// What came of asking for more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Growth {
    /// The plan is longer.
    Grown,
    /// It may become longer.
    Waiting,
    /// It becomes longer when this round may begin.
    Later {
        /// The round.
        round: u16,
        /// When.
        at: UnixMillis,
    },
    /// It does not become longer any more.
    Over,
}

/// A continuation with the choices that it has made.
#[derive(Debug)]
pub(crate) struct Continued {
    rule: Box<dyn Continuation>,
    choices: Vec<Choice>,
    /// Decisions of the arbiter so far.
    decisions: u64,
}

impl Continued {
    /// The stored choices.
    ///
    /// # Errors
    /// The store cannot be read, or does not hold what this program writes there.
    pub(crate) fn read(
        rule: Box<dyn Continuation>,
        tournament: &Tournament,
        reader: &Reader,
    ) -> Result<Continued, RunError> {
        let mut continued = Continued {
            rule,
            choices: Vec::new(),
            decisions: reader.decisions().len(),
        };
        while let Some(text) = reader.value(&continued.next_key())? {
            let choice = parsed(&text).filter(|choice| is_possible(choice, tournament));
            continued
                .choices
                .push(choice.ok_or_else(|| senseless(&text))?);
        }
        Ok(continued)
    }

    fn next_key(&self) -> String {
        format!("{}{}", self.rule.key(), self.choices.len() + 1)
    }

    /// Appends all choices so far to the plan.
    pub(crate) fn complete(&self, plan: &mut Plan) {
        for choice in &self.choices {
            choice.append_to(plan);
        }
    }

    /// What was chosen last in an event that is played in rounds.
    pub(crate) fn last_round(&self) -> Option<&Chosen> {
        match self.choices.last()? {
            Choice::Round(chosen) => Some(chosen),
            _ => None,
        }
    }

    /// The arbiter has made so many decisions: what follows may be another than before.
    pub(crate) fn decided(&mut self, decisions: u64) {
        self.decisions = decisions;
    }

    /// Whether nothing follows the plan.
    pub(crate) fn is_over(&self, plan: &Plan) -> bool {
        let last = self.choices.last().and_then(Choice::ends_after);
        last.is_some_and(|decisions| decisions >= self.decisions) || self.rule.is_spent(plan)
    }

    /// Asks what follows, stores it, and appends it to the plan.
    ///
    /// # Errors
    /// The store cannot be read or written.
    pub(crate) fn extend(
        &mut self,
        plan: &mut Plan,
        open: u64,
        withdrawn: &BTreeSet<u16>,
        store: &Store,
    ) -> Result<Growth, RunError> {
        self.extend_by(plan, open, withdrawn, store, Some)
    }

    /// The same, with only those pairs of a round for now that `pick` takes: encounters of a tree are
    /// chosen as they come up, and who makes a store anew knows in which order that was.
    ///
    /// # Errors
    /// The store cannot be read or written.
    pub(crate) fn extend_by(
        &mut self,
        plan: &mut Plan,
        open: u64,
        withdrawn: &BTreeSet<u16>,
        store: &Store,
        pick: impl FnOnce(Chosen) -> Option<Chosen>,
    ) -> Result<Growth, RunError> {
        if self.is_over(plan) {
            // What is open is still played.
            return if open > 0 {
                Ok(Growth::Waiting)
            } else {
                over(plan, store)
            };
        }
        let so_far = SoFar {
            plan,
            open,
            withdrawn,
            store,
        };
        let choice = match self.rule.next(&so_far)? {
            Next::Wait => return Ok(Growth::Waiting),
            Next::Later { round, at } => return Ok(Growth::Later { round, at }),
            Next::Over => Choice::Over(Over {
                over_after_decisions: self.decisions,
            }),
            Next::Pairs(pairs) => Choice::Pairs(pairs),
            Next::Round(chosen) => match pick(chosen) {
                Some(chosen) => Choice::Round(chosen),
                None => return Ok(Growth::Waiting),
            },
        };
        store.set_event(&[(&self.next_key(), &choice.text())])?;
        choice.append_to(plan);
        let settled = choice.is_empty();
        self.choices.push(choice);
        match (settled, open) {
            (false, _) => Ok(Growth::Grown),
            (true, 0) => over(plan, store),
            (true, _) => Ok(Growth::Waiting),
        }
    }
}

/// Nothing follows: from now on it is known how many games there are.
fn over(plan: &Plan, store: &Store) -> Result<Growth, RunError> {
    store.set_event(&[("planned_games", &plan.games().to_string())])?;
    Ok(Growth::Over)
}

fn parsed(text: &str) -> Option<Choice> {
    let visits = serde_json::from_str(text).ok().map(Choice::Visits);
    let pairs = || serde_json::from_str(text).ok().map(Choice::Pairs);
    let round = || serde_json::from_str(text).ok().map(Choice::Round);
    let over = || serde_json::from_str(text).ok().map(Choice::Over);
    visits.or_else(pairs).or_else(over).or_else(round)
}

/// Whether there are such openings and participants in the event.
fn is_possible(choice: &Choice, tournament: &Tournament) -> bool {
    let openings = tournament.openings.len();
    let participants = tournament.participants();
    let is_pair = |pair: &PairSpec| {
        let seats = [pair.first, pair.second];
        pair.opening < openings
            && (1..=2).contains(&pair.games)
            && seats.iter().all(|seat| participants.contains(seat))
    };
    match choice {
        Choice::Pairs(pairs) => pairs.iter().all(is_pair),
        Choice::Round(chosen) => chosen.pairs.iter().all(is_pair),
        Choice::Visits(visits) => visits.iter().all(|opening| *opening < openings),
        Choice::Over(_) => true,
    }
}

fn senseless(text: &str) -> RunError {
    let what = format!("the event's store holds a batch of pairs that makes no sense: {text}");
    RunError::System(std::io::Error::other(what))
}
