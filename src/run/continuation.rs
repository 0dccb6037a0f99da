//! A plan that grows: what is played next, where that depends on results.
//!
//! **Invariant: a choice is stored before its first game, with the decisions from which it was made, and made once.**
//! Resume reads it and does not make it again. What it may depend on is what is durable and cannot change any
//! more: pairs that are settled, in the order of the plan.
//!
//! A pair is *settled* when its games are stored, or when it is not played because an engine
//! is disqualified. A voided pair is not settled: it is played again, in this run or the next.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::error::RunError;
use crate::config::Tournament;
use crate::event::{PairId, UnixMillis};
use crate::schedule::{Chosen, Following, History, PairSpec, Plan, Rounds, Unpairable};
use crate::store::{Reader, Store, StoreError};
use crate::text::printable;
use crate::tournament::{
    Choice, PendingBids, PendingRound, ROUND_CHOICE, add_results, bids_key, bids_wait, history_of,
};

/// What a continuation is asked with.
#[derive(Debug)]
pub(crate) struct PlannedSoFar<'run> {
    /// All that was planned and chosen so far.
    pub plan: &'run Plan,
    /// What was chosen of it, in order.
    pub choices: &'run [Choice],
    /// Pairs of the plan that are given out, and not settled.
    pub open: BTreeSet<PairId>,
    /// Those of which the second game is due; nothing else of the plan waits to be begun.
    pub half_played: u64,
    /// The engines that play no more pairs.
    pub withdrawn: &'run BTreeSet<u16>,
    /// Where the results are.
    pub store: &'run Store,
    /// The moment: what begins at a time has begun or not.
    pub now: UnixMillis,
}

/// What follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Next {
    /// These pairs and byes now, in this order.
    Chosen(Chosen),
    /// It depends on pairs that are open; ask again when another one is settled.
    Wait,
    /// Something does not begin before its moment; ask again then.
    Later(PendingRound),
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
    fn next(&mut self, so_far: &PlannedSoFar<'_>) -> Result<Next, RunError>;
}

/// What came of asking for more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Growth {
    /// The plan is longer.
    Grown,
    /// It may become longer.
    Waiting,
    /// The arbiter has decided meanwhile: ask again when that is read.
    Decided,
    /// It becomes longer when this may begin.
    Later(PendingRound),
    /// It does not become longer any more.
    Over,
}

