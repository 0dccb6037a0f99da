//! What one game says: two models of its result given the strengths.

use crate::numeric::linear::Symmetric;

use super::ELO_PER_LOGIT;
use super::connectivity::Connectivity;

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
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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
                    score_variance,
                    ..GameMoments::default()
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

// The place of each quantity of a fit in the vector of its parameters, and which of them are held fixed.

/// The parameters' places in a vector: strengths, White's advantage, draws.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Place of White's advantage.
    pub white: Option<usize>,
    /// Place of the draw parameter.
    pub draw: Option<usize>,
    /// Parameters in all.
    pub size: usize,
    /// Values of parameters that are held fixed.
    pub(super) fixed: Vec<Option<f64>>,
    /// Groups of strengths determined up to a constant: their sum is zero.
    pub(super) floating: Vec<Vec<usize>>,
}

impl Layout {
    pub(super) fn new(
        engines: usize,
        model: GameModel,
        anchors: &[(u16, f64)],
        white_advantage: bool,
        rated: &Connectivity,
    ) -> Self {
        let mut size = engines;
        let mut place = |wanted: bool| wanted.then(|| (size, size += 1).0);
        let white = place(white_advantage);
        let draw = place(model == GameModel::Davidson);
        let mut fixed: Vec<Option<f64>> = rated.unrated.iter().map(|u| u.map(|_| 0.0)).collect();
        fixed.resize(size, None);
        for &(engine, elo) in anchors {
            if rated.is_rated(engine) && elo.is_finite() {
                fixed[usize::from(engine)] = Some(elo / ELO_PER_LOGIT);
            }
        }
        let mut floating = rated.rated_components();
        floating.retain(|members| members.iter().all(|engine| fixed[*engine].is_none()));
        Self {
            white,
            draw,
            size,
            fixed,
            floating,
        }
    }

    /// White's advantage (0 where it is not estimated).
    pub fn white_advantage(&self, parameters: &[f64]) -> f64 {
        self.white.map_or(0.0, |place| parameters[place])
    }

    /// The draw parameter δ (0 where draws are not modelled).
    pub fn draw_parameter(&self, parameters: &[f64]) -> f64 {
        self.draw.map_or(0.0, |place| parameters[place])
    }

    /// Strength difference, White's advantage included, of a game.
    pub fn difference(&self, parameters: &[f64], white: u16, black: u16) -> f64 {
        let [white, black] = [white, black].map(|engine| parameters[usize::from(engine)]);
        white - black + self.white_advantage(parameters)
    }

    /// The non-zero derivatives of a game's `x` by the parameters.
    pub fn strengths(&self, white: u16, black: u16) -> ([(usize, f64); 3], usize) {
        let last = self.white.map_or((0, 0.0), |place| (place, 1.0));
        let all = [(usize::from(white), 1.0), (usize::from(black), -1.0), last];
        (all, 2 + usize::from(self.white.is_some()))
    }

    /// Whether a parameter is held at its value.
    pub(super) fn is_fixed(&self, place: usize) -> bool {
        self.fixed[place].is_some()
    }

    /// The inverse within the directions that are estimated.
    pub(super) fn invert(&self, information: &Symmetric) -> Option<Symmetric> {
        let mut inverse = information.cholesky()?.inverse();
        for group in &self.floating {
            let share = 1.0 / (group.len() as f64).powi(2);
            let mut ones = vec![0.0; self.size];
            group.iter().for_each(|engine| ones[*engine] = 1.0);
            inverse.add_outer(&ones, -share);
        }
        for place in (0..self.size).filter(|place| self.is_fixed(*place)) {
            inverse.set(place, place, 0.0);
        }
        Some(inverse)
    }
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
