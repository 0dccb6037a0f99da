//! The generalised log-likelihood ratio of two hypotheses.
//!
//! LLR = max log L under H1 - max log L under H0 over all multinomial laws (Li, Liu
//! & Ying 2014; M. Van den Bergh): exact, not a normal approximation, which stops
//! within the first pairs and then errs in a third of all tests.

use serde::{Deserialize, Serialize};

use crate::counts::{MOST_CELLS, Sample};
use crate::elo::{NORMALIZED_ELO_SCALE, score_from_elo};
use crate::numeric::root::{find_root, secular_root, secular_root_from};

/// The scale in which the bounds are meant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalised Elo: the same effort whatever the draw rate.
    #[default]
    Normalized,
    /// Elo of the mean score.
    Logistic,
    /// BayesElo at the draw rate observed; for comparison with old tests only.
    Bayesian,
}

/// The logarithm of the likelihood ratio of `elo1` against `elo0`.
///
/// Zero counts become 1e-3 as in Fishtest, without which published values cannot be
/// reproduced; 0 for an empty sample. Finite for every sample and all finite bounds.
/// [`Model::Bayesian`] bounds must have been converted (see [`super::hypotheses`]);
/// here they are read as logistic.
pub fn log_likelihood_ratio(model: Model, [elo0, elo1]: [f64; 2], sample: &Sample) -> f64 {
    if sample.is_empty() {
        return 0.0;
    }
    let sample = sample.regularized();
    let loss = |elo| match model {
        Model::Normalized => log_likelihood_at_t(&sample, t_from_nelo(&sample, elo)),
        Model::Logistic | Model::Bayesian => log_likelihood_at_mean(&sample, score_from_elo(elo)),
    };
    sample.observations() * (loss(elo1) - loss(elo0))
}

/// (mean - 1/2)/sd of one observation for a normalised Elo.
fn t_from_nelo(sample: &Sample, nelo: f64) -> f64 {
    sample.games_per_observation().sqrt() * nelo / NORMALIZED_ELO_SCALE
}

/// The ratio nearer to 0 of the two; 0 where they contradict each other.
pub(super) fn weaker(one: f64, other: f64) -> f64 {
    if one.signum() == other.signum() {
        one.signum() * one.abs().min(other.abs())
    } else {
        0.0
    }
}

// Greatest likelihood of a sample under a given mean score.

/// Nearest distance of a hypothetical mean score from 0 and 1: ±4,800 Elo.
const SCORE_MARGIN: f64 = 1e-12;

/// max Σ pᵢ ln(qᵢ/pᵢ) per observation over all laws q with mean `score`.
///
/// At most 0; finite for samples without zero counts. qᵢ = pᵢ/(1 + θ(aᵢ-s)), the
/// secular equation of M. Van den Bergh's "support MLE multinomial".
pub fn log_likelihood_at_mean(sample: &Sample, score: f64) -> f64 {
    let score = score.clamp(SCORE_MARGIN, 1.0 - SCORE_MARGIN);
    // Both ends of the lattice lie beyond every score in (0, 1).
    log_likelihood_of_mean(sample, score).unwrap_or(0.0)
}

/// The same of any score; `None` where no law, or a single one, has it.
pub(crate) fn log_likelihood_of_mean(sample: &Sample, score: f64) -> Option<f64> {
    let frequencies = sample.frequencies();
    let mut distances = [0.0; MOST_CELLS];
    for (distance, a) in distances.iter_mut().zip(sample.lattice()) {
        *distance = a - score;
    }
    let cells = sample.lattice().len();
    let (frequencies, distances) = (&frequencies[..cells], &distances[..cells]);
    let theta = secular_root(frequencies, distances)?;
    Some(log_likelihood(frequencies, distances, theta))
}

/// -Σ pᵢ ln(1 + x fᵢ), the loss of a tilted law against the observed one.
pub(super) fn log_likelihood(frequencies: &[f64], values: &[f64], x: f64) -> f64 {
    let observed = frequencies.iter().zip(values).filter(|(p, _)| **p > 0.0);
    // A root next to a pole may round to it: stay on the side of finite numbers.
    -observed
        .map(|(p, f)| p * (x * f).max(-1.0 + f64::EPSILON).ln_1p())
        .sum::<f64>()
}

// Greatest likelihood of a sample under a given normalised difference.
//
// The constraint (mean - 1/2)/sd = t is not linear, and a nearly empty table has
// several local maxima. Fishtest iterates towards a fixed point, which for wide
// bounds does not converge. Here the problem is reduced to one variable instead.
// With the standard deviation `sd` of the law fixed, its mean is 1/2 + t sd, and
// the tangent of the constraint at that point is linear:
//
// fᵢ = aᵢ - 1/2 - (t sd/2) (1 + ((aᵢ - mean)/sd)²), qᵢ = pᵢ/(1 + x fᵢ), Σ qᵢ fᵢ = 0.
//
// This law is a stationary point of the likelihood exactly if its mean is the mean
// assumed. So the stationary points are the roots of one function of `sd`; all are
// found by a scan between the values of `sd` that some law can have, and the best
// one is the answer. With many observations a short scan provably suffices.

