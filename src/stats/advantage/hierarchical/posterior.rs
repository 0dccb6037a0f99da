//! What is known about each position: mixtures over the grid of τ.

use crate::stats::numeric::distributions::normal_cdf;
use crate::stats::numeric::linear::Symmetric;
use crate::stats::numeric::mixture::NormalMixture;
use crate::stats::ratings::models::davidson;
use crate::stats::ratings::{ELO_PER_LOGIT, elo_of_score};

use super::HierarchicalOptions;
use super::boundary_p_value;
use super::marginal::Marginal;
use super::profile::TauProfile;
use super::selection::{expected_ranks, s_values};

/// A quantity with its posterior standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Posterior mean.
    pub value: f64,
    /// Posterior standard deviation.
    pub se: f64,
}

/// The fitted model.
#[derive(Clone, Debug)]
pub struct AdvantagePosterior {
    /// τ at the maximum of its weight.
    pub tau_hat: f64,
    /// Posterior mean of τ.
    pub tau_mean: f64,
    /// Posterior median.
    pub tau_median: f64,
    /// Ends of the interval. The lower end never reaches 0: whether there is
    /// any variation is for the test to say.
    pub tau_interval: (f64, f64),
    /// Likelihood ratio against τ = 0.
    pub likelihood_ratio: f64,
    /// Its p value.
    pub likelihood_ratio_p: f64,
    /// Strengths in Elo (400 / ln 10 per logit); `None` for unrated engines.
    pub strengths: Vec<Option<Estimate>>,
    /// Mean advantage μ over positions, logits.
    pub mu: Estimate,
    /// Draw parameter δ (its mean over positions in model M2).
    pub delta: Estimate,
    /// Spread of the draw parameter over positions at its maximum; 0 in M1.
    pub omega: f64,
    /// Strengths (logits), μ and δ at τ̂, where the dispersion is computed.
    pub(super) mode: Vec<f64>,
    /// The positions by start number.
    pub positions: Vec<PositionPosterior>,
    pub(super) slices: Vec<Slice>,
}

/// One position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositionPosterior {
    /// Start number.
    pub start: u32,
    /// Advantage α = ln P(W)/P(L) between equal engines.
    pub alpha: Estimate,
    /// Its interval.
    pub interval: (f64, f64),
    /// White's expected score between equal engines.
    pub white_score: f64,
    /// The same in Elo.
    pub elo: f64,
    /// The interval in Elo.
    pub elo_interval: (f64, f64),
    /// P(advantage above the mean of the positions).
    pub p_above_mean: f64,
    /// Local false-sign rate of the comparison with the mean.
    pub lfsr: f64,
    /// s-value of the comparison with the mean.
    pub s_value: f64,
    /// P(advantage above the reference position's); ½ for that itself.
    pub p_above_reference: Option<f64>,
    /// s-value of being above the reference; `None` for that itself.
    pub s_above_reference: Option<f64>,
    /// Expected rank, 1 for the largest advantage.
    pub expected_rank: f64,
}

/// The normal posterior at one τ.
#[derive(Clone, Debug)]
pub(super) struct Slice {
    pub probability: f64,
    /// E α_p.
    pub means: Vec<f64>,
    /// Variance of α_p given η.
    pub variances: Vec<f64>,
    /// How E α_p follows η.
    pub sensitivities: Vec<Vec<f64>>,
    /// Covariance of η.
    pub covariance: Symmetric,
}

impl Slice {
    fn new(marginal: &Marginal, profile: &TauProfile, index: usize) -> Self {
        let optimum = &profile.grid[index];
        let (tau, mu) = (optimum.tau, marginal.problem.mu());
        let sensitivity = |scores: &[f64]| {
            let mut c: Vec<f64> = scores.iter().map(|s| tau * s).collect();
            c[mu] += 1.0;
            c
        };
        Self {
            probability: profile.probability[index],
            means: optimum
                .positions
                .iter()
                .map(|z| optimum.eta[mu] + tau * z.mean)
                .collect(),
            variances: optimum
                .positions
                .iter()
                .map(|z| tau * tau * z.variance)
                .collect(),
            sensitivities: optimum
                .positions
                .iter()
                .map(|z| sensitivity(&z.with_score))
                .collect(),
            covariance: marginal.covariance(optimum),
        }
    }

    /// Variance of α_p, that of η included.
    fn variance(&self, p: usize) -> f64 {
        let c = &self.sensitivities[p];
        self.variances[p] + self.covariance.form(c, c)
    }

    /// Mean and variance of α_p less the mean of all α.
    fn against_mean(&self) -> Vec<(f64, f64)> {
        let count = self.means.len() as f64;
        let centre = self.means.iter().sum::<f64>() / count;
        let spread = self.variances.iter().sum::<f64>() / (count * count);
        let mut mean_sensitivity = vec![0.0; self.covariance.size()];
        for c in &self.sensitivities {
            mean_sensitivity
                .iter_mut()
                .zip(c)
                .for_each(|(m, c)| *m += c / count);
        }
        (0..self.means.len())
            .map(|p| {
                let own = self.variances[p] * (1.0 - 2.0 / count) + spread;
                (
                    self.means[p] - centre,
                    own + self.distance(p, &mean_sensitivity),
                )
            })
            .collect()
    }

