//! How far the advantages of just these positions differ: the standard deviation of joint draws,
//! and the position that lies farthest from their mean.

use crate::advantage::hierarchical::posterior::AdvantagePosterior;

/// The standard deviation of the advantages over the positions that were played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Of α, in logits.
    pub logits: SpreadEstimate,
    /// Of the advantages in Elo. Where a few positions carry all differences and most games are
    /// drawn, α of these is far from the others' and hardly known from above; their scores are.
    pub elo: SpreadEstimate,
}

/// A standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpreadEstimate {
    /// Posterior median; the lower end where that is larger.
    pub value: f64,
    /// The interval. Its lower end is 0 unless the likelihood-ratio test excludes 0 at the
    /// lower tail's probability: no posterior of a standard deviation reaches 0 by itself.
    pub interval: (f64, f64),
}

/// The position farthest from the mean of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Farthest {
    /// Elo that no position's distance from the mean exceeds, with the level's probability.
    pub bound: f64,
    /// Probability that all positions lie within the margin of equivalence.
    pub all_within: Option<f64>,
}

/// Joint draws of all positions, at least as many as draws of the prior, and so many values
/// altogether as a fraction of a second yields.
const VALUES: f64 = 2e6;

/// Joint draws for each draw of the prior, at most.
const MOST: usize = 25;

/// Over the positions of one joint draw: sums of α and α², of their Elo and its square, the least
/// and the largest α.
#[derive(Clone, Copy)]
struct JointDraw {
    sum: f64,
    square: f64,
    elo: f64,
    elo_square: f64,
    least: f64,
    largest: f64,
}

impl JointDraw {
    const EMPTY: Self = Self {
        sum: 0.0,
        square: 0.0,
        elo: 0.0,
        elo_square: 0.0,
        least: f64::INFINITY,
        largest: f64::NEG_INFINITY,
    };

    fn merge(&mut self, other: Self) {
        self.sum += other.sum;
        self.square += other.square;
        self.elo += other.elo;
        self.elo_square += other.elo_square;
        self.least = self.least.min(other.least);
        self.largest = self.largest.max(other.largest);
    }
}

/// The joint draws, summed position by position.
pub(super) struct Sums {
    per_slice: usize,
    sums: Vec<JointDraw>,
    positions: f64,
}

impl Sums {
    pub(crate) fn new(slices: usize, positions: f64) -> Self {
        let per_slice = (VALUES / (positions * slices as f64)) as usize;
        let per_slice = per_slice.clamp(1, MOST);
        Self {
            per_slice,
            sums: vec![JointDraw::EMPTY; per_slice * slices],
            positions,
        }
    }

    /// Enters one position's draws of α at one draw of the prior, less the centre of `scale`.
    pub(crate) fn add(&mut self, slice: usize, scale: &EloScale, mut draw: impl FnMut() -> f64) {
        for sums in &mut self.sums[slice * self.per_slice..(slice + 1) * self.per_slice] {
            let alpha = draw();
            let (value, elo) = (alpha - scale.centre, scale.elo(alpha) - scale.elo_of_centre);
            sums.merge(JointDraw {
                sum: value,
                square: value * value,
                elo,
                elo_square: elo * elo,
                least: value,
                largest: value,
            });
        }
    }

    pub(crate) fn merge(&mut self, other: Self) {
        for (own, others) in self.sums.iter_mut().zip(other.sums) {
            own.merge(others);
        }
    }