/// A continuation with the choices that it has made.
#[derive(Debug)]
pub(crate) struct Continued {
    rule: Box<dyn Continuation>,
    choices: Vec<Choice>,
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
        let choices = Choice::read_all(reader, rule.key())?;
        let is_wrong = |choice: &&Choice| !is_possible(choice, tournament);
        if let Some(choice) = choices.iter().find(is_wrong) {
            let error = format!("no such openings or engines: {choice:?}");
            return Err(reader.unreadable(rule.key(), &error).into());
        }
        Ok(Continued { rule, choices })
    }

    /// Appends all choices so far to the plan.
    pub(crate) fn complete(&self, plan: &mut Plan) {
        for choice in &self.choices {
            choice.append_to(plan);
        }
    }

    /// What was chosen last in an event that is played in rounds.
    pub(crate) fn last_round(&self) -> Option<&Chosen> {
        self.choices.last()?.chosen()
    }

    /// Whether nothing follows the plan after so many decisions of the arbiter.
    pub(crate) fn is_over(&self, plan: &Plan, decisions: u64) -> bool {
        let last = self.choices.last().and_then(Choice::ends_after);
        last.is_some_and(|known| known >= decisions) || self.rule.is_spent(plan)
    }

    /// Asks what follows, stores it if the arbiter has made no more than these decisions, and appends it to the plan. Of
    /// a round only those pairs are taken for now that `pick` takes: encounters of a tree are chosen as they come up, and
    /// a rebuild of the store knows in which order that was.
    ///
    /// # Errors
    /// The store cannot be read or written.
    pub(crate) fn extend(
        &mut self,
        plan: &mut Plan,
        (open, half_played): (BTreeSet<PairId>, u64),
        (withdrawn, decisions): (&BTreeSet<u16>, u64),
        store: &Store,
        pick: impl FnOnce(Chosen) -> Option<Chosen>,
        now: UnixMillis,
    ) -> Result<Growth, RunError> {
        let left = open.len() as u64 + half_played;
        if self.is_over(plan, decisions) {
            return over(plan, left, store);
        }
        let so_far = PlannedSoFar {
            plan,
            choices: &self.choices,
            open,
            half_played,
            withdrawn,
            store,
            now,
        };
        let choice = match self.rule.next(&so_far)? {
            Next::Wait => return Ok(Growth::Waiting),
            Next::Later(pending) => return Ok(Growth::Later(pending)),
            Next::Over => Choice::Over {
                after_decisions: decisions,
            },
            Next::Chosen(chosen) => match pick(chosen) {
                Some(chosen) => Choice::Chosen(chosen),
                None => return Ok(Growth::Waiting),
            },
        };
        let text = serde_json::json!(choice).to_string();
        let key = format!("{}{}", self.rule.key(), self.choices.len() + 1);
        match store.set_decided(&[(&key, &text)], Some(decisions)) {
            Err(StoreError::Decided(_)) => return Ok(Growth::Decided),
            written => written?,
        }
        choice.append_to(plan);
        let settled = choice.ends_after().is_some();
        self.choices.push(choice);
        if settled {
            over(plan, left, store)
        } else {
            Ok(Growth::Grown)
        }
    }
}

/// Nothing follows. What is open is still played; then it is known how many games there are.
pub(super) fn over(plan: &Plan, open: u64, store: &Store) -> Result<Growth, RunError> {
    if open > 0 {
        return Ok(Growth::Waiting);
    }
    store.set_event(&[("planned_games", &plan.games().to_string())])?;
    Ok(Growth::Over)
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
    choice.pairs().iter().all(is_pair)
}

/// The rule of an event in rounds.
#[derive(Debug)]
pub(crate) struct InRounds {
    tournament: Arc<Tournament>,
    rounds: Rounds,
}

impl InRounds {
    /// `None` if the event is not played in rounds.
    pub(crate) fn new(tournament: &Arc<Tournament>) -> Option<InRounds> {
        Some(InRounds {
            tournament: Arc::clone(tournament),
            rounds: tournament.rounds()?,
        })
    }

    /// What may begin now of what was chosen.
    fn in_time(
        &self,
        mut chosen: Chosen,
        mut later: Vec<PendingRound>,
        so_far: &PlannedSoFar<'_>,
        reader: &Reader,
    ) -> Result<Next, RunError> {
        let times = &self.tournament.round_times;
        let pauses = times.iter().any(|time| !time.pause.is_zero());
        let last_game = if pauses { reader.last_end()? } else { None };
        let mut begins = |round: u16| {
            let time = times.get(usize::from(round).saturating_sub(1));
            let time = time.copied().unwrap_or_default();
            let after_pause = last_game.map(|UnixMillis(last)| {
                let pause = i64::try_from(time.pause.as_millis()).unwrap_or(i64::MAX);
                UnixMillis(last.saturating_add(pause))
            });
            let after_pause = after_pause.filter(|_| !time.pause.is_zero());
            let at = time.starts.max(after_pause).filter(|at| *at > so_far.now);
            later.extend(at.map(|at| PendingRound {
                round,
                starts_ms: at.0,
                bids: None,
            }));
            at.is_none()
        };
        let pairs = &mut chosen.pairs;
        pairs.retain(|pair| pair.place.is_none_or(|place| begins(place.round)));
        let order = |one: &PendingRound| (one.starts_ms, one.round);
        let next = later.into_iter().min_by_key(order);
        Ok(match (chosen.pairs.is_empty(), next) {
            (true, Some(pending)) if so_far.open.is_empty() => Next::Later(pending),
            (true, Some(_)) => Next::Wait,
            _ => Next::Chosen(chosen),
        })
    }

