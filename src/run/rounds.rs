//! How an event that is played in rounds continues: Swiss, knockout, double elimination, ladder,
//! and leagues whose positions are drawn by round.

use std::sync::Arc;

use crate::config::Tournament;
use crate::event::UnixMillis;
use crate::run::continuation::{Continuation, Next, PlannedSoFar};
use crate::run::error::RunError;
use crate::schedule::{Chosen, Following, Plan, RoundFormat, Rounds, Unpairable};
use crate::store::Reader;
use crate::text::printable;
use crate::tournament::{Choice, ROUND_CHOICE, add_results, history_of};

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
    fn in_time(&self, mut chosen: Chosen, open: u64, reader: &Reader) -> Result<Next, RunError> {
        let now = UnixMillis::now();
        let mut next: Option<(UnixMillis, u16)> = None;
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
            let at = time.starts.max(after_pause).filter(|at| *at > now);
            if let Some(at) = at {
                next = Some(next.map_or((at, round), |known| known.min((at, round))));
            }
            at.is_none()
        };
        chosen
            .pairs
            .retain(|pair| pair.place.is_none_or(|place| begins(place.round)));
        Ok(match (chosen.pairs.is_empty(), next) {
            (true, Some((at, round))) if open == 0 => Next::Later { round, at },
            (true, Some(_)) => Next::Wait,
            _ => Next::Round(chosen),
        })
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
        let waits = matches!(self.rounds.format, RoundFormat::Swiss(_));
        if waits && so_far.open > 0 {
            return Ok(Next::Wait);
        }
        let reader = so_far.store.reader()?;
        let chosen = so_far.choices.iter().filter_map(Choice::chosen);
        let mut history = history_of(chosen, &reader);
        if self.rounds.results_decide() {
            add_results(&mut history, &reader)?;
        }
        history.withdraw(so_far.withdrawn);
        let extra = reader.decisions().extra_rounds();
        let following = self.rounds.clone().extended(extra).next(&history);
        let round = history.last_round() + 1;
        Ok(
            match following.map_err(|error| self.unpairable(round, &error))? {
                Following::Chosen(chosen) => self.in_time(chosen, so_far.open, &reader)?,
                Following::Wait => Next::Wait,
                Following::Over => Next::Over,
            },
        )
    }
}
