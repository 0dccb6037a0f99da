//! What each start is worth: in all maps alike, and in each map from all of them together.

use super::likelihood::{Likelihood, Observation};
use crate::numeric::distributions::normal_cdf;
use crate::numeric::linear::Symmetric;

/// What a start is worth in every map, beyond their means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CommonAdvantage {
    /// Start number.
    pub start: u32,
    /// Maps that have it.
    pub maps: u32,
    /// Posterior mean in Elo, drawn towards 0 by its noise.
    pub elo: f64,
    /// Posterior standard deviation.
    pub sd: f64,
    /// P(above 0).
    pub p_above_mean: f64,
    /// Mean false-sign rate of all starts at least as clear.
    pub svalue: f64,
}

/// What a start is worth in one map, the others having their say by how much they share with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointAdvantage {
    /// Start number.
    pub start: u32,
    /// The map's place.
    pub map: usize,
    /// Posterior mean in Elo, the map's mean included.
    pub elo: f64,
    /// Posterior standard deviation, the map's mean being taken as known.
    pub sd: f64,
}

/// Of every start in two maps or more, the components having these standard deviations; the
/// first of them is what all maps share.
pub(super) fn of(
    likelihood: &Likelihood<'_>,
    at: &[f64],
) -> (Vec<CommonAdvantage>, Vec<JointAdvantage>) {
    let offsets = likelihood.offsets(at);
    let (mut common, mut joint) = (Vec::new(), Vec::new());
    for (start, seen) in likelihood.observations() {
        let Some(found) = Start::new(likelihood, at, &offsets, seen) else {
            continue;
        };
        let (elo, sd) = found.posterior(&vec![at[0] * at[0]; seen.len()], at[0] * at[0]);
        common.push(CommonAdvantage {
            start: *start,
            maps: seen.len() as u32,
            elo,
            sd,
            p_above_mean: match sd > 0.0 {
                true => normal_cdf(elo / sd),
                false => 0.5,
            },
            svalue: 0.5,
        });
        for (i, (map, ..)) in seen.iter().enumerate() {
            let (elo, sd) = found.posterior(found.covariances.row(i), found.covariances.at(i, i));
            joint.push(JointAdvantage {
                start: *start,
                map: *map,
                elo: elo + offsets[*map] + likelihood.given_mean(*map),
                sd,
            });
        }
    }
    enter_s_values(&mut common);
    (common, joint)
}

/// The normal law of a start's values, given what was seen of it.
struct Start {
    covariances: Symmetric,
    weights: Symmetric,
    /// Weights times the deviations from the maps' means.
    weighted: Vec<f64>,
}

impl Start {
    fn new(
        likelihood: &Likelihood<'_>,
        at: &[f64],
        offsets: &[f64],
        seen: &[Observation],
    ) -> Option<Self> {
        let maps: Vec<usize> = seen.iter().map(|(map, ..)| *map).collect();
        let noise: Vec<f64> = seen.iter().map(|(.., v)| *v).collect();
        let deviations: Vec<f64> = seen.iter().map(|(map, y, _)| y - offsets[*map]).collect();
        let (weights, _) = likelihood.weights(at, &maps, &noise)?;
        Some(Self {
            covariances: likelihood.covariances(at, &maps),
            weighted: weights.times(&deviations),
            weights,
        })
    }

    /// Mean and standard deviation of a value with these covariances with what was seen.
    fn posterior(&self, with: &[f64], variance: f64) -> (f64, f64) {
        let mean = with.iter().zip(&self.weighted).map(|(a, b)| a * b).sum();
        let left = variance - self.weights.form(with, with);
        (mean, left.max(0.0).sqrt())
    }
}

/// Running means of the false-sign rates; equal rates have equal values, the largest.
fn enter_s_values(found: &mut [CommonAdvantage]) {
    let rate = |c: &CommonAdvantage| c.p_above_mean.min(1.0 - c.p_above_mean);
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by(|a, b| rate(&found[*a]).total_cmp(&rate(&found[*b])));
    let mut sum = 0.0;
    let means: Vec<f64> = order
        .iter()
        .enumerate()
        .map(|(n, i)| {
            sum += rate(&found[*i]);
            sum / (n + 1) as f64
        })
        .collect();
    let mut last = means.len();
    for n in (0..means.len()).rev() {
        if n + 1 == means.len() || rate(&found[order[n]]) < rate(&found[order[n + 1]]) - 1e-12 {
            last = n;
        }
        found[order[n]].svalue = means[last];
    }
}