/// Below this |t| the constraint equals the constraint of an even score, to double precision.
const SMALLEST_T: f64 = 1e-9;
/// Beyond this |t| (over 80,000 nElo) a law is as good as a single point.
const LARGEST_T: f64 = 250.0;
/// Steps of the scan for stationary points. On 8,000 random tables, most of them nearly
/// empty, 24 steps found the same maximum as 1,500.
const SCAN_STEPS: usize = 32;
/// Factor from the observed spread up to which a single short scan is tried first.
const NEAR: f64 = 1.5;
/// Steps of that scan, as fine as the long one.
const NEAR_STEPS: usize = 4;

/// max Σ pᵢ ln(qᵢ/pᵢ) per observation over all laws q with (mean - 1/2)/sd = `t`.
///
/// At most 0; finite for samples without zero counts, which are expected.
pub fn log_likelihood_at_t(sample: &Sample, t: f64) -> f64 {
    if t.abs() < SMALLEST_T {
        return log_likelihood_at_mean(sample, 0.5);
    }
    // For a negative difference the opponent's sample has the positive one.
    let sample = if t < 0.0 { sample.reversed() } else { *sample };
    let search = StationarySearch::new(&sample, t.abs().min(LARGEST_T));
    search
        .best_near_observed()
        .unwrap_or_else(|| search.best_of_all_intervals())
}

/// The stationary points for one sample and one t > 0.
struct StationarySearch {
    frequencies: [f64; MOST_CELLS],
    lattice: &'static [f64],
    t: f64,
}

impl StationarySearch {
    fn new(sample: &Sample, t: f64) -> Self {
        Self {
            frequencies: sample.frequencies(),
            lattice: sample.lattice(),
            t,
        }
    }

    fn best_of_all_intervals(&self) -> f64 {
        let best = self
            .feasible_intervals()
            .into_iter()
            .map(|interval| self.best_in(interval));
        best.fold(f64::NEG_INFINITY, f64::max)
    }

    /// The maximum if it lies near the observed spread and nothing better can lie
    /// elsewhere; `None` if that is not certain.
    ///
    /// A law q that is as likely as the one found, with loss KL, differs from the
    /// observed one by at most √(KL/2) in total variation (Pinsker), hence by at most
    /// a quarter of that in E(a-1/2)², which is sd²(1+t²).
    fn best_near_observed(&self) -> Option<f64> {
        let cells = self.frequencies.iter().zip(self.lattice);
        let moment: f64 = cells.map(|(p, a)| p * (a - 0.5).powi(2)).sum();
        let spread = |moment: f64| moment.max(0.0).sqrt() / self.t.hypot(1.0);
        let (low, high) = (spread(moment) / NEAR, spread(moment) * NEAR);
        self.feasible_intervals()
            .into_iter()
            .find(|&(first, last)| first < low && high < last)?;
        let mut start = 0.0;
        let ends = [low, high].map(|sd| (sd, self.excess(sd, &mut start)));
        let best = self.scan(ends, NEAR_STEPS);
        let doubt = 0.25 * (-0.5 * best).max(0.0).sqrt();
        (low < spread(moment - doubt) && spread(moment + doubt) < high).then_some(best)
    }

    /// Intervals of `sd` for which the tangent constraint can be met.
    ///
    /// f > 0 between 1/2 + sd·`near` and 1/2 + sd·`far`, and is negative at the low
    /// end always: some cell must lie in between. The intervals of neighbouring
    /// cells are joined where they overlap.
    fn feasible_intervals(&self) -> Vec<(f64, f64)> {
        let root = self.t.hypot(1.0);
        let near = self.t - self.t / (1.0 + root);
        let far = self.t + (1.0 + root) / self.t;
        // The widest law is on 0 and 1 alone.
        let widest = 0.5 / root;
        let mut intervals: Vec<(f64, f64)> = Vec::new();
        for above in self.lattice.iter().map(|a| a - 0.5).filter(|a| *a > 0.0) {
            let (low, high) = (above / far, (above / near).min(widest));
            match intervals.last_mut() {
                Some(last) if last.1 >= low => last.1 = last.1.max(high),
                _ => intervals.push((low, high)),
            }
        }
        intervals
    }

    /// The best stationary point inside a whole interval.
    ///
    /// At the lower end all mass is on the cell that just came into reach, above the
    /// mean assumed; at the upper end the reverse. So the sign of [`Self::excess`]
    /// changes at least once.
    fn best_in(&self, (low, high): (f64, f64)) -> f64 {
        let ends = [(low * (1.0 + 1e-12), 1.0), (high * (1.0 - 1e-12), -1.0)];
        self.scan(ends, SCAN_STEPS)
    }

