//! Newton's method for ratings, White's advantage and the draw parameter.

use crate::games::Cell;
use crate::numeric::linear::Symmetric;

use super::connectivity::{Connectivity, RatingInput};
use super::information::Information;
use super::models::{GameModel, GameMoments};

pub use super::models::Layout;

/// Why there is no fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// No two engines can be compared: no games, or nobody took points both
    /// ways.
    #[error("no two engines can be rated from these games")]
    NothingToRate,
    /// The likelihood grows without bound: some advantage is infinite.
    #[error("the most likely ratings are infinite")]
    Unbounded,
    /// The games cannot separate two of the quantities asked for.
    #[error("the games do not determine all quantities")]
    Singular,
    /// Every game was drawn: the draw parameter is infinite.
    #[error("every game was drawn")]
    OnlyDraws,
    /// No game was drawn: the draw parameter is minus infinity.
    #[error("no game was drawn")]
    NoDraws,
}

/// Of more engines no matrix of every two is made.
pub const MOST_DENSE: usize = 300;

/// A fitted model.
#[derive(Clone, Debug)]
pub struct ModelFit {
    /// The model of one game.
    pub model: GameModel,
    /// Where the parameters are.
    pub layout: Layout,
    /// Natural-logarithm units.
    pub parameters: Vec<f64>,
    /// Inverse of the information at the fit. The covariance matrix if games
    /// were independent and the model true; not used as an error in the
    /// logistic model, which says nothing about the variance. `None` of more than [`MOST_DENSE`]
    /// engines.
    pub inverse_information: Option<Symmetric>,
    /// Which engines are rated.
    pub connectivity: Connectivity,
}

impl ModelFit {
    /// Fits `model` to the games among the engines that can be rated. `anchors` are held at a rating in Elo; without any,
    /// ratings have mean zero.
    ///
    /// # Errors
    /// A named reason where no finite estimate exists.
    pub fn new(
        model: GameModel,
        input: &RatingInput,
        anchors: &[(u16, f64)],
        white_advantage: bool,
    ) -> Result<Self, FitError> {
        let connectivity = Connectivity::new(input.engines.len(), &input.colours);
        let rated =
            |cell: &&Cell| connectivity.is_rated(cell.white) && connectivity.is_rated(cell.black);
        let cells: Vec<Cell> = input.colours.iter().filter(rated).copied().collect();
        if cells.is_empty() {
            return Err(FitError::NothingToRate);
        }
        if model == GameModel::Davidson {
            check_draws(&cells)?;
        }
        let engines = input.engines.len();
        let layout = Layout::new(engines, model, anchors, white_advantage, &connectivity);
        let problem = FitProblem {
            model,
            layout: &layout,
            cells: &cells,
        };
        let parameters = problem.newton()?;
        let information = problem.derivatives(&parameters).1;
        let is_dense = engines <= MOST_DENSE;
        let inverse_information = is_dense.then(|| layout.invert(&information.dense()));
        let is_known = match &inverse_information {
            Some(inverse) => inverse.is_some(),
            None => layout
                .white
                .is_none_or(|place| information.determines(place)),
        };
        if !is_known {
            return Err(FitError::Singular);
        }
        Ok(Self {
            model,
            layout,
            parameters,
            inverse_information: inverse_information.flatten(),
            connectivity,
        })
    }

    /// The information at the fit.
    pub(super) fn information(&self, input: &RatingInput) -> Information<'_> {
        let mut information = Information::new(&self.layout, input.colours.len());
        for cell in &input.colours {
            if let Some(moments) = self.moments(cell.white, cell.black) {
                information.add(cell, &moments);
            }
        }
        information
    }

    /// What is expected of a game; `None` where a player has no rating.
    pub(super) fn moments(&self, white: u16, black: u16) -> Option<GameMoments> {
        let rated = self.connectivity.is_rated(white) && self.connectivity.is_rated(black);
        let moments = || {
            let x = self.layout.difference(&self.parameters, white, black);
            self.model.moments(x, self.draw_parameter())
        };
        rated.then(moments)
    }

    /// White's advantage (0 where it was not estimated).
    pub fn white_advantage(&self) -> f64 {
        self.layout.white_advantage(&self.parameters)
    }

    /// The draw parameter δ (0 where draws are not modelled).
    pub fn draw_parameter(&self) -> f64 {
        self.layout.draw_parameter(&self.parameters)
    }
}

