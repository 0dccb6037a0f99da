//! The first-move advantage of an event in one serialisable value. Field
//! names are those of the reference vectors and of `stats --format json`.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::hierarchical::AdvantagePosterior;
use super::model_free::{Dispersion, MirrorTwins, OneWay};
use super::verdict::Verdict;

/// Both layers, with everything a table of positions must carry.
#[derive(Clone, Debug, Serialize)]
pub struct AdvantageReport {
    /// The engines: an advantage is theirs, not the position's alone.
    pub engines: Vec<String>,
    /// Games counted.
    pub games: usize,
    /// Share of drawn games.
    pub draw_rate: Option<f64>,
    /// Layer A: analysis of variance of White's pair values.
    pub layer_a: Option<OneWay>,
    /// Layer A's F test by permutation, where it was asked for.
    pub permutation_p: Option<f64>,
    /// Mirror twins.
    pub mirror: Option<MirrorTwins>,
    /// Correlation of mirror twins, cov / τ².
    pub mirror_correlation: Option<f64>,
    /// Test of any variation between positions.
    pub dispersion: Option<Dispersion>,
    /// Layer B.
    pub hier: Option<HierarchicalReport>,
    /// Why Layer B is missing.
    pub hier_reason: Option<String>,
    /// Pair dispersion.
    pub phi: Option<f64>,
    /// What all counts of Layer B were divided by.
    pub phi_applied: f64,
    /// Positions with s ≤ 0.05 against the mean.
    pub n_selected_s05: Option<usize>,
    /// Mean over positions of White's score between equal engines.
    pub mean_white_score_equal_strength: Option<f64>,
    /// The same in Elo.
    pub mean_white_elo_equal_strength: Option<f64>,
    /// Positions Benjamini and Hochberg select at 5 %.
    pub bh_selected_q05: Option<usize>,
    /// Does the first engine's strength depend on the position?
    pub engine_by_position: Option<EngineByPosition>,
    /// The same for every engine.
    pub interaction: Vec<EngineByPosition>,
    /// One entry a position.
    #[serde(serialize_with = "by_start")]
    pub positions: Vec<PositionReport>,
}

impl AdvantageReport {
    /// The positions that may be called more favourable to White than the
    /// average, the most favourable first. Often none: then no list may be
    /// headed "most favourable".
    pub fn most_favourable(&self) -> Vec<&PositionReport> {
        let mut named = self.named(Verdict::AboveAverage);
        named.reverse();
        named
    }

    /// The positions that may be called less favourable to White than the
    /// average, the least favourable first.
    pub fn least_favourable(&self) -> Vec<&PositionReport> {
        self.named(Verdict::BelowAverage)
    }

    fn named(&self, verdict: Verdict) -> Vec<&PositionReport> {
        let mut named: Vec<&PositionReport> = self
            .positions
            .iter()
            .filter(|p| p.verdict == Some(verdict))
            .collect();
        named.sort_by(|a, b| a.alpha.unwrap_or(0.0).total_cmp(&b.alpha.unwrap_or(0.0)));
        named
    }
}

/// Layer B's parameters.
#[derive(Clone, Debug, Serialize)]
#[allow(
    missing_docs,
    reason = "the names of the reference vectors, see AdvantagePosterior"
)]
pub struct HierarchicalReport {
    pub tau_hat: f64,
    pub tau_mean: f64,
    pub tau_median: f64,
    pub tau_lo: f64,
    pub tau_hi: f64,
    pub lrt: f64,
    pub lrt_p: f64,
    pub omega: f64,
    pub theta: BTreeMap<String, Option<f64>>,
    pub theta_se: BTreeMap<String, Option<f64>>,
    pub mu: f64,
    pub mu_se: f64,
    pub m: f64,
    pub m_se: f64,
}

impl HierarchicalReport {
    /// The parameters of a fit, with the engines' names.
    pub fn new(engines: &[String], fit: &AdvantagePosterior) -> Self {
        let by_name = |value: &dyn Fn(usize) -> Option<f64>| {
            engines
                .iter()
                .enumerate()
                .map(|(index, name)| (name.clone(), value(index)))
                .collect()
        };
        Self {
            tau_hat: fit.tau_hat,
            tau_mean: fit.tau_mean,
            tau_median: fit.tau_median,
            tau_lo: fit.tau_interval.0,
            tau_hi: fit.tau_interval.1,
            lrt: fit.likelihood_ratio,
            lrt_p: fit.likelihood_ratio_p,
            omega: fit.omega,
            theta: by_name(&|index| fit.strengths[index].map(|e| e.value)),
            theta_se: by_name(&|index| fit.strengths[index].map(|e| e.se)),
            mu: fit.mu.value,
            mu_se: fit.mu.se,
            m: fit.delta.value,
            m_se: fit.delta.se,
        }
    }
}

/// Analysis of variance of one engine's pair values.
#[derive(Clone, Debug, Serialize)]
pub struct EngineByPosition {
    /// The engine.
    pub engine: String,
    /// The analysis.
    #[serde(flatten)]
    pub analysis: OneWay,
}

/// One position.
#[derive(Clone, Debug, Default, Serialize)]
#[allow(
    missing_docs,
    reason = "the names of the reference vectors, see PositionPosterior"
)]
pub struct PositionReport {
    #[serde(skip)]
    pub start: u32,
    pub games: u32,
    pub pairs: u32,
    pub raw: Option<f64>,
    pub shrunk_a: Option<f64>,
    pub shrunk_a_sd: Option<f64>,
    pub reliability: Option<f64>,
    pub alpha: Option<f64>,
    pub sd: Option<f64>,
    pub lo: Option<f64>,
    pub hi: Option<f64>,
    pub white_score: Option<f64>,
    pub elo: Option<f64>,
    pub elo_lo: Option<f64>,
    pub elo_hi: Option<f64>,
    pub p_above_mean: Option<f64>,
    pub lfsr: Option<f64>,
    pub svalue: Option<f64>,
    pub p_above_518: Option<f64>,
    pub s_above_518: Option<f64>,
    pub expected_rank: Option<f64>,
    pub p_top: Option<f64>,
    pub exact_p_two: Option<f64>,
    pub bh_q: Option<f64>,
    pub verdict: Option<Verdict>,
}

/// Positions as an object whose keys are start numbers.
fn by_start<S: Serializer>(positions: &[PositionReport], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(positions.len()))?;
    for position in positions {
        map.serialize_entry(&position.start.to_string(), position)?;
    }
    map.end()
}
