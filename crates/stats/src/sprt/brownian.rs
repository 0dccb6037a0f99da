//! Brownian motion with drift between two absorbing bounds.
//!
//! In the limit of small steps this is the path of the log-likelihood ratio. Two exact
//! series give the law of its outcome: images of the starting point, which converge
//! fast for short times, and eigenfunctions of the strip, for long ones.

use std::f64::consts::PI;

use serde::Serialize;

use crate::elo::NORMALIZED_ELO_SCALE;
use crate::numeric::distributions::{ln_normal_cdf, normal_cdf, normal_quantile};
use crate::numeric::root::{bisect, find_root};

/// σ²T/A² above which the eigenfunctions converge faster than the images.
const LONG_TIME: f64 = 0.4;
/// |drift| A/σ² above which the bounds do not bend the path: it ends where a free motion
/// would, and the exponents of the images would lose their digits.
const STRONG_DRIFT: f64 = 1e5;
/// Smallest difference of two hypothetical scores.
const SMALLEST_STEP: f64 = 1e-12;
/// Terms of either series; at the switch the sixth is below 1e-30.
const TERMS: i32 = 8;

/// No test is expected to take longer.
const LONGEST: f64 = 1e9;

/// The time until which something still goes on, to 1 in 1,000.
pub(super) fn time_until(goes_on: impl Fn(f64) -> bool) -> f64 {
    let mut high = 1.0;
    while goes_on(high) && high < LONGEST {
        high *= 2.0;
    }
    bisect((0.0, high), |_, high| 1e-3 * high, goes_on)
}

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

// Bounds of a test that has decided at a given number of pairs at the latest.
//
// Wald's test may last several times its expected length. Here the bounds lie farther out, so that fewer tests end at
// them by chance, and what is left is decided at the last pair by the ratio: together both error rates are what was
// asked for, exactly for the motion that the ratio is in the limit (a truncated test; T. L. Lai, "Sequential analysis",
// 2001). Normalised Elo says how much a pair tells, so the bounds are known before the first game.

/// Bounds beyond this many times Wald's are never reached.
const MAX_BOUND_FACTOR: f64 = 30.0;

/// Where a test ends that must have decided at its last pair.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Truncation {
    /// Pairs after which the ratio decides wherever it is.
    pub pairs: u64,
    /// The bounds until then.
    pub bounds: [f64; 2],
    /// H1 is accepted there if the ratio is at least this.
    pub cutoff: f64,
}

/// The fewest pairs with which a test of `distance` normalised Elo keeps both error rates: those of a test of fixed
/// length.
pub(super) fn fewest_pairs(distance: f64, [alpha, beta]: [f64; 2]) -> u64 {
    let standard_errors = normal_quantile(1.0 - alpha) + normal_quantile(1.0 - beta);
    let of_pair = std::f64::consts::SQRT_2 * distance / NORMALIZED_ELO_SCALE;
    (standard_errors / of_pair).powi(2).ceil() as u64
}

impl Truncation {
    /// For hypotheses this far apart in normalised Elo, whose bounds without an end are `wald`; `None` with too few pairs.
    pub(super) fn new(
        distance: f64,
        [alpha, beta]: [f64; 2],
        wald: [f64; 2],
        pairs: u64,
    ) -> Option<Self> {
        if pairs < fewest_pairs(distance, [alpha, beta]) {
            return None;
        }
        let per_pair = (distance / NORMALIZED_ELO_SCALE).powi(2);
        let time = pairs as f64;
        let passes = |bounds: [f64; 2], cutoff: f64, sign: f64| {
            let motion = Brownian {
                lower: bounds[0],
                upper: bounds[1],
                drift: sign * per_pair,
                variance: 2.0 * per_pair,
            };
            1.0 - motion.worse_outcome(time, cutoff)
        };
        let at = |factor: f64| {
            let bounds = wald.map(|bound| factor * bound);
            let excess = |cutoff: f64| passes(bounds, cutoff, -1.0) - alpha;
            // With near bounds more than alpha ends above, whatever is decided at the last pair.
            // With many pairs fewer than alpha are left at the last one: the likelier hypothesis is accepted.
            let cutoff = match excess(bounds[0]) {
                few if few <= 0.0 => Some(0.0),
                _ => find_root(excess, bounds[0], bounds[1], 1e-12),
            };
            cutoff.map(|cutoff| Self {
                pairs,
                bounds,
                cutoff,
            })
        };
        let errs_too_often = |factor: f64| {
            at(factor).is_none_or(|own| 1.0 - passes(own.bounds, own.cutoff, 1.0) > beta)
        };
        let nearest = bisect((1.0, MAX_BOUND_FACTOR), |_, _| 1e-9, errs_too_often);
        at(nearest + 1e-8)
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

#[cfg(test)]
mod truncated_tests {
    use crate::counts::{GameScore, PairScore};
    use crate::numeric::SplitMix;
    use crate::sprt::{Decision, Hypotheses, Model, Sprt};

    fn hypotheses(pairs: u64) -> Hypotheses {
        let test = Hypotheses::new(Model::Normalized, 0.0, 40.0, 0.05, 0.1).unwrap();
        test.truncated_at(pairs).unwrap()
    }

    #[test]
    fn fewer_pairs_than_a_fixed_test_needs_are_refused() {
        let test = Hypotheses::new(Model::Normalized, 0.0, 40.0, 0.05, 0.1).unwrap();
        // ((1.645 + 1.282) / (√2 · 40 / 347.4))² = 323.
        assert!(test.truncated_at(322).is_err() && test.truncated_at(324).is_ok());
        let logistic = Hypotheses::new(Model::Logistic, 0.0, 40.0, 0.05, 0.1).unwrap();
        assert!(logistic.truncated_at(1000).is_err());
        let [wide, near] = [330, 3000].map(|pairs| hypotheses(pairs).bounds()[1]);
        let wald = test.bounds()[1];
        assert!(
            wide > 1.3 * wald && near >= wald && near < 1.02 * wald,
            "{wide} {near} {wald}"
        );
    }

    /// Both error rates are what was asked for, and no test is undecided.
    #[test]
    fn every_test_decides_and_errs_as_often_as_it_says() {
        for pairs in [340, 500] {
            let hypotheses = hypotheses(pairs);
            for (nelo, expected) in [(0.0, 0.05), (40.0, 0.9)] {
                let accepted = (0..400).filter(|seed| {
                    let mut random = SplitMix::new(*seed);
                    let mut sprt = Sprt::new(hypotheses, 1, true);
                    // Scores of 0, 1/2 and 1 in a pair with standard deviation 1/4 a pair, 0.354 a game.
                    let mean = 0.5 + nelo / 347.436 * 0.25 * std::f64::consts::SQRT_2;
                    while sprt.status().decision == Decision::Undecided {
                        let [lost, level] = [0.625 - mean, 0.75];
                        let u = random.uniform();
                        let game = usize::from(u >= lost) + usize::from(u >= lost + level);
                        sprt.update(PairScore::new(GameScore::ALL[game], GameScore::ALL[game]));
                    }
                    assert!(sprt.status().pairs <= pairs);
                    sprt.status().decision == Decision::Accepted
                });
                let share = accepted.count() as f64 / 400.0;
                println!("{pairs} {nelo}: {share}");
                assert!((share - expected).abs() < 0.055, "{pairs} {nelo}: {share}");
            }
        }
    }
}
