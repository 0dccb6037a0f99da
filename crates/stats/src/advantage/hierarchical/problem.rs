//! The counts the hierarchical model works on, arranged for speed.

use std::collections::HashMap;
use std::ops::Range;

use crate::games::Cell;
use crate::numeric::linear::Symmetric;
use crate::ratings::Connectivity;

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
    /// For each start the group of positions with equal counts that it belongs to.
    /// Everything is computed once a group: openings that were played in a pair or
    /// two have few different results.
    pub group: Vec<u32>,
    /// Positions in each group.
    pub copies: Vec<f64>,
    /// Each group's part of `counts`.
    pub ranges: Vec<Range<usize>>,
    /// All counts, by group.
    pub counts: Vec<Count>,
    /// Engines that hold no rating keep strength 0.
    fixed: Vec<bool>,
    /// Sets of engines whose strengths sum to zero.
    fields: Vec<Vec<usize>>,
    /// No game was drawn: the draw parameter is held where draws do not happen, and the
    /// model is Bradley and Terry's.
    drawless: bool,
}

/// A draw parameter with which one game in 10¹¹ is drawn.
const NO_DRAWS: f64 = -25.0;

impl Problem {
    /// Arranges cells sorted by start. Games with engines that cannot be
    /// rated are left out; all counts are divided by `phi`.
    pub(crate) fn new(engines: usize, cells: &[Cell], phi: f64) -> Result<Self, AdvantageError> {
        let connectivity = Connectivity::of(engines, &Cell::by_colours(cells));
        let rated = |c: &&Cell| connectivity.is_rated(c.white) && connectivity.is_rated(c.black);
        let cells: Vec<Cell> = cells.iter().filter(rated).copied().collect();
        let drawless = check_draws(&cells)?;
        let mut meetings: Vec<(usize, usize)> = cells.iter().map(meeting).collect();
        meetings.sort_unstable();
        meetings.dedup();
        let mut problem = Self {
            engines,
            starts: Vec::new(),
            group: Vec::new(),
            copies: Vec::new(),
            ranges: Vec::new(),
            counts: Vec::with_capacity(cells.len()),
            fixed: connectivity.unrated.iter().map(Option::is_some).collect(),
            fields: connectivity.rated_components(),
            drawless,
            meetings,
        };
        let mut known = HashMap::<Vec<(u16, u16, [u32; 3])>, u32>::new();
        for position in cells.chunk_by(|a, b| a.start == b.start) {
            let results = |cell: &Cell| (cell.white, cell.black, cell.results);
            let next = known.len() as u32;
            let group = *known
                .entry(position.iter().map(results).collect())
                .or_insert(next);
            problem.starts.push(position[0].start);
            problem.group.push(group);
            if group == next {
                problem.add_group(position, phi);
            }
            problem.copies[group as usize] += 1.0;
        }
        if problem.starts.len() < 3 {
            return Err(AdvantageError::TooFewPositions(problem.starts.len()));
        }
        Ok(problem)
    }

    fn add_group(&mut self, position: &[Cell], phi: f64) {
        let first = self.counts.len();
        position.iter().for_each(|cell| self.add(cell, phi));
        self.ranges.push(first..self.counts.len());
        self.copies.push(0.0);
    }

    /// The place of this start, if there is one and it was played.
    pub(crate) fn place(&self, start: Option<u32>) -> Option<usize> {
        self.starts.binary_search(&start?).ok()
    }

    /// Number of groups of equal positions.
    pub(crate) fn groups(&self) -> usize {
        self.ranges.len()
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
    pub(crate) fn size(&self) -> usize {
        self.engines + 2
    }

    /// Place of μ.
    pub(crate) fn mu(&self) -> usize {
        self.engines
    }

    /// Place of δ.
    pub(crate) fn delta(&self) -> usize {
        self.engines + 1
    }

    /// Makes the directions without information regular: sums of strengths,
    /// and engines without a rating.
    pub(crate) fn regularise(&self, information: &mut Symmetric) {
        for group in &self.fields {
            let ones: Vec<(usize, f64)> = group.iter().map(|engine| (*engine, 1.0)).collect();
            information.add_outer_sparse(&ones, 1.0);
        }
        for engine in (0..self.engines).filter(|engine| self.fixed[*engine]) {
            information.add(engine, engine, 1.0);
        }
        if self.drawless {
            information.add(self.delta(), self.delta(), 1.0);
        }
    }

    /// The parameters before anything is known.
    pub(crate) fn origin(&self) -> Vec<f64> {
        let mut eta = vec![0.0; self.size()];
        if self.drawless {
            eta[self.delta()] = NO_DRAWS;
        }
        eta
    }

    /// Removes from an inverse what [`Self::regularise`] put in.
    pub(crate) fn restrict(&self, inverse: &mut Symmetric) {
        for group in &self.fields {
            let share = 1.0 / (group.len() as f64).powi(2);
            let ones: Vec<(usize, f64)> = group.iter().map(|engine| (*engine, 1.0)).collect();
            inverse.add_outer_sparse(&ones, -share);
        }
        for engine in (0..self.engines).filter(|engine| self.fixed[*engine]) {
            inverse.add(engine, engine, -1.0);
        }
        if self.drawless {
            inverse.add(self.delta(), self.delta(), -1.0);
        }
    }

    /// Is this engine's strength estimated?
    pub(crate) fn is_rated(&self, engine: usize) -> bool {
        !self.fixed[engine]
    }
}

fn meeting(cell: &Cell) -> (usize, usize) {
    (usize::from(cell.white), usize::from(cell.black))
}

/// Whether no game was drawn; where nothing else happened, the draw parameter is infinite.
fn check_draws(cells: &[Cell]) -> Result<bool, AdvantageError> {
    let games: f64 = cells.iter().map(Cell::games).sum();
    let draws: f64 = cells.iter().map(Cell::draws).sum();
    match games {
        0.0 => Err(AdvantageError::NothingToCompare),
        _ if draws == games => Err(AdvantageError::OnlyDraws),
        _ => Ok(draws == 0.0),
    }
}
