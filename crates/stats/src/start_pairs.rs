//! Pairs of games by start position: the sample behind an estimate of two engines, and behind a test.
//!
//! An engine may like a position. Then two pairs on it say less than pairs on two positions, and an estimate or a test
//! that takes them for independent is wrong far more often than it says. So a sample of pairs knows its starts, and the
//! variance of its mean is the CR2 variance over positions with Bell and McCaffrey's degrees of freedom. Which games
//! belong to it is decided where it is filled: copies of other games do not.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::counts::{MOST_CELLS, Moments, PairScore, Pentanomial, Sample, Unit};
use crate::elo::elo_from_score;
use crate::estimate::Correction;
use crate::numeric::root::find_root;

/// Positions from which on they are clusters.
pub const FEWEST_STARTS: usize = 6;

/// Pairs of games, by the start position they were played from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StartPairs {
    pairs: Pentanomial,
    /// Instead of pairs differences of two, low to high.
    differences: Option<[u64; MOST_CELLS]>,
    /// Pairs of a start, and their half-points.
    starts: HashMap<u64, (u32, u32)>,
    /// By the number of pairs of a start: how many starts have it, the sums of their half-points and of the squares of
    /// these.
    by_number: BTreeMap<u32, [f64; 3]>,
    /// Starts of which only the number is kept, because each has one pair.
    own_starts: usize,
}

/// The mean's variance over positions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ClusteredMean {
    /// The squared error of the mean.
    pub variance: f64,
    /// Its degrees of freedom.
    pub freedom: f64,
}

impl StartPairs {
    /// Each pair from a start of its own.
    pub fn on_own_starts(pairs: Pentanomial) -> Self {
        let mut sample = Self {
            pairs,
            own_starts: pairs.pairs() as usize,
            ..Self::default()
        };
        for (half_points, count) in (0_u32..).zip(pairs.0) {
            sample.count_starts(1, half_points, count as f64);
        }
        sample
    }

    /// Takes in a pair from the start position with this key, or from a start that no other pair has.
    pub fn add(&mut self, start: impl Into<Option<u64>>, pair: PairScore) {
        self.pairs.add(pair);
        self.count(start.into(), pair.half_points().into());
    }

    /// Takes in by how much the first of two pairs is better, which were played on this start, or on one of their own.
    pub(crate) fn add_difference(&mut self, start: Option<u64>, [one, other]: [PairScore; 2]) {
        let cell = 4 + one.half_points() - other.half_points();
        self.differences.get_or_insert_default()[usize::from(cell)] += 1;
        self.count(start, cell.into());
    }

    /// Counts an observation, in steps of its lattice, on a start, or on one of its own.
    fn count(&mut self, start: Option<u64>, steps: u32) {
        let Some(start) = start else {
            self.own_starts += 1;
            return self.count_starts(1, steps, 1.0);
        };
        let entry = self.starts.entry(start).or_default();
        let before = *entry;
        *entry = (before.0 + 1, before.1 + steps);
        let after = *entry;
        if before.0 > 0 {
            self.count_starts(before.0, before.1, -1.0);
        }
        self.count_starts(after.0, after.1, 1.0);
    }

    /// `count` starts with this number of pairs and these half-points in all are there now, or, if negative, no longer.
    fn count_starts(&mut self, number: u32, half_points: u32, count: f64) {
        let sums = self.by_number.entry(number).or_default();
        let half_points = f64::from(half_points);
        let terms = [1.0, half_points, half_points * half_points];
        (0..3).for_each(|i| sums[i] += count * terms[i]);
        // Counts are whole numbers.
        if sums[0] < 0.5 {
            self.by_number.remove(&number);
        }
    }

