//! The first-move advantage, and how it may be worded.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::stats::advantage::report::PositionReport;
use crate::stats::advantage::{AdvantageOptions, AdvantageReport, RankVerdict};
use crate::stats::elo::elo_per_score;
use crate::stats::ratings::RatingInput;
use crate::stats::ratings::models::GameModel;
use crate::stats::surrogate::SurrogateReport;
use crate::stats::surrogate::combined::SurrogatePosition;

use super::collection::Collection;
use super::naming::{FEWEST_FOR_SPREAD, Unnamed, judge};
use super::node_use::NodeUse;
use super::options::StatisticsOptions;
use super::starts::Starts;

/// The advantage of the first move at every start, with what it is measured by.
#[derive(Debug, Clone, Serialize)]
pub struct FirstMoveReport {
    /// What the numbers estimate, in a sentence.
    pub estimand: String,
    /// Both layers.
    #[serde(flatten)]
    pub advantage: AdvantageReport,
    /// The spread τ over positions in Elo, near the mean: median and interval. `None` with
    /// fewer than [`FEWEST_FOR_SPREAD`] positions.
    pub tau_elo: Option<[f64; 3]>,
    /// Why no position is named, where that is not for the s-values to say: the one gate before names.
    pub unnamed: Option<Unnamed>,
    /// What the evaluations say, where evaluations were read.
    pub evaluations: Option<EvaluationsReport>,
    /// Why there is none although evaluations were read.
    pub evaluations_reason: Option<String>,
}

/// What the evaluations say, its positions by start number, or by name where they have none.
#[derive(Debug, Clone, Serialize)]
pub struct EvaluationsReport {
    /// What it says of all positions together.
    #[serde(flatten)]
    pub all: SurrogateReport,
    positions: BTreeMap<String, SurrogatePosition>,
}

impl EvaluationsReport {
    fn new(all: SurrogateReport, starts: &Starts) -> EvaluationsReport {
        let named = |position: &SurrogatePosition| (starts.label(position.start), *position);
        EvaluationsReport {
            positions: all.positions.iter().map(named).collect(),
            all,
        }
    }
}

/// With more positions the interval of their spread holds the truth in about nine of ten events and not in
/// 95 % (`cargo bench --bench truths`): it stands on the draws of a prior that is known the better then.
const MOST_FOR_SPREAD: usize = 240;

impl FirstMoveReport {
    /// How often the interval of the positions' spread holds the truth, as it may be printed.
    pub(crate) fn spread_level(&self) -> &'static str {
        match self.advantage.positions.len() > MOST_FOR_SPREAD {
            true => "about 90 %",
            false => "95 %",
        }
    }

    /// Standard deviation of the positions' advantages in Elo and its interval: of these starts where the mixture
    /// was fitted.
    pub(crate) fn spread_elo(&self) -> Option<[f64; 3]> {
        let tau = self.tau_elo?;
        let shape = self.advantage.shape.as_ref();
        Some(shape.map_or(tau, |shape| shape.sd_elo))
    }
}

impl FirstMoveReport {
    pub(super) fn new(
        collection: &Collection,
        input: &RatingInput,
        level: f64,
        asked: &StatisticsOptions,
    ) -> FirstMoveReport {
        let options = AdvantageOptions {
            level,
            exact: asked.everything,
            equivalence: asked.equivalence,
            draws: asked.draws,
            permutations: asked.permutations,
            draw_propensity: asked.draws_vary,
            ..AdvantageOptions::default()
        };
        let mirror = |start| collection.starts.mirror(start);
        let mut advantage = if collection.self_play {
            AdvantageReport::of_input(&input.between_equals(), &options, mirror)
        } else {
            AdvantageReport::of_input(input, &options, mirror)
        };
        if collection.self_play {
            advantage.engines = bare_names(&input.engines);
            // Two copies of one engine differ by chance alone.
            advantage.engine_by_position = None;
            advantage.interaction = None;
        }
        if input.engines.len() > 2 {
            // Its opponents' strength is in its noise; `interaction` takes that out.
            advantage.engine_by_position = None;
        }
        for position in &mut advantage.positions {
            let number = collection.starts.number(position.start);
            position.name = match number {
                Some(_) => None,
                None => Some(collection.starts.label(position.start)),
            };
        }
        let unnamed = judge(&mut advantage, collection.duplicates.share);
        let surrogates = collection.surrogates.as_deref();
        let evaluations = surrogates.map(|games| SurrogateReport::new(games, level));
        let reason = evaluations.as_ref().and_then(|found| found.as_ref().err());
        FirstMoveReport {
            estimand: estimand(&advantage.engines, &collection.limits, collection.self_play)
                + &unobeyed(&collection.node_use),
            tau_elo: tau_elo(&advantage),
            unnamed,
            advantage,
            evaluations_reason: reason.map(ToString::to_string),
            evaluations: evaluations
                .and_then(Result::ok)
                .map(|found| EvaluationsReport::new(found, &collection.starts)),
        }
    }

