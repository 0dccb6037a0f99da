//! What one game says: two models of its result given the strengths.

/// A model of one game; `x` is the strength difference including White's
/// advantage, in natural logarithms of odds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameModel {
    /// Only the expected score is modelled, `E s = 1 / (1 + e^{-x})`; nothing
    /// is assumed about draws. Ordo's estimator.
    Logistic,
    /// Davidson (1970) and Davidson & Beaver (1977):
    /// `P(W) : P(D) : P(L) = e^{x/2} : e^δ : e^{-x/2}`.
    Davidson,
}

/// First and second moments of (score, draw indicator) of one game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameMoments {
    /// White's expected score.
    pub score: f64,
    /// Probability of a draw (0 where draws are not modelled).
    pub draw: f64,
    /// Variance of the score; in the logistic model the working variance.
    pub score_variance: f64,
    /// Covariance of score and draw indicator.
    pub covariance: f64,
    /// Variance of the draw indicator.
    pub draw_variance: f64,
}

impl GameModel {
    /// The moments at strength difference `x` and draw parameter `delta`.
    pub fn moments(self, x: f64, delta: f64) -> GameMoments {
        match self {
            GameModel::Logistic => {
                let score = 1.0 / (1.0 + (-x).exp());
                let score_variance = score * (1.0 - score);
                GameMoments {
                    score,
                    draw: 0.0,
                    score_variance,
                    covariance: 0.0,
                    draw_variance: 0.0,
                }
            }
            GameModel::Davidson => {
                let [loss, draw, win] = davidson(x, delta);
                let score = win + 0.5 * draw;
                GameMoments {
                    score,
                    draw,
                    score_variance: 0.25 * draw + win - score * score,
                    covariance: draw * 0.5 * (loss - win),
                    draw_variance: draw * (1.0 - draw),
                }
            }
        }
    }

    /// The logarithm of the (quasi-)likelihood of `games` games with these
    /// totals.
    pub fn log_likelihood(self, x: f64, delta: f64, games: f64, score: f64, draws: f64) -> f64 {
        match self {
            GameModel::Logistic => score * x - games * ln_one_plus_exp(x),
            GameModel::Davidson => {
                (score - 0.5 * games) * x + draws * delta - games * log_normaliser(x, delta)
            }
        }
    }
}

/// Davidson's probabilities of loss, draw and win.
pub fn davidson(x: f64, delta: f64) -> [f64; 3] {
    let top = delta.max(0.5 * x.abs());
    let terms = [
        (-0.5 * x - top).exp(),
        (delta - top).exp(),
        (0.5 * x - top).exp(),
    ];
    let sum: f64 = terms.iter().sum();
    terms.map(|term| term / sum)
}

fn log_normaliser(x: f64, delta: f64) -> f64 {
    let top = delta.max(0.5 * x.abs());
    top + ((-0.5 * x - top).exp() + (delta - top).exp() + (0.5 * x - top).exp()).ln()
}

fn ln_one_plus_exp(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_moments_are_the_derivatives_of_the_first() {
        let (x, delta, h) = (0.7, 0.4, 1e-5);
        for model in [GameModel::Logistic, GameModel::Davidson] {
            let at = model.moments(x, delta);
            let (up, down) = (model.moments(x + h, delta), model.moments(x - h, delta));
            assert!(((up.score - down.score) / (2.0 * h) - at.score_variance).abs() < 1e-9);
            assert!(((up.draw - down.draw) / (2.0 * h) - at.covariance).abs() < 1e-9);
            let slope = model.log_likelihood(x + h, delta, 10.0, 6.5, 3.0)
                - model.log_likelihood(x - h, delta, 10.0, 6.5, 3.0);
            assert!((slope / (2.0 * h) - (6.5 - 10.0 * at.score)).abs() < 1e-8);
        }
    }

    #[test]
    fn extreme_strengths_do_not_overflow() {
        let [loss, draw, win] = davidson(3000.0, 900.0);
        assert!(loss == 0.0 && draw < 1e-200 && win == 1.0);
        assert!(
            GameModel::Davidson
                .log_likelihood(-3000.0, 0.0, 1.0, 0.0, 0.0)
                .abs()
                < 1e-9
        );
    }
}
