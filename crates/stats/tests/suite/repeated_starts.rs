//! How often a sequential test decides wrongly on start positions that repeat.

use arbiter960_stats::counts::PairScore;
use arbiter960_stats::numeric::SplitMix;
use arbiter960_stats::ratings::models::davidson;
use arbiter960_stats::sprt::{Decision, Hypotheses, Model, Sprt, TestUnit};

use super::calibrate::truth::drawn;

/// Two engines that are equally strong on average; the start positions follow one another in a cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RepeatedStarts {
    /// Number of start positions; every test draws new ones.
    pub starts: u64,
    /// Standard deviation of each engine's strength from position to position, logits.
    pub interaction: f64,
    /// Each pair is played on the first position instead with this probability.
    pub heavy: f64,
    /// Pairs after which a test ends undecided.
    pub most_pairs: u64,
}

impl RepeatedStarts {
    /// The designs of the tables.
    pub(crate) const ALL: [RepeatedStarts; 9] = [
        Self::of(6, 0.5),
        Self::of(10, 0.0),
        Self::of(10, 0.2),
        Self::of(10, 0.5),
        Self::of(24, 0.2),
        Self::of(24, 0.5),
        Self::of(96, 0.5),
        Self::of(960, 0.5),
        RepeatedStarts {
            heavy: 0.3,
            ..Self::of(40, 0.3)
        },
    ];

    pub(crate) const fn of(starts: u64, interaction: f64) -> Self {
        Self {
            starts,
            interaction,
            heavy: 0.0,
            most_pairs: 3000,
        }
    }

    /// The decision of a test of normalised [0, 20] with 5 % errors; by starts, or by pairs as if they were
    /// independent.
    pub(crate) fn decision(&self, by_starts: bool, seed: u64) -> Decision {
        self.played(by_starts, seed).status().decision
    }

    /// That test, with its estimate.
    pub(crate) fn played(&self, by_starts: bool, seed: u64) -> Sprt {
        let mut random = SplitMix::new(seed.wrapping_mul(7919).wrapping_add(13));
        let hypotheses = Hypotheses::new(Model::Normalized, 0.0, 20.0, 0.05, 0.05);
        let hypotheses = hypotheses.expect("a possible test");
        let mut test = Sprt::new(hypotheses, 1, true);
        if by_starts {
            test = test.counting(TestUnit::Starts);
        }
        let spread = self.interaction * std::f64::consts::SQRT_2;
        let positions: Vec<[f64; 2]> = (0..self.starts)
            .map(|_| [spread * random.normal(), 0.4 + 0.5 * random.normal()])
            .collect();
        for turn in 0..self.most_pairs {
            let is_heavy = self.heavy > 0.0 && random.uniform() < self.heavy;
            let start = if is_heavy { 0 } else { turn % self.starts };
            let [difference, advantage] = positions[start as usize];
            let games = [difference + advantage, advantage - difference];
            let [first, second] = games.map(|x| drawn(davidson(x, 1.0), &mut random));
            let pair = PairScore::new(first, second.reversed());
            let status = test.update_on(start, pair);
            if status.decision != Decision::Undecided {
                break;
            }
        }
        test
    }
}