    /// The positions with this verdict, the largest difference first.
    pub fn named(&self, verdict: RankVerdict) -> Vec<&PositionReport> {
        let positions = self.advantage.positions.iter();
        let mut named: Vec<_> = positions.filter(|p| p.verdict == Some(verdict)).collect();
        named.sort_by(|a, b| {
            let distance = |p: &PositionReport| (p.svalue, p.lfsr);
            distance(a)
                .partial_cmp(&distance(b))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        named
    }

    /// The smallest s-value of all positions.
    pub fn smallest_s_value(&self) -> Option<f64> {
        let values = self.advantage.positions.iter().filter_map(|p| p.svalue);
        values.min_by(f64::total_cmp)
    }

    /// White's mean score over positions in complete pairs: of these engines as they are. Where
    /// they differ in strength it lies nearer to one half than the advantage does.
    pub fn mean_score(&self) -> Option<f64> {
        Some(self.advantage.layer_a.as_ref()?.mean_positions)
    }
}

/// τ in Elo: the slope of Elo in the advantage, at the mean advantage.
fn tau_elo(advantage: &AdvantageReport) -> Option<[f64; 3]> {
    let layer_b = advantage.hier.as_ref()?;
    if advantage.positions.len() < FEWEST_FOR_SPREAD {
        return None;
    }
    let moments = match layer_b.m {
        Some(draws) => GameModel::Davidson.moments(layer_b.mu, draws),
        None => GameModel::Logistic.moments(layer_b.mu, 0.0),
    };
    let slope = moments.score_variance * elo_per_score(moments.score);
    Some([layer_b.tau_median, layer_b.tau_lo, layer_b.tau_hi].map(|tau| slope * tau))
}

/// The names without the numbers of copies, each once.
pub(super) fn bare_names(engines: &[String]) -> Vec<String> {
    let bare = |name: &String| match name.rsplit_once(" #") {
        Some((name, copy)) if copy.parse::<u8>().is_ok() => name.to_owned(),
        _ => name.clone(),
    };
    let mut names: Vec<String> = engines.iter().map(bare).collect();
    names.dedup();
    names
}

/// What makes the limit in the sentence untrue.
fn unobeyed(used: &[NodeUse]) -> String {
    let of = |used: &NodeUse| {
        format!(
            "{} searched {:.3} of its nodes (median {} of {})",
            used.engine, used.share, used.nodes, used.limit
        )
    };
    let told: Vec<String> = used
        .iter()
        .filter(|used| !used.is_obeyed())
        .map(of)
        .collect();
    match told.is_empty() {
        true => String::new(),
        false => format!(", a limit that was not obeyed: {}", told.join("; ")),
    }
}

fn estimand(engines: &[String], limits: &[String], self_play: bool) -> String {
    // PGN files without the tag have a question mark.
    let limits = match limits.iter().all(|limits| limits == "?") {
        true => "unknown limits".to_owned(),
        false => limits.join("; "),
    };
    match engines {
        [] => "no games".to_owned(),
        [engine] if self_play => format!(
            "White's expected score when {engine} plays itself from a start position at {limits}"
        ),
        _ if self_play => format!(
            "White's expected score when one of {} engines plays itself from a start position at {limits}",
            engines.len()
        ),
        _ => format!(
            "White's expected score from a start position if {} were equally strong, at {limits}",
            match engines {
                [one, other] => format!("{one} and {other}"),
                _ => format!("these {} engines", engines.len()),
            }
        ),
    }
}
