//! A test on start positions that repeat.
//!
//! An engine may like a position. Then two pairs on it say less than pairs on two positions, and a test that takes them
//! for independent is wrong far more often than its error bounds allow. So the difference is tested by the same method
//! that estimates it elsewhere: by the mean of the pairs with its CR2 variance over positions and Bell and McCaffrey's
//! degrees of freedom.

use std::collections::{BTreeMap, HashMap};

use crate::estimate::Correction;
use crate::sample::Moments;

/// Positions from which on they are clusters.
pub const FEWEST_STARTS: usize = 6;

/// What was scored on each start position, in pairs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Repeats {
    starts: HashMap<u64, (u32, f64)>,
    /// By the number of pairs of a position: how many positions have it, the sums of their scores and of
    /// the squares of these.
    by_number: BTreeMap<u32, [f64; 3]>,
}

/// The mean's variance over positions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Clustered {
    /// The squared error of the mean.
    pub variance: f64,
    /// Its degrees of freedom.
    pub freedom: f64,
}

impl Repeats {
    /// Takes in a pair's score, 0 to 1.
    pub(super) fn add(&mut self, start: u64, score: f64) {
        let entry = self.starts.entry(start).or_default();
        let before = *entry;
        *entry = (before.0 + 1, before.1 + score);
        for ((number, sum), sign) in [(before, -1.0), (*entry, 1.0)] {
            let sums = self.by_number.entry(number).or_default();
            let terms = [1.0, sum, sum * sum];
            (0..3).for_each(|i| sums[i] += sign * terms[i]);
        }
        self.by_number
            .retain(|number, sums| *number > 0 && sums[0] > 0.5);
    }

    /// Positions that were played.
    pub fn starts(&self) -> usize {
        self.starts.len()
    }

    /// Over positions; `None` if no position was played twice, or if they are too few to be compared.
    pub(super) fn clustered(&self, mean: f64) -> Option<Clustered> {
        let once = self.by_number.keys().all(|number| *number == 1);
        if once || self.starts() < FEWEST_STARTS {
            return None;
        }
        let pairs: f64 = self
            .by_number
            .iter()
            .map(|(n, s)| f64::from(*n) * s[0])
            .sum();
        let groups: Vec<(f64, f64)> = self
            .by_number
            .iter()
            .map(|(number, sums)| (sums[0], f64::from(*number) / pairs))
            .collect();
        let correction = Correction::of_groups(&groups);
        let scatter = self
            .by_number
            .iter()
            .map(|(number, [count, sum, squares])| {
                let number = f64::from(*number);
                squares / number.powi(2) - 2.0 * mean * sum / number + count * mean * mean
            });
        let terms = correction.factors.iter().zip(scatter);
        Some(Clustered {
            variance: terms
                .map(|(factor, scatter)| factor * scatter.max(0.0))
                .sum(),
            freedom: correction.freedom,
        })
    }
}

impl Clustered {
    /// The log-likelihood ratio of two means, the variance being estimated.
    pub(super) fn llr(&self, moments: &Moments, scores: [f64; 2]) -> f64 {
        // Not smaller than that of independent pairs.
        let variance = self.variance.max(moments.variance / moments.n);
        let [loss0, loss1] = scores.map(|score| {
            let square = (moments.mean - score).powi(2) / variance;
            (square / self.freedom).ln_1p()
        });
        0.5 * (self.freedom + 1.0) * (loss0 - loss1)
    }
}

/// The ratio nearer to 0 of the two; 0 where they contradict each other.
pub(super) fn weaker(one: f64, other: f64) -> f64 {
    match one.signum() == other.signum() {
        true => one.signum() * one.abs().min(other.abs()),
        false => 0.0,
    }
}
