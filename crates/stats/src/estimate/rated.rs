//! Games whose players' difference in strength is known from elsewhere, as from the ratings in tags.
//!
//! The expected score is `F(a + b u)`, with `u` the difference in logits, `a` White's advantage, `b` what a difference is
//! worth in these games, and `F` the logistic function. Both solve `Σ (s − F) = 0` and `Σ u (s − F) = 0` over all games;
//! ratings of players are not estimated. Then a game is worth `F(a) + c (s − F)` points: what it would have scored
//! between equals, with `c` the slope between equals over the mean slope of the position's games. Positions enter
//! the estimating equation with the means of these points. Where all differences are 0 they are the scores.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::counts::GameScore;
use crate::numeric::distributions::student_quantile;

use super::cluster::Cluster;

/// One game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatedGame {
    /// The start position.
    pub start: u32,
    /// White's rating less Black's, Elo.
    pub difference: i16,
    /// White's result.
    pub result: GameScore,
}

/// What differences in strength are worth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Scale {
    /// Elo in these games for one Elo of difference.
    pub value: f64,
    /// Half width of its interval.
    pub error: f64,
}

/// Games as they would have ended between equals.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedGames {
    /// The games of each start.
    pub clusters: Vec<Cluster>,
    /// Lost, drawn and won games of White on each start.
    pub results: Vec<(u32, [u32; 3])>,
    /// `None` if all differences are alike.
    pub scale: Option<Scale>,
}

/// Logits of one Elo.
pub const LOGIT: f64 = std::f64::consts::LN_10 / 400.0;

/// Games that are alike: how many, their difference in logits, the score.
pub type GameClass = (f64, f64, f64);

impl RatedGames {
    /// `None` without games, or where White's advantage is not finite: all won, or all lost.
    pub fn new(mut games: Vec<RatedGame>, level: f64) -> Option<Self> {
        let key = |game: &RatedGame| (game.start, game.difference, game.result as u8);
        games.sort_unstable_by_key(key);
        let law = RatedLaw::fitted(&pooled(&games))?;
        let scale = law.scale(&pooled(&games), level);
        let (mut clusters, mut results) = (Vec::new(), Vec::new());
        for on_start in games.chunk_by(|a, b| a.start == b.start) {
            let mut counts = [0; 3];
            on_start
                .iter()
                .for_each(|game| counts[game.result as usize] += 1);
            let kinds = on_start.chunk_by(|a, b| key(a) == key(b));
            let kinds: Vec<GameClass> = kinds.map(|alike| kind(&alike[0], alike.len())).collect();
            clusters.push(Cluster {
                start: on_start[0].start,
                rated: law.between_equals(&kinds),
                ..Cluster::default()
            });
            results.push((on_start[0].start, counts));
        }
        Some(Self {
            clusters,
            results,
            scale,
        })
    }
}

fn kind(game: &RatedGame, count: usize) -> GameClass {
    let difference = LOGIT * f64::from(game.difference);
    (count as f64, difference, game.result.points())
}

/// All starts together.
fn pooled(games: &[RatedGame]) -> Vec<GameClass> {
    let mut counts = BTreeMap::<(i16, u8), (RatedGame, usize)>::new();
    for game in games {
        let entry = counts.entry((game.difference, game.result as u8));
        entry.or_insert((*game, 0)).1 += 1;
    }
    let kinds = counts.values().map(|(game, count)| kind(game, *count));
    kinds.collect()
}

/// White's advantage in logits, and what a difference is worth.
#[derive(Clone, Copy)]
pub struct RatedLaw {
    advantage: f64,
    /// What a difference is worth.
    pub worth: f64,
}

/// Sums over games: the two equations, the matrix of their slopes, the squares of a game's terms.
#[derive(Default)]
struct Sums {
    games: f64,
    equations: [f64; 2],
    slopes: [f64; 3],
    squares: [f64; 3],
}

impl RatedLaw {
    /// Newton's method: the equations are the slopes of a concave function.
    pub fn fitted(kinds: &[GameClass]) -> Option<Self> {
        let mut law = Self {
            advantage: 0.0,
            worth: 1.0,
        };
        for _ in 0..100 {
            let sums = law.sums(kinds);
            let [advantage, worth] = sums.step()?;
            law.advantage += advantage.clamp(-1.0, 1.0);
            law.worth += worth.clamp(-0.5, 0.5);
            if advantage.abs().max(worth.abs()) < 1e-12 {
                return Some(law);
            }
        }
        None
    }

    /// Expected score, and its slope.
    fn expected(self, difference: f64) -> (f64, f64) {
        let score = 1.0 / (1.0 + (-self.advantage - self.worth * difference).exp());
        (score, score * (1.0 - score))
    }

    fn sums(self, kinds: &[GameClass]) -> Sums {
        let mut sums = Sums::default();
        for (count, difference, points) in kinds {
            let (expected, slope) = self.expected(*difference);
            let residual = points - expected;
            let powers = [1.0, *difference, difference * difference];
            sums.games += count;
            (0..2).for_each(|i| sums.equations[i] += count * powers[i] * residual);
            for (i, power) in powers.iter().enumerate() {
                sums.slopes[i] += count * power * slope;
                sums.squares[i] += count * power * residual * residual;
            }
        }
        sums
    }

