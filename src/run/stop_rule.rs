//! What ends a run before its plan does: the decision of an SPRT, or its time.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::config::{EloModel, SprtSettings, Tournament};
use crate::event::{GameId, PairId, Seat};
use crate::run::error::RunError;
use crate::stats::counts::{GameScore, PairScore};
use crate::stats::sprt::{DEFAULT_BATCH, Decision, Hypotheses, Model, Sprt};
use crate::store::Reader;

/// Watches the results of an event for a reason to stop. Fed with whole pairs
/// only, so that nothing is ever half counted.
#[derive(Debug)]
pub struct StopRule {
    test: Option<Test>,
    begun: Instant,
    longest: Option<Duration>,
}

#[derive(Debug)]
struct Test {
    sprt: Sprt,
    /// The engine that the hypotheses are about: the first of the event file.
    engine: Seat,
    /// Pairs of which one game is known.
    halves: HashMap<PairId, GameScore>,
}

impl StopRule {
    /// The rule of an event, with all results that are stored already.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn new(tournament: &Tournament, reader: &Reader) -> Result<StopRule, RunError> {
        let test = tournament.sprt.as_ref().map(|settings| Test {
            sprt: sequential_test(settings),
            engine: Seat { engine: 0, copy: 0 },
            halves: HashMap::new(),
        });
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
        self.sprt()
            .is_some_and(|sprt| sprt.status().decision != Decision::Undecided)
    }

    /// Whether the event's time is over.
    pub fn time_is_up(&self) -> bool {
        self.longest
            .is_some_and(|longest| self.begun.elapsed() >= longest)
    }

    /// The test, if there is one.
    pub fn sprt(&self) -> Option<&Sprt> {
        self.test.as_ref().map(|test| &test.sprt)
    }
}

impl Test {
    fn result(&mut self, id: GameId, seats: [Seat; 2], white_half_points: u8) -> bool {
        let white = match white_half_points {
            0 => GameScore::Loss,
            1 => GameScore::Draw,
            _ => GameScore::Win,
        };
        let score = if seats[0] == self.engine {
            white
        } else {
            white.reversed()
        };
        if let Some(first) = self.halves.remove(&id.pair) {
            self.sprt.update(PairScore::new(first, score));
        } else {
            self.halves.insert(id.pair, score);
        }
        self.sprt.status().decision != Decision::Undecided
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
