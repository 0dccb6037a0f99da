//! Where an event goes on that is played in rounds: Swiss, knockout, double elimination, ladder,
//! and leagues whose positions are drawn by round.

use crate::config::Tournament;
use crate::run::continuation::{Continuation, Next, SoFar};
use crate::run::error::RunError;
use crate::schedule::{Following, Plan, RoundFormat, Rounds, Unpairable};
use crate::text::printable;
use crate::tournament::{ROUND_CHOICE, history_without};

/// The rule of an event in rounds.
#[derive(Debug)]
pub(crate) struct InRounds {
    rounds: Rounds,
    /// The names of the engines.
    names: Vec<String>,
}

impl InRounds {
    /// `None` if the event is not played in rounds.
    pub(crate) fn new(tournament: &Tournament) -> Option<InRounds> {
        let names = tournament.engines.iter().map(|engine| engine.name.clone());
        Some(InRounds {
            rounds: tournament.rounds()?,
            names: names.collect(),
        })
    }

    fn name(&self, engine: u16) -> String {
        let name = self.names.get(usize::from(engine));
        name.map_or_else(|| engine.to_string(), |name| printable(name).into_owned())
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

    fn next(&mut self, so_far: &SoFar<'_>) -> Result<Next, RunError> {
        let waits = matches!(self.rounds.format, RoundFormat::Swiss(_));
        if waits && so_far.open > 0 {
            return Ok(Next::Wait);
        }
        let reader = so_far.store.reader()?;
        let history = history_without(&reader, so_far.withdrawn)?;
        let extra = reader.decisions().extra_rounds();
        let following = self.rounds.clone().extended(extra).next(&history);
        let round = history.last_round() + 1;
        Ok(
            match following.map_err(|error| self.unpairable(round, &error))? {
                Following::Chosen(chosen) => Next::Round(chosen),
                Following::Wait => Next::Wait,
                Following::Over => Next::Over,
            },
        )
    }
}
