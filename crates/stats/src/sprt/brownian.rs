//! Brownian motion with drift between two absorbing bounds.
//!
//! In the limit of small steps this is the path of the log-likelihood ratio. Two exact
//! series give the law of its outcome: images of the starting point, which converge
//! fast for short times, and eigenfunctions of the strip, for long ones.

use crate::numeric::distributions::{ln_normal_cdf, normal_cdf};
use std::f64::consts::PI;

/// σ²T/A² above which the eigenfunctions converge faster than the images.
const LONG_TIME: f64 = 0.4;
/// |drift| A/σ² above which the bounds do not bend the path: it ends where a free motion
/// would, and the exponents of the images would lose their digits.
const STRONG_DRIFT: f64 = 1e5;
/// Smallest difference of two hypothetical scores.
const SMALLEST_STEP: f64 = 1e-12;
/// Terms of either series; at the switch the sixth is below 1e-30.
const TERMS: i32 = 8;

/// A motion that starts at 0 and is absorbed at `lower` < 0 or `upper` > 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Brownian {
    /// The bound below.
    pub lower: f64,
    /// The bound above.
    pub upper: f64,
    /// Mean change per unit of time.
    pub drift: f64,
    /// Variance per unit of time, not zero.
    pub variance: f64,
}

impl Brownian {
    /// The path of a log-likelihood ratio of the mean scores `s1` against `s0` per
    /// observation with this variance, if the true mean is `score`: drift
    /// (score - (s0+s1)/2)(s1-s0)/v, variance (s1-s0)²/v.
    pub fn of_ratio(
        [lower, upper]: [f64; 2],
        [s0, s1]: [f64; 2],
        score: f64,
        variance: f64,
    ) -> Self {
        // Absurd bounds can fall together in double precision.
        let step = (s1 - s0).max(SMALLEST_STEP);
        let drift = (score - 0.5 * (s0 + s1)) * step / variance;
        Self {
            lower,
            upper,
            drift,
            variance: step * step / variance,
        }
    }

    /// Probability of an outcome worse than being at `y` at `time`: absorbed below
    /// before, or alive and lower. With `y` = `upper` this is the probability of not
    /// having been absorbed above by then.
    pub fn worse_outcome(&self, time: f64, y: f64) -> f64 {
        let width = self.upper - self.lower;
        let y = y.clamp(self.lower, self.upper) - self.lower;
        let scaled_time = self.variance * time / (width * width);
        let probability = if self.drift.abs() * width > STRONG_DRIFT * self.variance {
            let distance = y + self.lower - self.drift * time;
            normal_cdf(distance / (self.variance * time).sqrt())
        } else if scaled_time > LONG_TIME {
            self.by_eigenfunctions(time, y)
        } else {
            self.by_images(time, y)
        };
        probability.clamp(0.0, 1.0)
    }

    /// Probability of not being absorbed before `time`.
    pub fn still_running(&self, time: f64) -> f64 {
        let alive = self.worse_outcome(time, self.upper) - self.worse_outcome(time, self.lower);
        alive.clamp(0.0, 1.0)
    }

    /// Probability of being absorbed above, sooner or later.
    pub fn absorbed_above(&self) -> f64 {
        // 2 drift/variance; the two forms keep every exponent negative.
        let h = 2.0 * self.drift / self.variance;
        let (a, b) = (self.lower, self.upper);
        if (h * (b - a)).abs() < 1e-8 {
            a / (a - b)
        } else if h > 0.0 {
            (h * a).exp_m1() / (h * (a - b)).exp_m1()
        } else {
            (h * b).exp() * (-h * a).exp_m1() / (h * (b - a)).exp_m1()
        }
    }

    /// Expected time to absorption.
    pub fn expected_time(&self) -> f64 {
        let (a, b) = (self.lower, self.upper);
        if (2.0 * self.drift / self.variance * (b - a)).abs() < 1e-8 {
            return -a * b / self.variance;
        }
        let above = self.absorbed_above();
        (b * above + a * (1.0 - above)) / self.drift
    }

    /// Sum over the eigenfunctions sin(nπz/A) of the strip, z = distance from `lower`.
    fn by_eigenfunctions(&self, time: f64, y: f64) -> f64 {
        let width = self.upper - self.lower;
        let start = -self.lower;
        let gamma = self.drift / self.variance;
        let mut sum = 0.0;
        for n in 1..=TERMS {
            let frequency = f64::from(n) * PI / width;
            let norm = frequency * frequency + gamma * gamma;
            let decay = 0.5 * self.variance * norm * time;
            // ∫ of the eigenfunction up to y, and what is yet to be absorbed below.
            let inside = gamma * (frequency * y).sin() - frequency * (frequency * y).cos();
            let weight = (gamma * (y - start) - decay).exp() * 2.0 / (width * norm);
            sum += weight * inside * (frequency * start).sin();
        }
        1.0 - self.absorbed_above() + sum
    }

