//! What ends a run before its plan does: the decision of an SPRT, or its time.

use std::time::{Duration, Instant};

use crate::config::{EloModel, SprtSettings, Tournament};
use crate::event::{GameId, Seat};
use crate::run::error::RunError;
use crate::sink::SprtWatch;
use crate::stats::sprt::{DEFAULT_BATCH, Hypotheses, Model, Sprt};
use crate::store::Reader;

/// Watches the results of an event for a reason to stop. Fed with whole pairs
/// only, so that nothing is ever half counted.
#[derive(Debug)]
pub struct StopRule {
    test: Option<SprtWatch>,
    begun: Instant,
    longest: Option<Duration>,
}

impl StopRule {
    /// The rule of an event, with all results that are stored already.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn new(tournament: &Tournament, reader: &Reader) -> Result<StopRule, RunError> {
        let test = tournament.sprt.as_ref();
        let test = test.map(|settings| SprtWatch::new(sequential_test(settings)));
        let longest = tournament
            .sprt
            .as_ref()
            .and_then(|settings| settings.max_time);
        let mut rule = StopRule {
            test,
            begun: Instant::now(),
            longest,
        };
        if rule.test.is_some() {
            for result in reader.results() {
                let result = result?;
                rule.result(result.id, result.seats, result.white_half_points);
            }
        }
        Ok(rule)
    }

    /// Takes a finished game; whether to stop.
    pub fn result(&mut self, id: GameId, seats: [Seat; 2], white_half_points: u8) -> bool {
        match &mut self.test {
            Some(test) => test.result(id, seats, white_half_points),
            None => false,
        }
    }

    /// Whether a decision has been taken.
    pub fn is_decided(&self) -> bool {
        self.test.as_ref().is_some_and(SprtWatch::is_decided)
    }

    /// Whether the event's time is over.
    pub fn time_is_up(&self) -> bool {
        self.longest
            .is_some_and(|longest| self.begun.elapsed() >= longest)
    }

    /// The test with all results so far, for a display of its own.
    pub fn watch(&self) -> Option<&SprtWatch> {
        self.test.as_ref()
    }

    /// The test, if there is one.
    pub fn sprt(&self) -> Option<&Sprt> {
        self.test.as_ref().map(SprtWatch::sprt)
    }
}

/// The test that the event file asks for. Its numbers were checked there.
pub fn sequential_test(settings: &SprtSettings) -> Sprt {
    let model = match settings.model {
        EloModel::Normalized => Model::Normalized,
        EloModel::Logistic => Model::Logistic,
        EloModel::Bayesian => Model::Bayesian,
    };
    let &SprtSettings {
        elo0,
        elo1,
        alpha,
        beta,
        ..
    } = settings;
    let hypotheses = Hypotheses::new(model, elo0, elo1, alpha, beta);
    let hypotheses = hypotheses.expect("the event file's hypotheses were checked");
    Sprt::new(hypotheses, DEFAULT_BATCH, true)
}