    /// How far the position that is farthest from the mean lies from it in Elo: what it does not
    /// exceed with probability `level`, and the probability that it does not exceed `margin`.
    /// Half of the tail is kept for what the prior cannot know: where a few positions carry all
    /// differences it draws these towards the others, and the plain quantile covers 93 % of 95 %.
    /// `centre` was taken off every draw.
    pub(super) fn farthest(
        &self,
        elo: impl Fn(f64) -> f64,
        level: f64,
        margin: Option<f64>,
    ) -> Farthest {
        let distance = |draw: &JointDraw| {
            let mean = elo(draw.sum / self.positions);
            f64::max(elo(draw.largest) - mean, mean - elo(draw.least))
        };
        let mut distances: Vec<f64> = self.sums.iter().map(distance).collect();
        distances.sort_by(f64::total_cmp);
        let wanted = 0.5 + 0.5 * level;
        let place = ((wanted * distances.len() as f64) as usize).min(distances.len() - 1);
        let within = |margin: f64| {
            distances.partition_point(|d| *d <= margin) as f64 / distances.len() as f64
        };
        Farthest {
            bound: distances[place],
            all_within: margin.map(within),
        }
    }

    /// The spread at this level. Half of each tail is kept for what the prior's family cannot know:
    /// the plain quantiles of 95 % cover 93 % over the truths that are simulated.
    pub(crate) fn spread(&self, posterior: &AdvantagePosterior, level: f64) -> Spread {
        let n = self.positions;
        let deviation =
            |sum: f64, square: f64| ((square - sum * sum / n).max(0.0) / (n - 1.0).max(1.0)).sqrt();
        let tail = 0.5 * (1.0 - level);
        let excludes_0 = posterior.likelihood_ratio_p < tail;
        let estimate = |of: &dyn Fn(&JointDraw) -> f64| {
            let mut draws: Vec<f64> = self.sums.iter().map(of).collect();
            draws.sort_by(f64::total_cmp);
            let quantile =
                |share: f64| draws[((share * draws.len() as f64) as usize).min(draws.len() - 1)];
            let low = if excludes_0 {
                quantile(0.5 * tail)
            } else {
                0.0
            };
            SpreadEstimate {
                value: quantile(0.5),
                interval: (low, quantile(1.0 - 0.5 * tail)),
            }
        };
        Spread {
            logits: estimate(&|draw| deviation(draw.sum, draw.square)),
            elo: estimate(&|draw| deviation(draw.elo, draw.elo_square)),
        }
    }
}

/// Elo by advantage, from a table: two million draws are converted.
pub(super) struct EloScale {
    /// Taken off every draw, so that sums of squares keep their digits.
    pub centre: f64,
    elo_of_centre: f64,
    least: f64,
    table: Vec<f64>,
}

/// Logits from one entry of the table to the next.
const STEP: f64 = 0.02;

impl EloScale {
    /// Of advantages up to `reach` logits from the centre, and by the last two entries beyond.
    pub(super) fn new(centre: f64, reach: f64, elo: impl Fn(f64) -> f64) -> Self {
        let least = centre - reach;
        let last = (2.0 * reach / STEP).ceil() as usize + 1;
        let scale = Self {
            centre,
            elo_of_centre: 0.0,
            least,
            table: (0..=last).map(|i| elo(least + i as f64 * STEP)).collect(),
        };
        Self {
            elo_of_centre: scale.elo(centre),
            ..scale
        }
    }

    fn elo(&self, alpha: f64) -> f64 {
        let place = (alpha - self.least) / STEP;
        let cell = (place.max(0.0) as usize).min(self.table.len() - 2);
        let (left, right) = (self.table[cell], self.table[cell + 1]);
        left + (place - cell as f64) * (right - left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_function_it_was_made_of() {
        let elo = |alpha: f64| 173.7 * alpha + 3.0 * alpha * alpha;
        let scale = EloScale::new(0.4, 5.0, elo);
        for alpha in [-4.6, -1.234, 0.4, 0.41, 3.337, 5.39] {
            assert!((scale.elo(alpha) - elo(alpha)).abs() < 1e-3, "{alpha}");
        }
        // Beyond the table it goes on in a line.
        assert!(scale.elo(6.0) > scale.elo(5.5) && scale.elo(-7.0) < scale.elo(-5.0));
    }
}
