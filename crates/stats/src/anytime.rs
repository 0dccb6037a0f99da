//! The always-valid interval: may be watched after every pair.
//!
//! A classical 95 % interval that is recomputed after every pair excludes the truth at some time in half of all matches.
//! This one is a confidence *sequence*: it covers at all times at once. Somebody who bets a fixed share of his capital,
//! pair by pair at fair odds, that the mean is above a score `m`, multiplies it by 20 at some time with a probability of
//! at most 1/20 if the mean is `m`, whatever the law of the pairs (Ville's inequality). The interval has every score
//! against which nobody of a fixed crowd of bettors, taken together, has won that much (Waudby-Smith & Ramdas,
//! "Estimating means of bounded random variables by betting", JRSS B 2024).

use serde::Serialize;

use super::elo::elo_from_score;
use super::numeric::root::find_root;
use super::sample::Sample;

/// Bettors, each with a share of his capital by which it shrinks if a pair brings nothing.
const BETTORS: i32 = 16;
/// The largest share, and the ratio of two neighbours.
const LARGEST_SHARE: f64 = 0.95;
const RATIO: f64 = 0.7;
/// The share that begins with most: after 500 pairs nobody of a crowd would have done better.
const USUAL_SHARE: f64 = 0.22;

/// A running interval of the mean score, within [0, 1].
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AnytimeInterval {
    /// Lower end, a mean score.
    pub score_lo: f64,
    /// Upper end, a mean score.
    pub score_hi: f64,
}

impl AnytimeInterval {
    /// Both ends in Elo; infinite where a score of 0 or 1 is not excluded.
    pub fn elo(&self) -> [f64; 2] {
        [self.score_lo, self.score_hi].map(elo_from_score)
    }
}

/// The interval at `level`; `None` for an empty sample.
pub fn anytime_interval(sample: &Sample, level: f64) -> Option<AnytimeInterval> {
    let mean = sample.moments()?.mean;
    Some(AnytimeInterval {
        score_lo: lower_end(sample, mean, level),
        score_hi: 1.0 - lower_end(&sample.reversed(), 1.0 - mean, level),
    })
}

/// Whether the interval at `level` leaves out a mean score strictly between 0 and 1.
pub fn leaves_out(sample: &Sample, score: f64, level: f64) -> bool {
    let needed = needed(level);
    ln_capital(sample, score) >= needed || ln_capital(&sample.reversed(), 1.0 - score) >= needed
}

/// The logarithm of the capital that leaves a score out; half of it is bet on each side.
fn needed(level: f64) -> f64 {
    (2.0 / (1.0 - level).clamp(f64::MIN_POSITIVE, 1.0)).ln()
}

fn lower_end(sample: &Sample, mean: f64, level: f64) -> f64 {
    // The higher the score, the less has been won against it.
    let left = |score: f64| ln_capital(sample, score) - needed(level);
    if mean <= 0.0 || left(f64::MIN_POSITIVE) <= 0.0 {
        return 0.0;
    }
    find_root(left, f64::MIN_POSITIVE, mean, 1e-12).unwrap_or(0.0)
}

/// The capital of those who bet that the mean is above `score`.
fn ln_capital(sample: &Sample, score: f64) -> f64 {
    let bettor = |place: i32| {
        let share = LARGEST_SHARE * RATIO.powi(place);
        let distance = (share / USUAL_SHARE).ln();
        let cells = sample.cells().iter().zip(sample.lattice());
        let won = cells.filter(|(count, _)| **count > 0.0);
        let won = won.map(|(count, a)| count * (share * (a / score - 1.0)).ln_1p());
        (-0.5 * distance * distance, won.sum::<f64>())
    };
    let bettors: Vec<(f64, f64)> = (0..BETTORS).map(bettor).collect();
    let begun: f64 = bettors.iter().map(|(begun, _)| begun.exp()).sum();
    let most = bettors.iter().map(|(begun, won)| begun + won);
    let most = most.fold(f64::NEG_INFINITY, f64::max);
    let now: f64 = bettors
        .iter()
        .map(|(begun, won)| (begun + won - most).exp())
        .sum();
    most + (now / begun).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::{Pentanomial, Trinomial};
    use crate::numeric::random::SplitMix;

    fn interval(counts: [u64; 5]) -> AnytimeInterval {
        anytime_interval(&Pentanomial(counts).into(), 0.95).unwrap()
    }

    #[test]
    fn it_begins_with_everything_and_narrows() {
        let width = |counts| interval(counts).score_hi - interval(counts).score_lo;
        assert!(width([0, 0, 1, 0, 0]) > 0.9);
        assert!(width([0, 0, 10, 0, 0]) > width([0, 0, 100, 0, 0]));
        assert!(anytime_interval(&Pentanomial::default().into(), 0.95).is_none());
        let won = anytime_interval(&Trinomial([0, 0, 40]).into(), 0.95).unwrap();
        assert!(won.score_lo > 0.8 && won.score_hi == 1.0, "{won:?}");
        let lost = interval([2000, 0, 0, 0, 0]);
        assert!(lost.score_lo == 0.0 && lost.score_hi < 0.01, "{lost:?}");
    }

    #[test]
    fn what_is_left_out_lies_beyond_an_end() {
        let sample = Sample::from(Pentanomial([9, 30, 61, 45, 15]));
        let AnytimeInterval { score_lo, score_hi } = anytime_interval(&sample, 0.95).unwrap();
        for (score, is_out) in [
            (score_lo, true),
            (score_hi, true),
            (0.5 * (score_lo + score_hi), false),
        ] {
            let moved = |by: f64| leaves_out(&sample, score + by, 0.95);
            assert_eq!(moved(1e-6) || moved(-1e-6), is_out, "{score}");
        }
    }

    /// A plug-in variance is far too small until the first rare result: it left out the truth in 24 % of such matches.
    #[test]
    fn the_truth_stays_inside_however_lopsided_a_match_is() {
        for (loss, win) in [(0.005, 0.995), (0.01, 0.04), (0.1, 0.9)] {
            let (truth, matches) = (0.5 + 0.5 * (win - loss), 400);
            let is_left = |seed: u64| {
                let mut random = SplitMix::new(seed);
                let mut counts = [0; 5];
                (0..1000).any(|_| {
                    let u = random.uniform();
                    counts[if u < loss {
                        0
                    } else if u < loss + win {
                        4
                    } else {
                        2
                    }] += 1;
                    leaves_out(&Pentanomial(counts).into(), truth, 0.95)
                })
            };
            let left = (0..matches).filter(|seed| is_left(*seed)).count();
            // Three errors beyond 5 %.
            assert!(left <= 33, "{loss} {win}: {left} of {matches}");
        }
    }
}
