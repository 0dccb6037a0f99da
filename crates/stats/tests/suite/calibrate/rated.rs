//! Games between players whose ratings are known, on starts that may differ.

use arbiter960_stats::advantage::{AdvantageOptions, AdvantageReport};
use arbiter960_stats::counts::GameScore;
use arbiter960_stats::elo::{elo_from_score, elo_per_score};
use arbiter960_stats::estimate::rated::{GameClass, LOGIT, RatedGame, RatedGames, RatedLaw};
use arbiter960_stats::numeric::random::SplitMix;

use super::truth::{AdvantageShape, drawn};
use super::{Calibration, Promise};

/// The numbers an event is drawn with. Advantages are logits, ratings are Elo.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RatedEvent {
    /// Games on each start.
    pub numbers: Vec<u32>,
    /// Standard deviation of players' ratings.
    pub ratings: f64,
    /// What a difference in rating is worth.
    pub scale: f64,
    /// Mean advantage.
    pub mean: f64,
    /// Standard deviation of advantages, and their law.
    pub spread: f64,
    /// How they are distributed.
    pub shape: AdvantageShape,
    /// Share of draws between equals, and how far it differs between starts.
    pub draws: [f64; 2],
    /// Starts that are played more are better for White.
    pub by_goodness: bool,
}

/// Positions of the population.
const POPULATION: usize = 100_000;
/// What may be left of the standard deviation of the means of starts by taking slopes at the mean.
const LINEAR: f64 = 1e-4;

impl RatedEvent {
    /// Six to `most` starts with equal numbers of games, two sizes or a heavy tail.
    pub(crate) fn random(random: &mut SplitMix, most: u32) -> Self {
        let starts = (6.0 * (f64::from(most) / 6.0).powf(random.uniform())).round() as u32;
        let (kind, base) = (random.below(3), 4 + random.below(60) as u32);
        let number = |start: u32| match kind {
            0 => base,
            1 if start < starts.div_ceil(12) => 20 * base,
            1 => base,
            _ => base * (starts / (starts - start)).min(50),
        };
        let differ = random.uniform() < 0.6;
        Self {
            numbers: (0..starts).map(number).collect(),
            ratings: 20.0 + 230.0 * random.uniform(),
            scale: 0.6 + 0.7 * random.uniform(),
            mean: 0.6 * random.uniform() - 0.1,
            spread: if differ { 0.4 * random.uniform() } else { 0.0 },
            shape: [
                AdvantageShape::Normal,
                AdvantageShape::Skewed,
                AdvantageShape::TwoGroups,
            ][random.below(3)],
            draws: [0.9 * random.uniform(), 0.1 * random.uniform()],
            by_goodness: random.uniform() < 0.3,
        }
    }

    /// The games, the same with their expected scores, and each start's true score between equals.
    fn play(&self, random: &mut SplitMix) -> (Vec<RatedGame>, Vec<GameClass>, Vec<f64>) {
        let advantage = |random: &mut SplitMix| self.mean + self.spread * self.shape.value(random);
        let mut advantages: Vec<f64> = self.numbers.iter().map(|_| advantage(random)).collect();
        if self.by_goodness {
            // The numbers of starts ascend, or its first twelfth is played most.
            advantages.sort_by(f64::total_cmp);
            if self.numbers.first() > self.numbers.last() {
                advantages.reverse();
            }
        }
        let (mut games, mut expected) = (Vec::new(), Vec::new());
        for (start, (number, advantage)) in self.numbers.iter().zip(&advantages).enumerate() {
            let [share, differs] = self.draws;
            let share = (share + differs * random.normal()).clamp(0.0, 0.97);
            for _ in 0..*number {
                let rating = |random: &mut SplitMix| (self.ratings * random.normal()) as i16;
                let difference = rating(random) - rating(random);
                let logit = LOGIT * f64::from(difference);
                let score = score(advantage + self.scale * logit);
                games.push(RatedGame {
                    start: start as u32,
                    difference,
                    result: result(score, share, random),
                });
                expected.push((1.0, logit, score));
            }
        }
        (games, expected, advantages.into_iter().map(score).collect())
    }

