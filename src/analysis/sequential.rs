//! The state and the estimates of an event's SPRT.

use serde::Serialize;

use crate::stats::counts::PairCounts;
use crate::stats::sample::Sample;
use crate::stats::sprt::approximations::{llr_alt, llr_alt2};
use crate::stats::sprt::bayeselo::{cutechess_llr, legacy_llr};
use crate::stats::sprt::{Hypotheses, Model, SprtStatus, StoppedTest, TestUnit};
use crate::tournament::SprtWatch;

/// The test that decides when the event ends, fed with the stored games in the order of finishing. Every
/// game counts, as it did for the decision: forfeits and copies too.
#[derive(Debug, Clone, Serialize)]
pub struct SequentialReport {
    /// Bounds, error rates, model.
    pub hypotheses: Hypotheses,
    /// Ratio, bounds, decision.
    #[serde(flatten)]
    pub status: SprtStatus,
    /// What it counts.
    pub unit: TestUnit,
    /// Start positions of a test [by starts](Unit::Starts).
    pub starts: usize,
    /// The variance of its mean over start positions divided by the variance for independent pairs, at least 1.
    pub design_effect: f64,
    /// Pairs that finished after the decision; they do not count. Always 0 for a test of single games.
    pub late_pairs: u64,
    /// Games that finished after the decision.
    pub late_games: u64,
    /// Expected pairs still to play; `None` after the decision.
    pub expected_pairs_left: Option<f64>,
    /// Pairs still to play that are not exceeded with 10, 50 and 90 % probability; `None` after
    /// the decision.
    pub pairs_left_range: Option<[f64; 3]>,
    /// The ratio of the same pairs as other programs compute it, for comparison; no decision here uses it.
    pub elsewhere: OtherRatios,
    /// Estimates that take the stopping rule into account; `None` before the decision.
    #[serde(flatten)]
    pub estimate: Option<StoppedTest>,
    /// The test.
    #[serde(skip)]
    pub(crate) test: SprtWatch,
}

/// Log-likelihood ratios by other formulas. A test that stops on the approximations stops within
/// the first pairs and is wrong in a third of all cases.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct OtherRatios {
    /// The normal approximation, of logistic bounds.
    normal: Option<f64>,
    /// The ratio of mean squared distances; not of BayesElo bounds.
    squares: Option<f64>,
    /// Of BayesElo bounds: old Fishtest's and OpenBench's, of games.
    legacy: Option<f64>,
    /// Of BayesElo bounds: cutechess', of games.
    cutechess: Option<f64>,
}

impl OtherRatios {
    fn new(hypotheses: &Hypotheses, counts: &PairCounts) -> OtherRatios {
        let bounds = [hypotheses.elo0(), hypotheses.elo1()];
        let model = hypotheses.model();
        let sample = Sample::from(counts.pairs);
        let bayesian = model == Model::Bayesian;
        OtherRatios {
            normal: match model {
                Model::Logistic => llr_alt2(bounds, &sample),
                Model::Normalized | Model::Bayesian => None,
            },
            squares: match bayesian {
                false => llr_alt(model, bounds, &sample),
                true => None,
            },
            legacy: bayesian.then(|| legacy_llr(bounds, &counts.games)),
            cutechess: bayesian.then(|| cutechess_llr(bounds, &counts.games)),
        }
    }
}

impl SequentialReport {
    /// Takes the event's own test with its games.
    pub(super) fn new(test: SprtWatch, level: f64) -> SequentialReport {
        let sprt = test.sprt();
        // A test of single games has no spread of pairs.
        let has_pairs = matches!(sprt.unit(), TestUnit::Pairs | TestUnit::Starts);
        let is_estimated = test.is_decided() && has_pairs;
        SequentialReport {
            hypotheses: *sprt.hypotheses(),
            status: sprt.status(),
            unit: sprt.unit(),
            starts: sprt.starts(),
            design_effect: sprt.design_effect(),
            late_pairs: sprt.late_counts().pairs.pairs(),
            late_games: sprt.late_counts().games.games(),
            expected_pairs_left: test.expected_pairs_left(),
            pairs_left_range: test.pairs_left_range(),
            elsewhere: OtherRatios::new(sprt.hypotheses(), sprt.counts()),
            estimate: is_estimated.then(|| sprt.estimate(level)).flatten(),
            test,
        }
    }

    /// The games up to the decision, or all so far.
    pub fn counted_games(&self) -> u64 {
        self.test.sprt().counts().games.games()
    }

    /// Whether the test has ended.
    pub fn is_decided(&self) -> bool {
        self.test.is_decided()
    }
}
