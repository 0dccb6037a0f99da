//! The state and the estimates of an event's SPRT.

use std::collections::HashMap;

use serde::Serialize;

use crate::stats::counts::{GameScore, PairScore};
use crate::stats::games::GameTable;
use crate::stats::sprt::{DEFAULT_BATCH, Decision, Hypotheses, Sprt, SprtStatus, StoppedTest};

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
    /// Estimates that know of the stopping rule; `None` before the decision.
    #[serde(flatten)]
    pub estimate: Option<StoppedTest>,
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
            estimate: decided.then(|| sprt.estimate(level)).flatten(),
        }
    }

    /// Whether the test has ended.
    pub fn is_decided(&self) -> bool {
        self.status.decision != Decision::Undecided
    }
}
