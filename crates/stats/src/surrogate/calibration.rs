//! The expected score behind an evaluation, learnt from the event's games.
//!
//! Davidson's form with `x = b₀ + b₁e + b₂·e·p` and `δ = d₀ + d₁p`, where `e`
//! is White's evaluation in pawns and `p` the ply in hundreds: the odds of a
//! win grow with the evaluation, how fast may depend on the ply.

use crate::numeric::linear::Symmetric;
use crate::ratings::models::{GameModel, davidson};

use super::{Surrogate, SurrogateError, SurrogateGame};

/// Evaluations beyond this many pawns say no more than this.
const LARGEST_EVALUATION: f64 = 10.0;

/// Precision of a normal prior around zero: too weak to matter, strong enough
/// that no data make the fit infinite.
const RIDGE: f64 = 1e-3;

/// Parts of the positions; each is judged by a calibration of the others.
pub const FOLDS: u32 = 10;

/// Coefficients: b₀, b₁, b₂, d₀, d₁.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration(pub [f64; 5]);

/// Features of `x` (three) and of `δ` (two) of one evaluation.
fn features(pawns: f64, ply: u32) -> ([f64; 3], [f64; 2]) {
    let e = pawns.clamp(-LARGEST_EVALUATION, LARGEST_EVALUATION);
    let p = f64::from(ply) / 100.0;
    ([1.0, e, e * p], [1.0, p])
}

impl Calibration {
    /// Fits win, draw and loss to the evaluations of these games; games
    /// without an evaluation are passed over.
    ///
    /// # Errors
    /// Where Newton's method fails; the weak prior makes that improbable.
    pub fn fit<'a>(
        games: impl Iterator<Item = &'a SurrogateGame> + Clone,
    ) -> Result<Self, SurrogateError> {
        let mut fit = Self([0.0, 1.0, 0.0, 0.5, 0.0]);
        for _ in 0..100 {
            let (gradient, information) = fit.derivatives(games.clone());
            let factor = information
                .cholesky()
                .ok_or(SurrogateError::NotCalibrated)?;
            let step = factor.solve(&gradient);
            let largest = step.iter().fold(0.0_f64, |a, s| a.max(s.abs()));
            let share = (1.0 / largest).min(1.0);
            fit.0
                .iter_mut()
                .zip(&step)
                .for_each(|(value, s)| *value += share * s);
            if largest < 1e-8 {
                return Ok(fit);
            }
        }
        Err(SurrogateError::NotCalibrated)
    }

    fn derivatives<'a>(
        &self,
        games: impl Iterator<Item = &'a SurrogateGame>,
    ) -> (Vec<f64>, Symmetric) {
        let mut gradient: Vec<f64> = self.0.iter().map(|value| -RIDGE * value).collect();
        let mut information = Symmetric::zeros(5);
        (0..5).for_each(|i| information.add(i, i, RIDGE));
        for game in games {
            let Surrogate::Evaluation { pawns, ply } = game.surrogate else {
                continue;
            };
            let (by_x, by_delta) = features(pawns, ply);
            let (x, delta) = self.strength(&by_x, &by_delta);
            let moments = GameModel::Davidson.moments(x, delta);
            let drawn = f64::from(u8::from(game.result.half_points() == 1));
            for i in 0..3 {
                gradient[i] += by_x[i] * (game.result.points() - moments.score);
                (0..=i).for_each(|j| {
                    information.add(i, j, by_x[i] * by_x[j] * moments.score_variance);
                });
                for (j, feature) in by_delta.iter().enumerate() {
                    information.add(i, 3 + j, by_x[i] * feature * moments.covariance);
                }
            }
            for i in 0..2 {
                gradient[3 + i] += by_delta[i] * (drawn - moments.draw);
                (0..=i).for_each(|j| {
                    let value = by_delta[i] * by_delta[j] * moments.draw_variance;
                    information.add(3 + i, 3 + j, value);
                });
            }
        }
        (gradient, information)
    }

    fn strength(&self, by_x: &[f64; 3], by_delta: &[f64; 2]) -> (f64, f64) {
        let [b0, b1, b2, d0, d1] = self.0;
        (
            b0 * by_x[0] + b1 * by_x[1] + b2 * by_x[2],
            d0 * by_delta[0] + d1 * by_delta[1],
        )
    }

    /// White's expected score behind an evaluation.
    pub fn expected_score(&self, pawns: f64, ply: u32) -> f64 {
        let (by_x, by_delta) = features(pawns, ply);
        let (x, delta) = self.strength(&by_x, &by_delta);
        let [_, draw, win] = davidson(x, delta);
        win + 0.5 * draw
    }
}

/// The part of the positions a start belongs to: spread evenly, fixed for
/// ever, and blind to neighbouring numbers being similar positions.
pub fn fold_of(start: u32) -> u32 {
    (start.wrapping_mul(0x9E37_79B1) >> 16) % FOLDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameScore;
    use crate::numeric::random::SplitMix;

    #[test]
    fn the_truth_is_recovered() {
        let truth = Calibration([0.1, 1.5, 0.5, 1.2, 0.4]);
        let mut generator = SplitMix::new(4);
        let mut game = |index: u32| {
            let (pawns, ply) = (generator.normal(), 20 + 40 * (index % 2));
            let (by_x, by_delta) = features(pawns, ply);
            let (x, delta) = truth.strength(&by_x, &by_delta);
            let [loss, draw, _] = davidson(x, delta);
            let u = generator.uniform();
            let result = GameScore::ALL[usize::from(u > loss) + usize::from(u > loss + draw)];
            SurrogateGame {
                start: 0,
                pair: 0,
                result,
                surrogate: Surrogate::Evaluation { pawns, ply },
            }
        };
        let games: Vec<SurrogateGame> = (0..40_000).map(&mut game).collect();
        let fit = Calibration::fit(games.iter()).expect("a fit");
        for pawns in [-2.0, -0.5, 0.0, 1.0] {
            let difference = fit.expected_score(pawns, 40) - truth.expected_score(pawns, 40);
            assert!(difference.abs() < 0.01, "{pawns}: {difference}");
        }
    }

    #[test]
    fn only_draws_still_give_a_finite_fit() {
        let surrogate = Surrogate::Evaluation {
            pawns: 0.3,
            ply: 30,
        };
        let game = SurrogateGame {
            start: 0,
            pair: 0,
            result: GameScore::Draw,
            surrogate,
        };
        let fit = Calibration::fit([game; 50].iter()).expect("a fit");
        assert!((fit.expected_score(0.3, 30) - 0.5).abs() < 0.02);
    }
}
