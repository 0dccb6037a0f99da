//! How far the advantages of just these positions differ: the standard deviation of joint draws.

use crate::advantage::hierarchical::posterior::AdvantagePosterior;

/// The standard deviation of α over the positions that were played, in logits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Posterior median; the lower end where that is larger.
    pub value: f64,
    /// The interval. Its lower end is 0 unless the likelihood-ratio test excludes 0 at the
    /// lower tail's probability: no posterior of a standard deviation reaches 0 by itself.
    pub interval: (f64, f64),
}

/// Joint draws of all positions, at least as many as draws of the prior, and so many values
/// altogether as a fraction of a second yields.
const VALUES: f64 = 2e6;

/// Joint draws for each draw of the prior, at most.
const MOST: usize = 25;

/// Sums of α and α² over positions for each joint draw.
pub(super) struct Sums {
    per_slice: usize,
    sums: Vec<[f64; 2]>,
    positions: f64,
}

impl Sums {
    pub(crate) fn new(slices: usize, positions: f64) -> Self {
        let per_slice = (VALUES / (positions * slices as f64)) as usize;
        let per_slice = per_slice.clamp(1, MOST);
        Self {
            per_slice,
            sums: vec![[0.0; 2]; per_slice * slices],
            positions,
        }
    }

    /// Enters one position's draws at one draw of the prior.
    pub(crate) fn add(&mut self, slice: usize, mut draw: impl FnMut() -> f64) {
        for sums in &mut self.sums[slice * self.per_slice..(slice + 1) * self.per_slice] {
            let value = draw();
            sums[0] += value;
            sums[1] += value * value;
        }
    }

    pub(crate) fn merge(&mut self, other: Self) {
        for (own, others) in self.sums.iter_mut().zip(other.sums) {
            (0..2).for_each(|i| own[i] += others[i]);
        }
    }

    /// The spread at this level.
    pub(crate) fn spread(&self, posterior: &AdvantagePosterior, level: f64) -> Spread {
        let n = self.positions;
        let deviation = |[sum, square]: &[f64; 2]| {
            ((square - sum * sum / n).max(0.0) / (n - 1.0).max(1.0)).sqrt()
        };
        let mut draws: Vec<f64> = self.sums.iter().map(deviation).collect();
        draws.sort_by(f64::total_cmp);
        let quantile =
            |share: f64| draws[((share * draws.len() as f64) as usize).min(draws.len() - 1)];
        let tail = 0.5 * (1.0 - level);
        let low = if posterior.likelihood_ratio_p < tail {
            quantile(tail)
        } else {
            0.0
        };
        Spread {
            value: quantile(0.5),
            interval: (low, quantile(1.0 - tail)),
        }
    }
}