    /// Takes out the armageddon games whose bids are missing, and can still come.
    fn without_bids(
        &self,
        chosen: &mut Chosen,
        history: &History,
        (so_far, reader): (&PlannedSoFar<'_>, &Reader),
    ) -> Result<Vec<PendingRound>, RunError> {
        let UnixMillis(now) = so_far.now;
        let mut later = Vec::new();
        for bids in self.rounds.awaited_bids(chosen, history) {
            let known = bids_wait(reader, &bids, |engine| self.name(engine))?;
            let begins = known.is_none();
            let number = self.tournament.openings.number(bids.opening);
            let wait = known.unwrap_or_else(|| PendingRound {
                round: bids.place.round,
                starts_ms: now.saturating_add(bids.wait_ms),
                bids: Some(PendingBids {
                    board: bids.place.board,
                    number: number.map(|number| number.0),
                    missing: bids.missing.iter().map(|one| self.name(*one)).collect(),
                }),
            });
            if wait.starts_ms <= now {
                continue;
            }
            if begins {
                let text = serde_json::json!(wait).to_string();
                so_far.store.set_event(&[(&bids_key(&bids), &text)])?;
            }
            chosen.pairs.retain(|pair| pair.place != Some(bids.place));
            later.push(wait);
        }
        Ok(later)
    }

    fn name(&self, engine: u16) -> String {
        let spec = self.tournament.engines.get(usize::from(engine));
        spec.map_or_else(
            || engine.to_string(),
            |spec| printable(&spec.name).into_owned(),
        )
    }

    /// Who is in the way of a pairing.
    fn unpairable(&self, round: u16, unpairable: &Unpairable) -> RunError {
        let pairs = unpairable.conflict.iter();
        let named =
            pairs.map(|[one, other]| format!("{} – {}", self.name(*one), self.name(*other)));
        RunError::Unpairable {
            round,
            conflict: named.collect(),
        }
    }
}

impl Continuation for InRounds {
    fn key(&self) -> &'static str {
        ROUND_CHOICE
    }

    fn is_spent(&self, _plan: &Plan) -> bool {
        false
    }

    fn next(&mut self, so_far: &PlannedSoFar<'_>) -> Result<Next, RunError> {
        let last = so_far.choices.last().and_then(Choice::chosen);
        let last = last.and_then(|chosen| chosen.pairs.last());
        let ends_section = |pair: &PairSpec| {
            let round = pair.place.map(|place| place.round);
            pair.section().is_some_and(|(last, _)| Some(last) == round)
        };
        let is_idle = so_far.open.is_empty() && so_far.half_played == 0;
        if last.is_some_and(ends_section) && !is_idle {
            return Ok(Next::Wait);
        }
        let reader = so_far.store.reader()?;
        let chosen = so_far.choices.iter().filter_map(Choice::chosen);
        let mut history = history_of(chosen, &reader);
        if self.rounds.results_decide() {
            add_results(&mut history, &reader)?;
        }
        history.withdrawn.clone_from(so_far.withdrawn);
        history.running.clone_from(&so_far.open);
        let mut rounds = self.rounds.clone();
        rounds.extra_rounds = reader.decisions().extra_rounds();
        let following = rounds.next(&history);
        let round = history.last_round() + 1;
        Ok(
            match following.map_err(|error| self.unpairable(round, &error))? {
                Following::Chosen(chosen) => {
                    let swapped = self.tournament.swapped_games;
                    let mut chosen = self.rounds.in_sections(chosen, swapped);
                    let later = self.without_bids(&mut chosen, &history, (so_far, &reader))?;
                    self.in_time(chosen, later, so_far, &reader)?
                }
                Following::Wait => Next::Wait,
                Following::Over => Next::Over,
            },
        )
    }
}

#[cfg(test)]
mod tests;
