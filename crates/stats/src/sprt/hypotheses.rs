//! The two hypotheses of a test and its error rates.

use serde::Serialize;

use crate::counts::{PairCounts, Sample, Trinomial};
use crate::elo::elo_from_score;
use crate::{StatisticsError, refused};

use super::brownian::{Truncation, fewest_pairs};
use super::llr::{Model, log_likelihood_ratio};

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
    ) -> Result<Self, StatisticsError> {
        if !(elo0.is_finite() && elo1.is_finite()) {
            return refused("a bound of the test is not a finite number");
        }
        if elo0 == elo1 {
            return refused(format!(
                "both bounds of the test are {elo0}: there is nothing to decide"
            ));
        }
        if elo0 > elo1 {
            return refused(format!("elo0 = {elo0} is above elo1 = {elo1}"));
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return refused(format!("{name} = {value} does not lie between 0 and 0.5"));
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
    pub fn truncated_at(self, pairs: u64) -> Result<Self, StatisticsError> {
        if self.model != Model::Normalized {
            return refused("a test that decides at a given pair is of normalised Elo");
        }
        let (distance, errors) = (self.elo1 - self.elo0, [self.alpha, self.beta]);
        let truncation = Truncation::new(distance, errors, self.bounds(), pairs);
        if truncation.is_none() {
            return refused(format!(
                "{pairs} pairs are too few to keep both error rates: {} are needed",
                self.fewest_pairs()
            ));
        }
        Ok(Self { truncation, ..self })
    }

    /// The fewest pairs [at which it can end](Self::truncated_at).
    pub fn fewest_pairs(&self) -> u64 {
        fewest_pairs(self.elo1 - self.elo0, [self.alpha, self.beta])
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
        self.resolved_at(|| drawelo(games).unwrap_or_else(|| drawelo_from_draw_ratio(0.5)))
    }

    /// The same at this draw parameter.
    pub(super) fn resolved_at(&self, drawelo: impl FnOnce() -> f64) -> (Model, [f64; 2]) {
        let bounds = [self.elo0, self.elo1];
        if self.model != Model::Bayesian {
            return (self.model, bounds);
        }
        let drawelo = drawelo();
        let bounds = bounds.map(|bound| logistic_elo(bound, drawelo));
        (Model::Logistic, bounds)
    }

    /// The log-likelihood ratio of H1 against H0 after these pairs.
    pub fn llr(&self, counts: &PairCounts) -> f64 {
        self.llr_of(&counts.pairs.into(), &counts.games)
    }

    /// The same of a sample and its games.
    pub(super) fn llr_of(&self, sample: &Sample, games: &Trinomial) -> f64 {
        let (model, bounds) = self.resolved(games);
        log_likelihood_ratio(model, bounds, sample)
    }

    /// The log-likelihood ratio of H1 against H0 after these games, as if they were independent of
    /// each other; 0 of BayesElo bounds until both sides have won.
    pub fn llr_of_games(&self, games: &Trinomial) -> f64 {
        let one_sided = games.wins() == 0 || games.losses() == 0;
        if self.model == Model::Bayesian && one_sided {
            return 0.0;
        }
        self.llr_of(&(*games).into(), games)
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

// BayesElo's scale, for bounds that were given in it, and the ratio of cutechess-cli.
//
// P(win) = 1/(1 + 10^((drawelo-b)/400)), P(loss) = 1/(1 + 10^((drawelo+b)/400)):
// the model of Rao and Kupper as used by R. Coulom's BayesElo.

/// The draw parameter of the games played, zero counts regularised: 200 log₁₀ of the
/// product of the odds of not losing and not winning. `None` without games.
pub fn drawelo(games: &Trinomial) -> Option<f64> {
    let sample = Sample::from(*games);
    if sample.is_empty() {
        return None;
    }
    Some(drawelo_of(sample.regularized().cells()))
}

/// The draw parameter of two equal engines that draw a share `draw_ratio`, in (0, 1).
pub fn drawelo_from_draw_ratio(draw_ratio: f64) -> f64 {
    let decided = (1.0 - draw_ratio) / 2.0;
    drawelo_of(&[decided, draw_ratio, decided])
}

fn drawelo_of(cells: &[f64]) -> f64 {
    let total: f64 = cells.iter().sum();
    let (loss, win) = (cells[0] / total, cells[2] / total);
    200.0 * ((1.0 - loss) / loss * (1.0 - win) / win).log10()
}

/// Probabilities of loss, draw and win at BayesElo difference `bayeselo`.
pub fn probabilities(bayeselo: f64, drawelo: f64) -> [f64; 3] {
    let expected = |x: f64| 1.0 / (1.0 + 10f64.powf(x / 400.0));
    let (win, loss) = (expected(drawelo - bayeselo), expected(drawelo + bayeselo));
    [loss, (1.0 - win - loss).max(0.0), win]
}

/// The Elo difference with the mean score of a BayesElo difference.
pub fn logistic_elo(bayeselo: f64, drawelo: f64) -> f64 {
    let [loss, _, win] = probabilities(bayeselo, drawelo);
    elo_from_score((0.5 + 0.5 * (win - loss)).clamp(1e-12, 1.0 - 1e-12))
}

/// cutechess' ratio: half a game more in every cell, bounds divided by BayesElo's
/// scale 4x/(1+x)², x = 10^(-drawelo/400).
pub fn cutechess_llr(bounds: [f64; 2], games: &Trinomial) -> f64 {
    if games.games() == 0 {
        return 0.0;
    }
    let cells = games.0.map(|count| count as f64 + 0.5);
    let drawelo = drawelo_of(&cells);
    let x = 10f64.powf(-drawelo / 400.0);
    let scale = 4.0 * x / (1.0 + x).powi(2);
    let [p0, p1] = bounds.map(|bound| probabilities(bound / scale, drawelo));
    // A probability that underflows is as good as impossible, not infinitely so.
    let ln = |p: f64| p.max(f64::MIN_POSITIVE).ln();
    let terms = cells.iter().zip(p1.iter().zip(&p0));
    terms.map(|(n, (&p1, &p0))| n * (ln(p1) - ln(p0))).sum()
}

// Siegmund's correction for what a test overshoots its bounds.
//
// Wald's bounds are right for a ratio that stops exactly on them. A ratio that moves
// in steps ends beyond, so that tests last longer than they need to. The mean excess
// of a random walk is estimated from its own record steps d by Σd²/(2Σd) (D. Siegmund,
// "Sequential Analysis", corollary 8.33), and the bounds move inward by it.

/// The record steps of the ratio so far.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Overshoot {
    lowest: f64,
    highest: f64,
    /// The sum of the steps and of their squares, down and up.
    steps: [[f64; 2]; 2],
}

impl Overshoot {
    /// Notes the ratio after one more batch; all batches must be of one size.
    pub(super) fn observe(&mut self, llr: f64) {
        let records = [self.lowest - llr, llr - self.highest];
        for (sums, step) in self.steps.iter_mut().zip(records) {
            if step > 0.0 {
                *sums = [sums[0] + step, sums[1] + step * step];
            }
        }
        self.lowest = self.lowest.min(llr);
        self.highest = self.highest.max(llr);
    }

    /// The bounds, moved inward by the expected excess.
    pub(super) fn tighten(&self, [lower, upper]: [f64; 2]) -> [f64; 2] {
        let [down, up] = self
            .steps
            .map(|[sum, squares]| if sum > 0.0 { 0.5 * squares / sum } else { 0.0 });
        [lower + down, upper - up]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_tests_are_refused_by_name() {
        let test = |elo0, elo1, alpha| Hypotheses::new(Model::Logistic, elo0, elo1, alpha, 0.05);
        assert_eq!(
            test(3.0, 3.0, 0.05),
            refused("both bounds of the test are 3: there is nothing to decide")
        );
        assert_eq!(test(5.0, 0.0, 0.05), refused("elo0 = 5 is above elo1 = 0"));
        assert_eq!(
            test(f64::NAN, 0.0, 0.05),
            refused("a bound of the test is not a finite number")
        );
        assert_eq!(
            test(0.0, 5.0, 0.5),
            refused("alpha = 0.5 does not lie between 0 and 0.5")
        );
    }

    #[test]
    fn the_usual_bounds() {
        let [lower, upper] = Hypotheses::new(Model::Normalized, 0.0, 5.0, 0.05, 0.05)
            .unwrap()
            .bounds();
        assert!((upper - 2.944_438_979_166_44).abs() < 1e-14 && lower == -upper);
    }
}

#[cfg(test)]
mod bayeselo_tests {
    use super::*;

    #[test]
    fn the_draw_parameter_is_recovered() {
        let [loss, draw, win] = probabilities(0.0, 120.0);
        assert!((loss - win).abs() < 1e-15);
        assert!((drawelo_from_draw_ratio(draw) - 120.0).abs() < 1e-9);
        assert_eq!(drawelo(&Trinomial::default()), None);
    }

    #[test]
    fn even_matches_favour_neither_symmetric_bound() {
        let games = Trinomial([100, 300, 100]);
        let llr = cutechess_llr([-5.0, 5.0], &games);
        assert!(llr.abs() < 1e-9, "{llr}");
    }
}

#[cfg(test)]
mod overshoot_tests {
    use super::*;

    #[test]
    fn only_records_count() {
        let mut overshoot = Overshoot::default();
        for llr in [1.0, 0.5, 1.5, -0.5] {
            overshoot.observe(llr);
        }
        // up: steps 1 and 0.5; down: one step of 0.5
        assert_eq!(overshoot.tighten([-3.0, 3.0]), [-2.75, 3.0 - 1.25 / 3.0]);
    }

    #[test]
    fn bounds_stay_before_the_first_batch() {
        assert_eq!(Overshoot::default().tighten([-3.0, 3.0]), [-3.0, 3.0]);
    }
}