    /// Sum over the images of the starting point in both bounds.
    fn by_images(&self, time: f64, y: f64) -> f64 {
        let width = self.upper - self.lower;
        let start = -self.lower;
        let gamma = self.drift / self.variance;
        let path = Path {
            drift: self.drift * time,
            sd: (self.variance * time).sqrt(),
            gamma,
        };
        let mut sum = 0.0;
        for k in -TERMS..=TERMS {
            let shift = 2.0 * f64::from(k) * width;
            let (source, mirror) = (start + shift, shift - start);
            sum += path.below(y, source, gamma * shift);
            sum -= path.below(y, mirror, gamma * (mirror - start));
            // Images come in pairs about the lower bound; each pair's flux through it.
            if k >= 0 {
                sum += path.absorbed(source, gamma * shift);
            }
            if k >= 1 {
                sum -= path.absorbed(mirror, gamma * (mirror - start));
            }
        }
        sum
    }
}

/// A free motion over a given time, seen from the lower bound.
struct Path {
    drift: f64,
    sd: f64,
    gamma: f64,
}

impl Path {
    /// e^`ln_weight` times the probability of ending between 0 and `y` from `source`.
    fn below(&self, y: f64, source: f64, ln_weight: f64) -> f64 {
        let centre = source + self.drift;
        let (near, far) = (-centre / self.sd, (y - centre) / self.sd);
        // In the upper tail the complement keeps the digits.
        let (small, large) = if near > 0.0 {
            (-far, -near)
        } else {
            (near, far)
        };
        (ln_weight + ln_normal_cdf(large)).exp() - (ln_weight + ln_normal_cdf(small)).exp()
    }

    /// e^`ln_weight` times the probability of touching 0 from `source` > 0.
    fn absorbed(&self, source: f64, ln_weight: f64) -> f64 {
        let direct = ln_weight + ln_normal_cdf((-source - self.drift) / self.sd);
        let reflected =
            ln_weight - 2.0 * self.gamma * source + ln_normal_cdf((self.drift - source) / self.sd);
        direct.exp() + reflected.exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motion(drift: f64) -> Brownian {
        Brownian {
            lower: -2.0,
            upper: 3.0,
            drift,
            variance: 1.5,
        }
    }

    #[test]
    fn both_series_agree() {
        for drift in [-1.0, -0.01, 0.0, 0.3, 2.0] {
            for (time, y) in [
                (2.0, -1.5),
                (5.0, 0.0),
                (10.0, 2.9),
                (12.0, 3.0),
                (6.0, -2.0),
            ] {
                let (motion, z) = (motion(drift), y + 2.0);
                let difference = motion.by_images(time, z) - motion.by_eigenfunctions(time, z);
                assert!(difference.abs() < 1e-10, "{drift} {time} {y}: {difference}");
            }
        }
    }

    #[test]
    fn after_a_long_time_everything_is_absorbed() {
        let motion = motion(0.2);
        let below = 1.0 - motion.absorbed_above();
        assert!((motion.worse_outcome(1e4, 0.0) - below).abs() < 1e-12);
    }

    #[test]
    fn the_mean_time_is_the_integral_of_still_running() {
        for drift in [-0.4, 0.0, 0.7] {
            let motion = motion(drift);
            let step = 0.01;
            let total: f64 = (0..6000)
                .map(|i| step * motion.still_running((f64::from(i) + 0.5) * step))
                .sum();
            let mean = motion.expected_time();
            assert!(
                (total - mean).abs() < 0.01 * mean,
                "{drift}: {total} {mean}"
            );
        }
    }

    #[test]
    fn a_driftless_motion_is_a_fair_game() {
        assert!((motion(0.0).absorbed_above() - 0.4).abs() < 1e-15);
        assert!((motion(0.0).expected_time() - 4.0).abs() < 1e-15);
        let (left, right) = (motion(-1e-7).expected_time(), motion(1e-7).expected_time());
        assert!((left - right).abs() < 1e-5);
    }

    #[test]
    fn strong_drifts_stay_finite() {
        for drift in [-1e6, -300.0, 300.0, 1e6] {
            for time in [1e-9, 1e-3, 1.0, 1e6] {
                let worse = motion(drift).worse_outcome(time, 0.5);
                assert!((0.0..=1.0).contains(&worse), "{drift} {time}: {worse}");
            }
            assert!(motion(drift).expected_time().is_finite());
        }
    }
}