    /// Of clusters of single games: the interval by the terms of the games, whatever their variance.
    fn scale(self, kinds: &[GameClass], level: f64) -> Option<Scale> {
        let sums = self.sums(kinds);
        let [of_advantage, of_difference] = sums.inverse()?[1];
        let [constant, cross, square] = sums.squares;
        let variance = of_advantage * of_advantage * constant
            + 2.0 * of_advantage * of_difference * cross
            + of_difference * of_difference * square;
        let freedom = sums.games - 2.0;
        let factor = student_quantile(0.5 + 0.5 * level, freedom.max(1.0))?;
        let error = factor * (variance * sums.games / freedom.max(1.0)).sqrt();
        Some(Scale {
            value: self.worth,
            error,
        })
    }

    /// Count and points of the games of one start.
    fn between_equals(self, kinds: &[GameClass]) -> Vec<(f64, f64)> {
        let games: f64 = kinds.iter().map(|kind| kind.0).sum();
        let slopes = kinds.iter().map(|kind| kind.0 * self.expected(kind.1).1);
        let (even, steepest) = self.expected(0.0);
        let factor = steepest * games / slopes.sum::<f64>();
        let points = |(count, difference, points): &GameClass| {
            let residual = points - self.expected(*difference).0;
            (*count, even + factor * residual)
        };
        kinds.iter().map(points).collect()
    }
}

impl Sums {
    /// Rows of the inverse of the slopes; `None` where all differences are alike.
    fn inverse(&self) -> Option<[[f64; 2]; 2]> {
        let [constant, cross, square] = self.slopes;
        let determinant = constant * square - cross * cross;
        (determinant > 1e-9 * constant * constant).then(|| {
            [[square, -cross], [-cross, constant]].map(|row| row.map(|value| value / determinant))
        })
    }

    fn step(&self) -> Option<[f64; 2]> {
        let [first, second] = self.equations;
        let step = match self.inverse() {
            Some(rows) => rows.map(|[a, b]| a * first + b * second),
            // The worth stays one.
            None => [first / self.slopes[0], 0.0],
        };
        // Nearly nothing is left of the slope where White won or lost everything.
        let is_inside = self.slopes[0] > 1e-6 * self.games;
        (is_inside && step.iter().all(|value| value.is_finite())).then_some(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::{Estimand, Population, Weights};

    fn game(start: u32, difference: i16, result: GameScore) -> RatedGame {
        RatedGame {
            start,
            difference,
            result,
        }
    }

    fn mean(games: Vec<RatedGame>) -> f64 {
        let found = RatedGames::new(games, 0.95).expect("both win");
        let estimand = Estimand {
            population: Population::Like,
            weights: Weights::EachPosition,
        };
        estimand.estimate(&found.clusters).expect("games").score
    }

    use GameScore::{Draw, Loss, Win};

    #[test]
    fn between_equals_points_are_the_score() {
        let games = [Win, Win, Draw, Loss].map(|result| game(5, 0, result));
        assert!((mean(games.to_vec()) - 0.625).abs() < 1e-12);
        assert_eq!(
            RatedGames::new(games.to_vec(), 0.95).and_then(|g| g.scale),
            None
        );
    }

    /// White has the stronger player on one start and the weaker on the other: by the scores they differ.
    #[test]
    fn who_was_stronger_is_taken_out() {
        let of = |start, difference, won: usize| {
            let result = move |turn| if turn < won { Win } else { Loss };
            (0..1000).map(move |turn| game(start, difference, result(turn)))
        };
        let games: Vec<RatedGame> = of(0, 191, 750).chain(of(1, -191, 250)).collect();
        let found = RatedGames::new(games.clone(), 0.95).expect("both win");
        let scores: Vec<f64> = found.clusters.iter().map(Cluster::mean).collect();
        assert!(
            scores.iter().all(|score| (score - 0.5).abs() < 1e-9),
            "{scores:?}"
        );
        let scale = found.scale.expect("two differences");
        assert!((scale.value - 0.9992).abs() < 1e-4, "{scale:?}");
        // The logit of 3 to 1 over 2000 games: variance 1 / (2000 · 3/16), in units of its own value.
        let error = 1.9612 * (1.0_f64 / 375.0).sqrt() / (191.0 * LOGIT);
        assert!(
            (scale.error / error - 1.0).abs() < 2e-3,
            "{scale:?} {error}"
        );
    }

    #[test]
    fn where_white_won_everything_nothing_is_said() {
        let all = |result| RatedGames::new((0..40).map(|p| game(p, 100, result)).collect(), 0.95);
        assert_eq!(all(Win), None);
        assert_eq!(all(Loss), None);
        assert!(all(Draw).is_some());
        assert_eq!(RatedGames::new(Vec::new(), 0.95), None);
    }
}
