//! The first-move advantage, and how it may be worded.

use serde::Serialize;

use crate::stats::advantage::report::PositionReport;
use crate::stats::advantage::{AdvantageOptions, AdvantageReport, Verdict};
use crate::stats::elo::elo_per_score;
use crate::stats::numeric::distributions::student_quantile;
use crate::stats::ratings::models::GameModel;
use crate::stats::ratings::{RatingInput, elo_of_score};
use crate::stats::surrogate::SurrogateReport;

use super::collection::Collection;

/// The advantage of the first move at every start, with what it is measured by.
#[derive(Debug, Clone, Serialize)]
pub struct FirstMoveReport {
    /// What the numbers estimate, in a sentence.
    pub estimand: String,
    /// Both layers.
    #[serde(flatten)]
    pub advantage: AdvantageReport,
    /// The spread τ over positions in Elo, near the mean: estimate and interval.
    pub tau_elo: Option<[f64; 3]>,
    /// The second witness, where evaluations were read.
    pub evaluations: Option<SurrogateReport>,
    /// Why there is none although evaluations were read.
    pub evaluations_reason: Option<String>,
}

impl FirstMoveReport {
    pub(super) fn new(collection: &Collection, input: &RatingInput, level: f64) -> FirstMoveReport {
        let options = AdvantageOptions {
            level,
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
            advantage.interaction.clear();
        }
        if !is_replicated(&advantage) {
            // One result a position is no ground to call any favourable.
            let verdicts = advantage.positions.iter_mut().map(|p| &mut p.verdict);
            verdicts.for_each(|verdict| *verdict = verdict.map(|_| Verdict::NotDistinguishable));
        }
        let witnesses = collection.witnesses.as_deref();
        let evaluations = witnesses.map(|games| SurrogateReport::new(games, level));
        let reason = evaluations.as_ref().and_then(|found| found.as_ref().err());
        FirstMoveReport {
            estimand: estimand(&advantage.engines, &collection.limits, collection.self_play),
            tau_elo: tau_elo(&advantage),
            advantage,
            evaluations_reason: reason.map(ToString::to_string),
            evaluations: evaluations.and_then(Result::ok),
        }
    }

    /// Whether any position was played in more than one pair.
    pub fn is_replicated(&self) -> bool {
        is_replicated(&self.advantage)
    }

    /// The positions with this verdict, the largest difference first.
    pub fn named(&self, verdict: Verdict) -> Vec<&PositionReport> {
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

    /// White's mean score over positions in pairs, in Elo, with the half widths
    /// of its 95 % intervals (Student's t) as a statement about these positions
    /// and about positions like these.
    pub fn mean_elo(&self) -> Option<(f64, Option<f64>, Option<f64>)> {
        let layer_a = self.advantage.layer_a.as_ref()?;
        let mean = layer_a.mean_positions;
        if mean <= 0.0 || mean >= 1.0 {
            return None;
        }
        let half_width = |se: Option<f64>, freedom: usize| {
            let factor = student_quantile(0.975, freedom as f64)?;
            se.map(|se| factor * se * elo_per_score(mean))
        };
        Some((
            elo_of_score(mean),
            half_width(layer_a.se_fixed_positions, layer_a.df2),
            half_width(layer_a.se_sampled_positions, layer_a.df1),
        ))
    }
}

fn is_replicated(advantage: &AdvantageReport) -> bool {
    advantage
        .layer_a
        .as_ref()
        .is_some_and(|layer_a| layer_a.df2 > 0)
}

/// τ in Elo: the slope of Elo in the advantage, at the mean advantage.
fn tau_elo(advantage: &AdvantageReport) -> Option<[f64; 3]> {
    let layer_b = advantage.hier.as_ref()?;
    let moments = GameModel::Davidson.moments(layer_b.mu, layer_b.m);
    let slope = moments.score_variance * elo_per_score(moments.score);
    Some([layer_b.tau_hat, layer_b.tau_lo, layer_b.tau_hi].map(|tau| slope * tau))
}

/// The names without the numbers of copies, each once.
fn bare_names(engines: &[String]) -> Vec<String> {
    let bare = |name: &String| match name.rsplit_once(" #") {
        Some((name, copy)) if copy.parse::<u8>().is_ok() => name.to_owned(),
        _ => name.clone(),
    };
    let mut names: Vec<String> = engines.iter().map(bare).collect();
    names.dedup();
    names
}

fn estimand(engines: &[String], limits: &[String], self_play: bool) -> String {
    let limits = if limits.is_empty() {
        "unknown limits".to_owned()
    } else {
        limits.join("; ")
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