    /// The mean score between equals over all starts of which these are a sample.
    fn population(&self) -> f64 {
        let mut random = SplitMix::new(960);
        let one = |_| score(self.mean + self.spread * self.shape.value(&mut random));
        (0..POPULATION).map(one).sum::<f64>() / POPULATION as f64
    }
}

/// The expected score is the one that the definition of Elo has; some of the shorter side of it is draws.
fn result(expected: f64, draws: f64, random: &mut SplitMix) -> GameScore {
    let draw = 2.0 * draws * expected.min(1.0 - expected);
    let win = expected - 0.5 * draw;
    drawn([1.0 - win - draw, draw, win], random)
}

fn score(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

impl Calibration {
    /// Plays one event of random design and judges the statements about it that use ratings in tags.
    pub(crate) fn rated_event(&mut self, random: &mut SplitMix, most: u32) {
        let event = RatedEvent::random(random, most);
        let (games, expected, scores) = event.play(random);
        let Some(found) = RatedGames::new(games, 0.95) else {
            return;
        };
        let options = AdvantageOptions {
            reference: None,
            self_play: true,
            ..AdvantageOptions::default()
        };
        let report = AdvantageReport::of_rated(&found, &options, |_| None);
        let these = scores.iter().sum::<f64>() / scores.len() as f64;
        // Over starts that differ, differences are worth a little less than on each of them.
        if let (Some(scale), Some(law)) = (found.scale, RatedLaw::fitted(&expected)) {
            let beyond = (scale.value - law.worth).abs();
            self.add(Promise::RatedScale, beyond <= scale.error);
        }
        if let Some(mean) = report.mean {
            let holds = |error: f64, score: f64| (mean.elo - elo_from_score(score)).abs() <= error;
            if let Some(error) = mean.elo_error_these {
                self.add(Promise::RatedThese, holds(error, these));
            }
            if let Some(error) = mean.elo_error_all {
                self.add(Promise::RatedAll, holds(error, event.population()));
            }
        }
        let squares = scores.iter().map(|score| (score - these).powi(2));
        let sd = (squares.sum::<f64>() / (scores.len() - 1) as f64).sqrt();
        if let Some(spread) = report.spread {
            let truth = elo_per_score(these) * (sd - LINEAR);
            self.add(Promise::RatedAtMost, truth <= spread.sd_elo_hi);
            if sd < LINEAR {
                self.add(Promise::RatedDiffer, spread.p_value < 0.05);
            }
        }
        self.judge_named(Promise::RatedNamed, &report, these, |start| {
            scores.get(start as usize).copied()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Differences that are taken at what they are not worth are found out, and the advantage is still right.
    #[test]
    fn the_scale_is_found_and_does_not_matter() {
        let mut random = SplitMix::new(27);
        let event = RatedEvent {
            numbers: vec![400; 60],
            ratings: 200.0,
            scale: 0.7,
            mean: 0.3,
            spread: 0.1,
            shape: AdvantageShape::Normal,
            draws: [0.3, 0.0],
            by_goodness: false,
        };
        let (games, _, scores) = event.play(&mut random);
        let found = RatedGames::new(games, 0.95).expect("both win");
        let scale = found.scale.expect("they differ");
        assert!((scale.value - 0.7).abs() < 0.05, "{scale:?}");
        let means = found
            .clusters
            .iter()
            .map(arbiter960_stats::estimate::Cluster::mean);
        let (mean, truth) = (means.sum::<f64>() / 60.0, scores.iter().sum::<f64>() / 60.0);
        assert!((mean - truth).abs() < 0.01, "{mean} {truth}");
    }
}