    /// The best stationary point between two values of `sd` with known excess, on a geometric grid; minus infinity if
    /// none is found.
    fn scan(&self, [first, last]: [(f64, f64); 2], steps: usize) -> f64 {
        let ratio = (last.0 / first.0).powf(1.0 / steps as f64);
        let mut best = f64::NEG_INFINITY;
        let mut start = 0.0;
        let mut left = first;
        for step in 1..=steps {
            let right = if step == steps {
                last
            } else {
                (left.0 * ratio, self.excess(left.0 * ratio, &mut start))
            };
            if (right.1 < 0.0) != (left.1 < 0.0) {
                best = best.max(self.refine(left, right, start));
            }
            left = right;
        }
        best
    }

    /// The likelihood at the root between two points of the scan.
    fn refine(&self, left: (f64, f64), right: (f64, f64), mut start: f64) -> f64 {
        let signed = |sd: f64| match sd {
            sd if sd <= left.0 => left.1,
            sd if sd >= right.0 => right.1,
            sd => self.excess(sd, &mut start),
        };
        let tolerance = 1e-13 * left.0;
        let Some(sd) = find_root(signed, left.0, right.0, tolerance) else {
            return f64::NEG_INFINITY;
        };
        let Some((values, x)) = self.tilt(sd, 0.0) else {
            return f64::NEG_INFINITY;
        };
        let cells = self.lattice.len();
        log_likelihood(&self.frequencies[..cells], &values[..cells], x)
    }

    /// Mean of the tilted law less the mean assumed. `start` is the multiplier of a
    /// neighbouring point, and becomes that of this one.
    fn excess(&self, sd: f64, start: &mut f64) -> f64 {
        let Some((values, x)) = self.tilt(sd, *start) else {
            return f64::NAN;
        };
        *start = x;
        let laws = self.frequencies.iter().zip(&values);
        let laws = laws.map(|(p, f)| p / (1.0 + x * f));
        laws.zip(self.lattice)
            .map(|(q, a)| q * (a - 0.5))
            .sum::<f64>()
            - self.t * sd
    }

    /// A tilted law, and its multiplier.
    fn tilt(&self, sd: f64, start: f64) -> Option<([f64; MOST_CELLS], f64)> {
        let mean = 0.5 + self.t * sd;
        let mut values = [0.0; MOST_CELLS];
        for (value, a) in values.iter_mut().zip(self.lattice) {
            let z = (a - mean) / sd;
            *value = a - 0.5 - 0.5 * self.t * sd * (1.0 + z * z);
        }
        let cells = self.lattice.len();
        let x = secular_root_from(&self.frequencies[..cells], &values[..cells], start)?;
        Some((values, x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Trinomial;

    #[test]
    fn nothing_is_lost_at_the_observed_mean() {
        let sample = Sample::from(Trinomial([10, 30, 20]));
        let mean = sample.moments().unwrap().mean;
        assert!(log_likelihood_at_mean(&sample, mean).abs() < 1e-15);
        assert!(log_likelihood_at_mean(&sample, mean + 0.1) < -0.01);
    }

    #[test]
    fn absurd_scores_stay_finite() {
        let sample = Sample::from(Trinomial([50, 0, 0])).regularized();
        assert!(log_likelihood_at_mean(&sample, 1.0).is_finite());
    }
}

#[cfg(test)]
mod constrained_t_tests {
    use super::*;
    use crate::counts::Pentanomial;

    #[test]
    fn nothing_is_lost_at_the_observed_difference() {
        let sample = Sample::from(Pentanomial([5, 20, 40, 30, 5]));
        let moments = sample.moments().unwrap();
        let t = (moments.mean - 0.5) / moments.variance.sqrt();
        assert!(log_likelihood_at_t(&sample, t).abs() < 1e-14);
        assert!(log_likelihood_at_t(&sample, t + 0.1) < -0.004);
    }

    #[test]
    fn the_short_scan_finds_what_the_long_one_finds() {
        for (counts, t) in [([47, 324, 636, 380, 61], 0.08), ([2, 9, 41, 20, 8], 0.2)] {
            let search = StationarySearch::new(&Sample::from(Pentanomial(counts)).regularized(), t);
            let short = search.best_near_observed().unwrap();
            assert!((short - search.best_of_all_intervals()).abs() < 1e-15);
        }
        let empty = StationarySearch::new(
            &Sample::from(Pentanomial([0, 0, 3, 0, 0])).regularized(),
            0.1,
        );
        assert!(empty.best_near_observed().is_none());
    }

    #[test]
    fn both_sides_see_the_same_likelihood() {
        let sample = Sample::from(Pentanomial([1, 0, 7, 2, 0])).regularized();
        let difference =
            log_likelihood_at_t(&sample, 0.3) - log_likelihood_at_t(&sample.reversed(), -0.3);
        assert_eq!(difference, 0.0);
    }
}
