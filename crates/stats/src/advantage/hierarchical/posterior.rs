//! What is known about each position: mixtures over the grid of τ.

use crate::numeric::mixture::NormalMixture;
use crate::ratings::models::davidson;
use crate::ratings::{ELO_PER_LOGIT, elo_of_score};

use super::HierarchicalOptions;
use super::boundary_p_value;
use super::marginal::Marginal;
use super::problem::Problem;
use super::profile::TauProfile;
use super::selection::{expected_ranks, s_values};
use super::shape::{OwnInterval, Shape};
use super::slice::Slice;

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
    /// The positions by start number.
    pub positions: Vec<PositionPosterior>,
    /// What the mixture says of all positions together; `None` under a normal prior.
    pub shape: Option<Shape>,
    /// Joint draws of all α by position, a row a draw, where they were asked for.
    pub draws: Vec<Vec<f64>>,
}

impl AdvantagePosterior {
    /// An advantage in Elo between equal engines.
    pub fn elo(&self, alpha: f64) -> f64 {
        if alpha.is_infinite() {
            return alpha;
        }
        elo_of_score(expected_score(alpha, self.delta.value))
    }
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
    /// P(within the margin of equivalence of the mean), where that was asked for.
    pub p_equivalent: Option<f64>,
    /// Expected rank, 1 for the largest advantage.
    pub expected_rank: f64,
    /// Under the mixture: advantage and s-value that one normal distribution would give.
    pub if_normal: Option<(Estimate, f64)>,
    /// Under the mixture: the intervals of the position's own games, without a prior.
    pub own: Option<OwnInterval>,
}

pub(super) fn summarise(
    marginal: &Marginal,
    profile: &TauProfile,
    options: &HierarchicalOptions,
) -> AdvantagePosterior {
    let problem = &marginal.problem;
    let parameter = |place: usize| {
        let moments = |i: usize| {
            let slice = &profile.grid[i];
            (slice.eta[place], slice.covariance.at(place, place))
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
        positions: positions(problem, profile, delta.value, options),
        delta,
        omega: marginal.omega,
        shape: None,
        draws: Vec::new(),
    }
}

fn positions(
    problem: &Problem,
    profile: &TauProfile,
    delta: f64,
    options: &HierarchicalOptions,
) -> Vec<PositionPosterior> {
    let above_mean = mixed(profile, |slice| Some(&slice.above_mean)).unwrap_or_default();
    let known = Known {
        lfsr: above_mean.iter().map(|p| p.min(1.0 - p)).collect(),
        above_mean,
        above_reference: mixed(profile, |slice| slice.above_reference.as_ref()),
        alphas: (0..problem.groups())
            .map(|p| summary(profile, p, options.level))
            .collect(),
        // The mixture ranks in its own way, in less time.
        ranks: match options.is_mixture() {
            true => vec![0.0; problem.groups()],
            false => ranks(problem, profile),
        },
    };
    known.positions(problem, delta, options.reference)
}

/// What is known of each group of equal positions, whatever the prior.
pub(super) struct Known {
    /// P(above the mean of all positions).
    pub above_mean: Vec<f64>,
    /// Local false-sign rate of the comparison with the mean.
    pub lfsr: Vec<f64>,
    /// P(above the reference).
    pub above_reference: Option<Vec<f64>>,
    /// Mean, standard deviation and interval of α.
    pub alphas: Vec<(Estimate, (f64, f64))>,
    /// Expected rank.
    pub ranks: Vec<f64>,
}

impl Known {
    /// The groups' knowledge handed to their positions, with s-values over positions.
    pub(crate) fn positions(
        &self,
        problem: &Problem,
        delta: f64,
        reference: Option<u32>,
    ) -> Vec<PositionPosterior> {
        let reference = problem.place(reference);
        let of_positions = |values: &[f64]| -> Vec<f64> {
            let of = |group: &u32| values[*group as usize];
            problem.group.iter().map(of).collect()
        };
        let above_mean = of_positions(&self.above_mean);
        let lfsr = of_positions(&self.lfsr);
        let s_value = s_values(&lfsr, |_| true);
        let mut above = self.above_reference.as_deref().map(of_positions);
        if let (Some(above), Some(reference)) = (&mut above, reference) {
            above[reference] = 0.5;
        }
        let below = |above: &Vec<f64>| above.iter().map(|p| 1.0 - p).collect::<Vec<_>>();
        let s_above = above.as_ref().map(below);
        let s_above = s_above.map(|p| s_values(&p, |index| Some(index) != reference));
        let one = |(index, start): (usize, &u32)| {
            let group = problem.group[index] as usize;
            let (alpha, interval) = self.alphas[group];
            let score = |alpha: f64| expected_score(alpha, delta);
            let elo = |alpha: f64| elo_of_score(score(alpha));
            PositionPosterior {
                start: *start,
                alpha,
                interval,
                white_score: score(alpha.value),
                elo: elo(alpha.value),
                elo_interval: (elo(interval.0), elo(interval.1)),
                p_above_mean: above_mean[index],
                lfsr: lfsr[index],
                s_value: s_value[index].unwrap_or(0.5),
                p_above_reference: above.as_ref().map(|values| values[index]),
                s_above_reference: s_above.as_ref().and_then(|values| values[index]),
                p_equivalent: None,
                expected_rank: self.ranks[group],
                if_normal: None,
                own: None,
            }
        };
        problem.starts.iter().enumerate().map(one).collect()
    }
}

/// White's expected score between equal engines.
pub(super) fn expected_score(alpha: f64, delta: f64) -> f64 {
    let [_, draw, win] = davidson(alpha, delta);
    win + 0.5 * draw
}

/// P(contrast > 0) of every group, mixed over τ.
fn mixed(profile: &TauProfile, contrast: impl Fn(&Slice) -> Option<&Vec<f64>>) -> Option<Vec<f64>> {
    let mut total = vec![0.0; profile.grid.first()?.means.len()];
    for (slice, probability) in profile.grid.iter().zip(&profile.probability) {
        for (sum, above) in total.iter_mut().zip(contrast(slice)?) {
            *sum += probability * above;
        }
    }
    Some(total.into_iter().map(|p: f64| p.clamp(0.0, 1.0)).collect())
}

/// α of a group, mixed over τ.
fn mixture(profile: &TauProfile, p: usize) -> NormalMixture {
    let slices = profile.grid.iter().zip(&profile.probability);
    NormalMixture::new(slices.map(|(s, probability)| (*probability, s.means[p], s.variances[p])))
}

fn summary(profile: &TauProfile, p: usize, level: f64) -> (Estimate, (f64, f64)) {
    let tail = 0.5 * (1.0 - level);
    let mixture = mixture(profile, p);
    let (value, variance) = mixture.moments();
    let alpha = Estimate {
        value,
        se: variance.sqrt(),
    };
    (
        alpha,
        (mixture.quantile(tail), mixture.quantile(1.0 - tail)),
    )
}

fn ranks(problem: &Problem, profile: &TauProfile) -> Vec<f64> {
    let moments: Vec<(f64, f64)> = (0..problem.groups())
        .map(|p| mixture(profile, p).moments())
        .collect();
    expected_ranks(&moments, &problem.copies)
}