    /// Mean and variance of α_p less α of the reference.
    fn against(&self, reference: usize) -> Vec<(f64, f64)> {
        let towards = &self.sensitivities[reference];
        (0..self.means.len())
            .map(|p| {
                let own = self.variances[p] + self.variances[reference];
                (
                    self.means[p] - self.means[reference],
                    own + self.distance(p, towards),
                )
            })
            .collect()
    }

    fn distance(&self, p: usize, from: &[f64]) -> f64 {
        let difference: Vec<f64> = self.sensitivities[p]
            .iter()
            .zip(from)
            .map(|(a, b)| a - b)
            .collect();
        self.covariance.form(&difference, &difference)
    }
}

/// P(above 0) of a normal contrast; ½ where it is zero for certain.
fn above_zero((mean, variance): (f64, f64)) -> f64 {
    if variance > 1e-18 {
        normal_cdf(mean / variance.sqrt())
    } else {
        0.5
    }
}

pub(super) fn summarise(
    marginal: &Marginal,
    profile: &TauProfile,
    options: &HierarchicalOptions,
) -> AdvantagePosterior {
    let problem = &marginal.problem;
    let slices: Vec<Slice> = (0..profile.grid.len())
        .map(|index| Slice::new(marginal, profile, index))
        .collect();
    let parameter = |place: usize| {
        let moments = |i: usize| {
            (
                profile.grid[i].eta[place],
                slices[i].covariance.at(place, place),
            )
        };
        let (value, variance) = profile.mixture(moments);
        Estimate {
            value,
            se: variance.sqrt(),
        }
    };
    let to_elo = |e: Estimate| Estimate {
        value: e.value * ELO_PER_LOGIT,
        se: e.se * ELO_PER_LOGIT,
    };
    let strength = |engine| problem.is_rated(engine).then(|| to_elo(parameter(engine)));
    let delta = parameter(problem.delta());
    let tail = 0.5 * (1.0 - options.level);
    AdvantagePosterior {
        tau_hat: profile.tau_hat,
        tau_mean: profile.mixture(|i| (profile.grid[i].tau, 0.0)).0,
        tau_median: profile.quantile(0.5),
        tau_interval: (profile.quantile(tail), profile.quantile(1.0 - tail)),
        likelihood_ratio: profile.likelihood_ratio,
        likelihood_ratio_p: boundary_p_value(profile.likelihood_ratio),
        strengths: (0..problem.engines).map(strength).collect(),
        mu: parameter(problem.mu()),
        mode: profile.mode.eta.clone(),
        positions: positions(&problem.starts, &slices, delta.value, options),
        delta,
        omega: marginal.omega,
        slices,
    }
}

fn positions(
    starts: &[u32],
    slices: &[Slice],
    delta: f64,
    options: &HierarchicalOptions,
) -> Vec<PositionPosterior> {
    let reference = starts.binary_search(&options.reference).ok();
    let p_above_mean = mixed(slices, Slice::against_mean);
    let p_above = reference.map(|r| {
        let mut p = mixed(slices, |slice| slice.against(r));
        p[r] = 0.5;
        p
    });
    let mixtures: Vec<NormalMixture> = (0..starts.len()).map(|p| mixture(slices, p)).collect();
    let moments: Vec<(f64, f64)> = mixtures.iter().map(NormalMixture::moments).collect();
    let lfsr: Vec<f64> = p_above_mean.iter().map(|p| p.min(1.0 - p)).collect();
    let s_value = s_values(&lfsr, |_| true);
    let above = p_above
        .as_ref()
        .map(|p| p.iter().map(|p| 1.0 - p).collect::<Vec<_>>());
    let s_above = above.map(|p| s_values(&p, |index| Some(index) != reference));
    let ranks = expected_ranks(&moments);
    let tail = 0.5 * (1.0 - options.level);
    let score = |alpha: f64| {
        let [_, draw, win] = davidson(alpha, delta);
        win + 0.5 * draw
    };
    let one = |p: usize| {
        let (value, variance) = moments[p];
        let interval = (mixtures[p].quantile(tail), mixtures[p].quantile(1.0 - tail));
        PositionPosterior {
            start: starts[p],
            alpha: Estimate {
                value,
                se: variance.sqrt(),
            },
            interval,
            white_score: score(value),
            elo: elo_of_score(score(value)),
            elo_interval: (
                elo_of_score(score(interval.0)),
                elo_of_score(score(interval.1)),
            ),
            p_above_mean: p_above_mean[p],
            lfsr: lfsr[p],
            s_value: s_value[p].unwrap_or(0.5),
            p_above_reference: p_above.as_ref().map(|values| values[p]),
            s_above_reference: s_above.as_ref().and_then(|values| values[p]),
            expected_rank: ranks[p],
        }
    };
    (0..starts.len()).map(one).collect()
}

/// P(contrast > 0) of every position, mixed over τ.
fn mixed(slices: &[Slice], contrasts: impl Fn(&Slice) -> Vec<(f64, f64)>) -> Vec<f64> {
    let mut total = vec![0.0; slices.first().map_or(0, |slice| slice.means.len())];
    for slice in slices {
        for (sum, contrast) in total.iter_mut().zip(contrasts(slice)) {
            *sum += slice.probability * above_zero(contrast);
        }
    }
    total.into_iter().map(|p| p.clamp(0.0, 1.0)).collect()
}

/// α_p, mixed over τ.
fn mixture(slices: &[Slice], p: usize) -> NormalMixture {
    let component = |slice: &Slice| (slice.probability, slice.means[p], slice.variance(p));
    NormalMixture::new(slices.iter().map(component))
}
