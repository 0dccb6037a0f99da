//! Bounds of a test that has decided at a given number of pairs at the latest.
//!
//! Wald's test may last several times its expected length. Here the bounds lie farther out, so that fewer tests end at
//! them by chance, and what is left is decided at the last pair by the ratio: together both error rates are what was
//! asked for, exactly for the motion that the ratio is in the limit (a truncated test; T. L. Lai, "Sequential analysis",
//! 2001). Normalised Elo says how much a pair tells, so the bounds are known before the first game.

use serde::Serialize;

use super::brownian::Brownian;
use crate::elo::NORMALIZED_ELO_SCALE;
use crate::numeric::distributions::normal_quantile;
use crate::numeric::root::{bisect, find_root};

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
    use crate::counts::{GameScore, PairScore};
    use crate::numeric::random::SplitMix;
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
