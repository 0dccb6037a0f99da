//! The first-move advantage of an event in one serialisable value. Field
//! names are those of the reference vectors and of `stats --format json`.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::draws::JointDraws;
use super::equal_strength::EqualStrength;
use super::hierarchical::AdvantagePosterior;
use super::hierarchical::shape::{PredictiveCheck, Shape};
use super::model_free::{Dispersion, Interaction, MirrorTwins, OneWay};
use super::verdict::RankVerdict;

/// Both layers, with everything a table of positions must carry.
#[derive(Clone, Debug, Serialize)]
pub struct AdvantageReport {
    /// The engines: an advantage is theirs, not the position's alone.
    pub engines: Vec<String>,
    /// Games counted.
    pub games: usize,
    /// Share of drawn games.
    pub draw_rate: Option<f64>,
    /// The model-free analysis: analysis of variance of White's pair values.
    pub layer_a: Option<OneWay>,
    /// The model-free analysis' F test by permutation, where it was asked for.
    pub permutation_p: Option<f64>,
    /// Mirror twins.
    pub mirror: Option<MirrorTwins>,
    /// Correlation of mirror twins, cov / τ².
    pub mirror_correlation: Option<f64>,
    /// Test of any variation between positions.
    pub dispersion: Option<Dispersion>,
    /// The hierarchical model.
    pub hier: Option<HierarchicalReport>,
    /// The shape of the advantages' distribution; absent under a normal prior.
    pub shape: Option<ShapeReport>,
    /// How much the draw parameter differs over positions, where it was let vary.
    pub draw_spread: Option<f64>,
    /// Positions equivalent to the mean, where that was asked for.
    pub equivalence: Option<Equivalence>,
    /// Joint draws of all advantages, where they were asked for.
    #[serde(skip)]
    pub draws: JointDraws,
    /// Why the hierarchical model is missing.
    pub hier_reason: Option<String>,
    /// Pair dispersion; 1 where no position has two pairs, so that nothing is known of it.
    pub phi: Option<f64>,
    /// What all counts of the hierarchical model were divided by.
    pub phi_applied: f64,
    /// Positions with s ≤ 0.05 against the mean.
    pub n_selected_s05: Option<usize>,
    /// Mean over positions of White's score between equal engines.
    pub mean_white_score_equal_strength: Option<f64>,
    /// The same in Elo.
    pub mean_white_elo_equal_strength: Option<f64>,
    /// Positions Benjamini and Hochberg select at 5 %.
    pub bh_selected_q05: Option<usize>,
    /// The first engine's pair values by position, as the reference has them.
    pub engine_by_position: Option<EngineByPosition>,
    /// Does any engine's strength depend on the position?
    pub interaction: Option<Interaction>,
    /// White's mean advantage between equal engines, with errors that no model makes.
    pub equal_strength: Option<EqualStrength>,
    /// One entry a position.
    #[serde(serialize_with = "by_start")]
    pub positions: Vec<PositionReport>,
}

impl AdvantageReport {
    /// The positions that may be called more favourable to White than the
    /// average, the most favourable first. Often none: then no list may be
    /// headed "most favourable".
    pub fn most_favourable(&self) -> Vec<&PositionReport> {
        let mut named = self.named(RankVerdict::AboveAverage);
        named.reverse();
        named
    }

    /// The positions that may be called less favourable to White than the
    /// average, the least favourable first.
    pub fn least_favourable(&self) -> Vec<&PositionReport> {
        self.named(RankVerdict::BelowAverage)
    }

    fn named(&self, verdict: RankVerdict) -> Vec<&PositionReport> {
        let mut named: Vec<&PositionReport> = self
            .positions
            .iter()
            .filter(|p| p.verdict == Some(verdict))
            .collect();
        named.sort_by(|a, b| a.alpha.unwrap_or(0.0).total_cmp(&b.alpha.unwrap_or(0.0)));
        named
    }
}

