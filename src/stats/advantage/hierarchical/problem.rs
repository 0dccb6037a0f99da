//! The counts Layer B works on, arranged for speed.

use std::ops::Range;

use crate::stats::games::Cell;
use crate::stats::numeric::linear::Symmetric;
use crate::stats::ratings::Connectivity;

use super::AdvantageError;

/// Games of one White and one Black from one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    /// Index into [`Problem::meetings`].
    pub meeting: u32,
    /// Games n.
    pub games: f64,
    /// White's score less n/2.
    pub excess: f64,
    /// Drawn games.
    pub draws: f64,
}

/// The data, and where each parameter is: η = (θ₁ … θ_E, μ, δ).
#[derive(Clone, Debug)]
pub(super) struct Problem {
    /// Number of engines E.
    pub engines: usize,
    /// The distinct (White, Black).
    pub meetings: Vec<(usize, usize)>,
    /// Start numbers, ascending.
    pub starts: Vec<u32>,
    /// Each position's part of `counts`.
    pub ranges: Vec<Range<usize>>,
    /// All counts, by position.
    pub counts: Vec<Count>,
    /// Engines that hold no rating keep strength 0.
    fixed: Vec<bool>,
    /// Groups of engines whose strengths sum to zero.
    groups: Vec<Vec<usize>>,
}

impl Problem {
    /// Arranges cells sorted by start. Games with engines that cannot be
    /// rated are left out; all counts are divided by `phi`.
    pub fn new(engines: usize, cells: &[Cell], phi: f64) -> Result<Self, AdvantageError> {
        let connectivity = Connectivity::of(engines, &Cell::by_colours(cells));
        let rated = |c: &&Cell| connectivity.is_rated(c.white) && connectivity.is_rated(c.black);
        let cells: Vec<Cell> = cells.iter().filter(rated).copied().collect();
        check_draws(&cells)?;
        let mut meetings: Vec<(usize, usize)> = cells.iter().map(meeting).collect();
        meetings.sort_unstable();
        meetings.dedup();
        let mut problem = Self {
            engines,
            starts: Vec::new(),
            ranges: Vec::new(),
            counts: Vec::with_capacity(cells.len()),
            fixed: connectivity.unrated.iter().map(Option::is_some).collect(),
            groups: connectivity.rated_components(),
            meetings,
        };
        for position in cells.chunk_by(|a, b| a.start == b.start) {
            let first = problem.counts.len();
            problem.starts.push(position[0].start);
            position.iter().for_each(|cell| problem.add(cell, phi));
            problem.ranges.push(first..problem.counts.len());
        }
        if problem.starts.len() < 3 {
            return Err(AdvantageError::TooFewPositions(problem.starts.len()));
        }
        Ok(problem)
    }

    fn add(&mut self, cell: &Cell, phi: f64) {
        let Ok(index) = self.meetings.binary_search(&meeting(cell)) else {
            return;
        };
        self.counts.push(Count {
            meeting: index as u32,
            games: cell.games() / phi,
            excess: (cell.score() - 0.5 * cell.games()) / phi,
            draws: cell.draws() / phi,
        });
    }

    /// Number of parameters.
    pub fn size(&self) -> usize {
        self.engines + 2
    }

    /// Place of μ.
    pub fn mu(&self) -> usize {
        self.engines
    }

    /// Place of δ.
    pub fn delta(&self) -> usize {
        self.engines + 1
    }

    /// Makes the directions without information regular: sums of strengths,
    /// and engines without a rating.
    pub fn regularise(&self, information: &mut Symmetric) {
        for group in &self.groups {
            let ones: Vec<(usize, f64)> = group.iter().map(|engine| (*engine, 1.0)).collect();
            information.add_outer_sparse(&ones, 1.0);
        }
        for engine in (0..self.engines).filter(|engine| self.fixed[*engine]) {
            information.add(engine, engine, 1.0);
        }
    }

    /// Removes from an inverse what [`Self::regularise`] put in.
    pub fn restrict(&self, inverse: &mut Symmetric) {
        for group in &self.groups {
            let share = 1.0 / (group.len() as f64).powi(2);
            let ones: Vec<(usize, f64)> = group.iter().map(|engine| (*engine, 1.0)).collect();
            inverse.add_outer_sparse(&ones, -share);
        }
        for engine in (0..self.engines).filter(|engine| self.fixed[*engine]) {
            inverse.add(engine, engine, -1.0);
        }
    }

    /// Is this engine's strength estimated?
    pub fn is_rated(&self, engine: usize) -> bool {
        !self.fixed[engine]
    }
}

fn meeting(cell: &Cell) -> (usize, usize) {
    (usize::from(cell.white), usize::from(cell.black))
}

/// With no draws, or nothing else, the draw parameter is infinite.
fn check_draws(cells: &[Cell]) -> Result<(), AdvantageError> {
    let games: f64 = cells.iter().map(Cell::games).sum();
    let draws: f64 = cells.iter().map(Cell::draws).sum();
    match games {
        0.0 => Err(AdvantageError::NothingToCompare),
        _ if draws == 0.0 => Err(AdvantageError::NoDraws),
        _ if draws == games => Err(AdvantageError::OnlyDraws),
        _ => Ok(()),
    }
}
