//! The state and the estimates of an event's SPRT.

use std::collections::HashMap;

use serde::Serialize;

use crate::stats::counts::{GameScore, PairCounts, PairScore};
use crate::stats::games::GameTable;
use crate::stats::sample::Sample;
use crate::stats::sprt::approximations::{llr_alt, llr_alt2};
use crate::stats::sprt::bayeselo::{cutechess_llr, legacy_llr};
use crate::stats::sprt::{
    DEFAULT_BATCH, Decision, Hypotheses, Model, Sprt, SprtStatus, StoppedTest,
};

/// A test, fed with the pairs in the order of finishing. Every game counts,
/// as it did for the decision: forfeits and copies too.
#[derive(Debug, Clone, Serialize)]
pub struct SequentialReport {
    /// Bounds, error rates, model.
    pub hypotheses: Hypotheses,
    /// Ratio, bounds, decision.
    #[serde(flatten)]
    pub status: SprtStatus,
    /// Pairs that finished after the decision; they do not count.
    pub late_pairs: u64,
    /// Expected pairs still to play; `None` after the decision.
    pub expected_pairs_left: Option<f64>,
    /// Pairs still to play that are not exceeded with 10, 50 and 90 % probability; `None` after
    /// the decision.
    pub pairs_left_range: Option<[f64; 3]>,
    /// The ratio of the same pairs as other programs compute it, for comparison; no decision here
    /// stands on it.
    pub elsewhere: OtherRatios,
    /// Estimates that know of the stopping rule; `None` before the decision.
    #[serde(flatten)]
    pub estimate: Option<StoppedTest>,
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
    /// The test applied to a table in the order of finishing.
    pub(super) fn new(hypotheses: Hypotheses, table: &GameTable, level: f64) -> SequentialReport {
        let mut sprt = Sprt::new(hypotheses, DEFAULT_BATCH, true);
        let mut halves = HashMap::<u32, GameScore>::new();
        for row in table.rows() {
            let Some(pair) = row.pair else { continue };
            let score = if row.white == 0 {
                row.result
            } else {
                row.result.reversed()
            };
            match halves.remove(&pair) {
                Some(first) => drop(sprt.update(PairScore::new(first, score))),
                None => drop(halves.insert(pair, score)),
            }
        }
        let decided = sprt.status().decision != Decision::Undecided;
        SequentialReport {
            hypotheses,
            status: sprt.status(),
            late_pairs: sprt.late_counts().pairs.pairs(),
            expected_pairs_left: sprt.expected_pairs_left(),
            pairs_left_range: sprt.pairs_left_range(),
            elsewhere: OtherRatios::new(&hypotheses, sprt.counts()),
            estimate: decided.then(|| sprt.estimate(level)).flatten(),
        }
    }

    /// Whether the test has ended.
    pub fn is_decided(&self) -> bool {
        self.status.decision != Decision::Undecided
    }
}
