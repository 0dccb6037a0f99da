//! The place of each quantity of a fit in the vector of its parameters, and which of them are held fixed.

use crate::numeric::linear::Symmetric;

use super::ELO_PER_LOGIT;
use super::connectivity::Connectivity;
use super::models::GameModel;

/// What to estimate in addition to the strengths.
#[derive(Clone, Debug, Default)]
pub struct FitOptions {
    /// Estimate White's advantage.
    pub white_advantage: bool,
    /// Engines held at a rating in Elo. Without any, ratings have mean zero.
    pub anchors: Vec<(u16, f64)>,
}

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
    floating: Vec<Vec<usize>>,
}

impl Layout {
    pub(super) fn new(
        engines: usize,
        model: GameModel,
        options: &FitOptions,
        rated: &Connectivity,
    ) -> Self {
        let mut size = engines;
        let mut place = |wanted: bool| wanted.then(|| (size, size += 1).0);
        let white = place(options.white_advantage);
        let draw = place(model == GameModel::Davidson);
        let mut fixed: Vec<Option<f64>> = rated.unrated.iter().map(|u| u.map(|_| 0.0)).collect();
        fixed.resize(size, None);
        for &(engine, elo) in &options.anchors {
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

    /// The non-zero derivatives of a game's `x` by the parameters.
    pub fn strengths(&self, white: u16, black: u16) -> ([(usize, f64); 3], usize) {
        let last = self.white.map_or((0, 0.0), |place| (place, 1.0));
        (
            [(usize::from(white), 1.0), (usize::from(black), -1.0), last],
            2 + usize::from(self.white.is_some()),
        )
    }

    /// Whether a parameter is held at its value.
    pub(super) fn is_fixed(&self, place: usize) -> bool {
        self.fixed[place].is_some()
    }

    /// Groups of strengths determined up to a constant. To be regular an information matrix is
    /// added 1 for every two members of one, so that sums stay zero.
    pub(super) fn floating(&self) -> &[Vec<usize>] {
        &self.floating
    }

    /// The inverse within the directions that are estimated.
    pub(super) fn invert(&self, information: &Symmetric) -> Option<Symmetric> {
        let mut inverse = information.cholesky()?.inverse();
        for group in &self.floating {
            let share = 1.0 / (group.len() as f64).powi(2);
            let ones: Vec<(usize, f64)> = group.iter().map(|engine| (*engine, 1.0)).collect();
            inverse.add_outer_sparse(&ones, -share);
        }
        for place in (0..self.size).filter(|place| self.is_fixed(*place)) {
            inverse.set(place, place, 0.0);
        }
        Some(inverse)
    }
}
