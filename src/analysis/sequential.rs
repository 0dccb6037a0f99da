//! The state and the estimates of an event's SPRT.

use serde::Serialize;

use crate::stats::sprt::{Hypotheses, SprtStatus, StoppedTest, TestUnit};
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
    /// Estimates that take the stopping rule into account; `None` before the decision.
    #[serde(flatten)]
    pub estimate: Option<StoppedTest>,
    /// The test.
    #[serde(skip)]
    pub(crate) test: SprtWatch,
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
            design_effect: sprt.sample().design_effect(),
            late_pairs: sprt.late_counts().pairs.pairs(),
            late_games: sprt.late_counts().games.games(),
            expected_pairs_left: test.expected_pairs_left(),
            pairs_left_range: test.pairs_left_range(),
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
