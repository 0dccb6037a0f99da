//! Two engines tested by what they score against the same opponents.

use arbiter960_stats::counts::{GameScore, PairScore};
use arbiter960_stats::elo::NORMALIZED_ELO_SCALE;
use arbiter960_stats::numeric::SplitMix;
use arbiter960_stats::sprt::{Decision, Hypotheses, Model, Sprt, TestUnit};

/// A pair of games with this share of draws, in which the first engine scores this share.
pub(crate) fn pair(random: &mut SplitMix, draws: f64, score: f64) -> PairScore {
    let mut game = || {
        let u = random.uniform();
        let lost = 1.0 - score - 0.5 * draws;
        GameScore::ALL[usize::from(u >= lost) + usize::from(u >= lost + draws)]
    };
    PairScore::new(game(), game())
}

/// Two engines that meet the same opponents on the same starts.
pub(crate) struct Others {
    /// What the old engine scores against each.
    pub scores: &'static [f64],
    pub draws: f64,
    /// Start positions, played again and again.
    pub starts: u64,
    /// Standard deviation from start to start of what an engine scores there.
    pub liking: f64,
}

impl Others {
    /// The designs of the table.
    pub(crate) const ALL: [Others; 6] = [
        Self::of(&[0.5, 0.5], 0.5, 5000, 0.0),
        Self::of(&[0.25, 0.5, 0.7], 0.4, 5000, 0.0),
        Self::of(&[0.3, 0.6], 0.1, 60, 0.0),
        Self::of(&[0.48, 0.5, 0.51, 0.52], 0.93, 500, 0.0),
        Self::of(&[0.4, 0.5, 0.6], 0.3, 24, 0.1),
        Self::of(&[0.5, 0.6], 0.3, 200, 0.15),
    ];

    const fn of(scores: &'static [f64], draws: f64, starts: u64, liking: f64) -> Others {
        Others {
            scores,
            draws,
            starts,
            liking,
        }
    }

    /// What the new engine scores more, so that the difference is this part of the noise of a game.
    pub(crate) fn difference(&self, nelo: f64) -> f64 {
        let variance = |score: f64| (1.0 - self.draws) / 4.0 - (score - 0.5).powi(2);
        let noise = |more: f64| {
            let both = self
                .scores
                .iter()
                .map(|s| variance(*s) + variance(s + more));
            // Half of it for a pair of games.
            (both.sum::<f64>() / (2 * self.scores.len()) as f64).sqrt()
        };
        (0..9).fold(0.0, |more, _| nelo / NORMALIZED_ELO_SCALE * noise(more))
    }

    /// A test of [0, 40] nElo.
    pub(crate) fn played(&self, more: f64, seed: u64) -> Sprt {
        let mut random = SplitMix::new(seed);
        let test = Hypotheses::new(Model::Normalized, 0.0, 40.0, 0.05, 0.05).expect("a test");
        let mut test = Sprt::new(test, 1, true).counting(TestUnit::Starts);
        let likings: Vec<[f64; 2]> = (0..self.starts)
            .map(|_| [(); 2].map(|()| self.liking * random.normal()))
            .collect();
        for turn in 0..2000 {
            let start = turn / self.scores.len() as u64 % self.starts;
            let score = self.scores[turn as usize % self.scores.len()];
            let [new, old] = likings[start as usize];
            let pairs = [score + more + new, score + old].map(|score| {
                let room = 0.5 * (1.0 - self.draws);
                pair(&mut random, self.draws, score.clamp(0.5 - room, 0.5 + room))
            });
            if test.update_difference(start, pairs).decision != Decision::Undecided {
                break;
            }
        }
        test
    }
}
