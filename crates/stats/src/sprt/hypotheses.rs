//! The two hypotheses of a test and its error rates.

use serde::Serialize;
use thiserror::Error;

use super::bayeselo::{drawelo, drawelo_from_draw_ratio, logistic_elo};
use super::llr::{Model, log_likelihood_ratio};
use super::truncated::{Truncation, fewest_pairs};
use crate::counts::{PairCounts, Trinomial};

/// Why no test can be made of these numbers.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum HypothesesError {
    /// A bound is infinite or not a number.
    #[error("a bound of the test is not a finite number")]
    NotFinite,
    /// Nothing lies between the bounds.
    #[error("both bounds of the test are {0}: there is nothing to decide")]
    EqualBounds(f64),
    /// The bounds are in the wrong order.
    #[error("elo0 = {elo0} is above elo1 = {elo1}")]
    Reversed {
        /// The lower bound given.
        elo0: f64,
        /// The upper bound given.
        elo1: f64,
    },
    /// An error rate is not strictly between 0 and 1/2.
    #[error("{name} = {value} does not lie between 0 and 0.5")]
    ErrorRate {
        /// `alpha` or `beta`.
        name: &'static str,
        /// The value given.
        value: f64,
    },
    /// Only normalised Elo says before the first game how much a pair tells.
    #[error("a test that decides at a given pair is of normalised Elo")]
    NotNormalized,
    /// No test of that length has these error rates.
    #[error("{given} pairs are too few to keep both error rates: {needed} are needed")]
    TooFewPairs {
        /// The pairs given.
        given: u64,
        /// The fewest that would do.
        needed: u64,
    },
}

/// A checked test of H0: difference = elo0 against H1: difference = elo1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Hypotheses {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
    #[serde(skip_serializing_if = "Option::is_none")]
    truncation: Option<Truncation>,
}

impl Hypotheses {
    /// A test with the error rates `alpha` (H1 accepted though H0 holds) and `beta`.
    pub fn new(
        model: Model,
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
    ) -> Result<Self, HypothesesError> {
        if !(elo0.is_finite() && elo1.is_finite()) {
            return Err(HypothesesError::NotFinite);
        }
        if elo0 == elo1 {
            return Err(HypothesesError::EqualBounds(elo0));
        }
        if elo0 > elo1 {
            return Err(HypothesesError::Reversed { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(HypothesesError::ErrorRate { name, value });
            }
        }
        Ok(Self {
            elo0,
            elo1,
            alpha,
            beta,
            model,
            truncation: None,
        })
    }

    /// The same test with an end: after this number of pairs it has decided.
    ///
    /// # Errors
    /// Another model than normalised Elo, or too few pairs for the error rates.
    pub fn truncated_at(self, pairs: u64) -> Result<Self, HypothesesError> {
        if self.model != Model::Normalized {
            return Err(HypothesesError::NotNormalized);
        }
        let (distance, errors) = (self.elo1 - self.elo0, [self.alpha, self.beta]);
        let truncation = Truncation::new(distance, errors, self.bounds(), pairs);
        if truncation.is_none() {
            return Err(HypothesesError::TooFewPairs {
                given: pairs,
                needed: fewest_pairs(distance, errors),
            });
        }
        Ok(Self { truncation, ..self })
    }

    /// Where the test ends at the latest.
    pub fn truncation(&self) -> Option<&Truncation> {
        self.truncation.as_ref()
    }

    /// The difference under H0, in the model's scale.
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The difference under H1, in the model's scale.
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The scale of the bounds.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The bounds in a scale that does not depend on draws: BayesElo bounds become logistic ones at the draw rate of
    /// `games` (without games, at the rate of equal engines that draw half their games), all others stay as they are.
    pub fn resolved(&self, games: &Trinomial) -> (Model, [f64; 2]) {
        let bounds = [self.elo0, self.elo1];
        if self.model != Model::Bayesian {
            return (self.model, bounds);
        }
        let drawelo = drawelo(games).unwrap_or_else(|| drawelo_from_draw_ratio(0.5));
        (
            Model::Logistic,
            bounds.map(|bound| logistic_elo(bound, drawelo)),
        )
    }

    /// The log-likelihood ratio of H1 against H0 after these pairs.
    pub fn llr(&self, counts: &PairCounts) -> f64 {
        let (model, bounds) = self.resolved(&counts.games);
        log_likelihood_ratio(model, bounds, &counts.pairs.into())
    }

    /// The log-likelihood ratio of H1 against H0 after these games, as if they were independent of
    /// each other; 0 of BayesElo bounds until both sides have won.
    pub fn llr_of_games(&self, games: &Trinomial) -> f64 {
        let one_sided = games.wins() == 0 || games.losses() == 0;
        if self.model == Model::Bayesian && one_sided {
            return 0.0;
        }
        let (model, bounds) = self.resolved(games);
        log_likelihood_ratio(model, bounds, &(*games).into())
    }

    /// The bounds of the log-likelihood ratio, below which H0, above which H1 is accepted: Wald's, ln(β/(1-α)) and
    /// ln((1-β)/α), if the test has no end.
    pub fn bounds(&self) -> [f64; 2] {
        if let Some(truncation) = &self.truncation {
            return truncation.bounds;
        }
        [
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_tests_are_refused_by_name() {
        let test = |elo0, elo1, alpha| Hypotheses::new(Model::Logistic, elo0, elo1, alpha, 0.05);
        assert_eq!(test(3.0, 3.0, 0.05), Err(HypothesesError::EqualBounds(3.0)));
        assert_eq!(
            test(5.0, 0.0, 0.05),
            Err(HypothesesError::Reversed {
                elo0: 5.0,
                elo1: 0.0
            })
        );
        assert_eq!(test(f64::NAN, 0.0, 0.05), Err(HypothesesError::NotFinite));
        assert!(matches!(
            test(0.0, 5.0, 0.5),
            Err(HypothesesError::ErrorRate { .. })
        ));
    }

    #[test]
    fn the_usual_bounds() {
        let [lower, upper] = Hypotheses::new(Model::Normalized, 0.0, 5.0, 0.05, 0.05)
            .unwrap()
            .bounds();
        assert!((upper - 2.944_438_979_166_44).abs() < 1e-14 && lower == -upper);
    }
}