fn check_draws(cells: &[Cell]) -> Result<(), FitError> {
    let draws: f64 = cells.iter().map(Cell::draws).sum();
    let games: f64 = cells.iter().map(Cell::games).sum();
    match draws {
        0.0 => Err(FitError::NoDraws),
        _ if draws == games => Err(FitError::OnlyDraws),
        _ => Ok(()),
    }
}

/// Beyond this many logits (about 5,200 Elo) an estimate counts as infinite.
const UNBOUNDED: f64 = 30.0;

struct FitProblem<'a> {
    model: GameModel,
    layout: &'a Layout,
    cells: &'a [Cell],
}

impl FitProblem<'_> {
    fn newton(&self) -> Result<Vec<f64>, FitError> {
        let mut parameters: Vec<f64> = self.layout.fixed.iter().map(|v| v.unwrap_or(0.0)).collect();
        let mut height = self.log_likelihood(&parameters);
        for _ in 0..100 {
            let (gradient, information) = self.derivatives(&parameters);
            let (solved, _) = information.solve(&gradient, 1e-4);
            let mut step: Vec<f64> = solved.into_iter().map(|[step]| step).collect();
            // The games do not determine the sum of a group: the remaining error of the solution must not move it.
            for group in &self.layout.floating {
                let mean = group.iter().map(|place| step[*place]).sum::<f64>() / group.len() as f64;
                group.iter().for_each(|place| step[*place] -= mean);
            }
            let largest = step.iter().fold(0.0_f64, |a, s| a.max(s.abs()));
            if largest < 1e-12 {
                return Ok(parameters);
            }
            (parameters, height) =
                self.advance(&parameters, &step, height, (2.0 / largest).min(1.0));
            if largest < 1e-9 {
                return Ok(parameters);
            }
            let free = parameters
                .iter()
                .zip(&self.layout.fixed)
                .filter(|(_, fixed)| fixed.is_none());
            if free.into_iter().any(|(value, _)| value.abs() > UNBOUNDED) {
                return Err(FitError::Unbounded);
            }
        }
        Err(FitError::Unbounded)
    }

    /// The step, halved until the likelihood does not fall.
    fn advance(&self, from: &[f64], step: &[f64], height: f64, mut share: f64) -> (Vec<f64>, f64) {
        loop {
            let to: Vec<f64> = from.iter().zip(step).map(|(p, s)| p + share * s).collect();
            let reached = self.log_likelihood(&to);
            if reached >= height - 1e-9 * height.abs() || share < 1e-4 {
                return (to, reached);
            }
            share *= 0.5;
        }
    }

    fn log_likelihood(&self, parameters: &[f64]) -> f64 {
        let delta = self.layout.draw_parameter(parameters);
        let cell = |c: &Cell| {
            let x = self.layout.difference(parameters, c.white, c.black);
            self.model
                .log_likelihood(x, delta, c.games(), c.score(), c.draws())
        };
        self.cells.iter().map(cell).sum()
    }

    fn derivatives(&self, parameters: &[f64]) -> (Vec<[f64; 1]>, Information<'_>) {
        let delta = self.layout.draw_parameter(parameters);
        let mut gradient = vec![[0.0]; self.layout.size];
        let mut information = Information::new(self.layout, self.cells.len());
        for cell in self.cells {
            let x = self.layout.difference(parameters, cell.white, cell.black);
            let (moments, games) = (self.model.moments(x, delta), cell.games());
            let (entries, count) = self.layout.strengths(cell.white, cell.black);
            for &(place, sign) in &entries[..count] {
                gradient[place][0] += sign * (cell.score() - games * moments.score);
            }
            if let Some(draw) = self.layout.draw {
                gradient[draw][0] += cell.draws() - games * moments.draw;
            }
            information.add(cell, &moments);
        }
        let fixed = (0..self.layout.size).filter(|place| self.layout.is_fixed(*place));
        fixed.for_each(|place| gradient[place] = [0.0]);
        (gradient, information)
    }
}