    /// The pairs by result.
    pub fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }

    /// All that was taken in.
    pub(crate) fn sample(&self) -> Sample {
        match self.differences {
            Some(counts) => Sample::of(Unit::Difference, counts.map(|count| count as f64)),
            None => self.pairs.into(),
        }
    }

    /// How much that is.
    pub(crate) fn observations(&self) -> u64 {
        self.differences
            .map_or_else(|| self.pairs.pairs(), |counts| counts.iter().sum())
    }

    /// Positions that were played.
    pub fn starts(&self) -> usize {
        self.starts.len() + self.own_starts
    }

    /// The interval of the mean score that may be watched after every pair; `None` without any. Where starts repeat it is
    /// about starts like these.
    pub fn always_valid(&self, level: f64) -> Option<AnytimeInterval> {
        let interval = anytime_interval(&self.sample(), level)?;
        let mean = self.sample().moments()?.mean;
        let wider = self.design_effect().sqrt();
        let end = |end: f64| (mean + wider * (end - mean)).clamp(0.0, 1.0);
        Some(AnytimeInterval {
            score_lo: end(interval.score_lo),
            score_hi: end(interval.score_hi),
        })
    }

    /// The mean's variance over start positions, divided by the variance of as many independent pairs: 1 if no position
    /// was played twice, and never less.
    pub fn design_effect(&self) -> f64 {
        self.design_effect_with(|_| 1.0)
    }

    /// The same, with a factor for the degrees of freedom with which that variance is known.
    pub(crate) fn design_effect_with(&self, factor: impl Fn(f64) -> f64) -> f64 {
        let found = self.clustered().zip(self.sample().moments());
        let effect = found.map(|(clustered, m)| {
            factor(clustered.freedom) * clustered.variance * m.n / m.variance
        });
        effect
            .filter(|effect| effect.is_finite())
            .map_or(1.0, |effect| effect.max(1.0))
    }

    /// Over positions; `None` if no position was played twice, or if they are too few to be compared.
    pub(crate) fn clustered(&self) -> Option<ClusteredMean> {
        let sample = self.sample();
        let mean = sample.moments()?.mean;
        let once = self.by_number.keys().all(|number| *number == 1);
        if once || self.starts() < FEWEST_STARTS {
            return None;
        }
        let pairs = sample.observations();
        let groups = self.by_number.iter();
        let groups = groups.map(|(number, sums)| (sums[0], f64::from(*number) / pairs));
        let correction = Correction::of_groups(&groups.collect::<Vec<_>>());
        let steps = sample.lattice().len() as f64 - 1.0;
        let scatter = self
            .by_number
            .iter()
            .map(|(number, [count, sum, squares])| {
                let whole = steps * f64::from(*number);
                squares / whole.powi(2) - 2.0 * mean * sum / whole + count * mean * mean
            });
        let terms = correction.factors.iter().zip(scatter);
        Some(ClusteredMean {
            variance: terms
                .map(|(factor, scatter)| factor * scatter.max(0.0))
                .sum(),
            freedom: correction.freedom,
        })
    }
}

impl ClusteredMean {
    /// The log-likelihood ratio of two means, the variance being estimated.
    pub(crate) fn llr(&self, moments: &Moments, scores: [f64; 2]) -> f64 {
        // Not smaller than that of independent pairs.
        let variance = self.variance.max(moments.variance / moments.n);
        let [loss0, loss1] = scores.map(|score| {
            let square = (moments.mean - score).powi(2) / variance;
            (square / self.freedom).ln_1p()
        });
        0.5 * (self.freedom + 1.0) * (loss0 - loss1)
    }
}

// The always-valid interval: may be watched after every pair.
//
// A classical 95 % interval that is recomputed after every pair excludes the truth at some time in half of all matches.
// This one is a confidence *sequence*: it covers at all times at once. Somebody who bets a fixed share of his capital,
// pair by pair at fair odds, that the mean is above a score `m`, multiplies it by 20 at some time with a probability of
// at most 1/20 if the mean is `m`, whatever the law of the pairs (Ville's inequality). The interval has every score
// against which nobody of a fixed crowd of bettors, taken together, has won that much (Waudby-Smith & Ramdas,
// "Estimating means of bounded random variables by betting", JRSS B 2024).

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
    use crate::counts::GameScore::{Loss, Win};

    #[test]
    fn starts_that_repeat_widen_the_interval_and_others_do_not() {
        let (mut repeated, mut alone) = (StartPairs::default(), StartPairs::default());
        for turn in 0..60_u64 {
            let winner = if turn % 3 == 0 { Win } else { Loss };
            let pair = PairScore::new(winner, winner);
            repeated.add(turn % 12, pair);
            alone.add(turn, pair);
        }
        assert_eq!(repeated.pairs(), alone.pairs());
        assert_eq!(alone.design_effect(), 1.0);
        assert!(repeated.design_effect() > 4.0);
        let width = |sample: &StartPairs| {
            let interval = sample.always_valid(0.95).expect("pairs");
            interval.score_hi - interval.score_lo
        };
        assert!(width(&repeated) > width(&alone));
        let apart = StartPairs::on_own_starts(*alone.pairs());
        assert_eq!((apart.starts(), width(&apart)), (60, width(&alone)));
    }
}

#[cfg(test)]
mod anytime_tests {
    use super::*;
    use crate::counts::{Pentanomial, Trinomial};
    use crate::numeric::SplitMix;

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