/// The hierarchical model's parameters.
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
    pub lrt_p: Option<f64>,
    pub omega: f64,
    pub theta: BTreeMap<String, Option<f64>>,
    pub theta_se: BTreeMap<String, Option<f64>>,
    pub mu: f64,
    pub mu_se: f64,
    pub m: Option<f64>,
    pub m_se: Option<f64>,
}

impl HierarchicalReport {
    /// The parameters of a fit, with the engines' names; without a drawn game there is no draw
    /// parameter.
    pub fn new(engines: &[String], fit: &AdvantagePosterior, drawn: bool) -> Self {
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
            lrt_p: Some(fit.likelihood_ratio_p),
            omega: fit.omega,
            theta: by_name(&|index| fit.strengths[index].map(|e| e.value)),
            theta_se: by_name(&|index| fit.strengths[index].map(|e| e.se)),
            mu: fit.mu.value,
            mu_se: fit.mu.se,
            m: drawn.then_some(fit.delta.value),
            m_se: drawn.then_some(fit.delta.se),
        }
    }
}

/// Positions that differ from the mean by less than matters.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Equivalence {
    /// What does not matter, Elo.
    pub margin_elo: f64,
    /// Positions that lie within it with at least the level's probability.
    pub positions: usize,
    /// Probability that all of them lie within it.
    pub p_all: f64,
}

/// What the prior of scale mixtures says of all positions together.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ShapeReport {
    /// Standard deviation of the advantages of just these positions, logits.
    pub sd: f64,
    /// Lower end of its interval; 0 unless the likelihood-ratio test excludes 0.
    pub sd_lo: f64,
    /// Upper end.
    pub sd_hi: f64,
    /// The same three of the advantages in Elo.
    pub sd_elo: [f64; 3],
    /// With the level's probability no position lies farther from the mean than this number of Elo.
    pub farthest_elo: f64,
    /// Share of positions at the centre itself.
    pub at_centre: f64,
    /// Positions with s ≤ 0.05.
    pub named: usize,
    /// Positions that one normal distribution would name.
    pub named_if_normal: usize,
    /// Posterior predictive probabilities of scores as skewed, as long-tailed and as extreme
    /// as these, under one normal distribution.
    pub predictive_if_normal: PredictiveCheck,
    /// The same under the mixture.
    pub predictive: PredictiveCheck,
}

impl ShapeReport {
    /// From a fit under the mixture.
    pub fn new(shape: &Shape) -> Self {
        let (logits, elo) = (shape.spread.logits, shape.spread.elo);
        let (sd, (sd_lo, sd_hi)) = (logits.value, logits.interval);
        Self {
            sd,
            sd_lo,
            sd_hi,
            sd_elo: [elo.value, elo.interval.0, elo.interval.1],
            farthest_elo: shape.farthest.bound,
            at_centre: shape.at_centre,
            named: shape.named,
            named_if_normal: shape.named_if_normal,
            predictive_if_normal: shape.predictive.normal,
            predictive: shape.predictive.mixture,
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
    /// What the position is called where it has no start number.
    #[serde(skip)]
    pub name: Option<String>,
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
    #[serde(rename = "p_above_518")]
    pub p_above_reference: Option<f64>,
    #[serde(rename = "s_above_518")]
    pub s_above_reference: Option<f64>,
    pub expected_rank: Option<f64>,
    pub own_lo: Option<f64>,
    pub own_hi: Option<f64>,
    pub own_elo_lo: Option<f64>,
    pub own_elo_hi: Option<f64>,
    pub selected_elo_lo: Option<f64>,
    pub selected_elo_hi: Option<f64>,
    pub alpha_if_normal: Option<f64>,
    pub svalue_if_normal: Option<f64>,
    pub p_equivalent: Option<f64>,
    pub exact_p_two: Option<f64>,
    pub bh_q: Option<f64>,
    pub verdict: Option<RankVerdict>,
}

/// Positions as an object whose keys are start numbers, or names where there is no number.
fn by_start<S: Serializer>(positions: &[PositionReport], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(positions.len()))?;
    for position in positions {
        match &position.name {
            Some(name) => map.serialize_entry(name, position)?,
            None => map.serialize_entry(&position.start.to_string(), position)?,
        }
    }
    map.end()
}
