//! Sandwich errors: `H⁻¹ (Σ u_c u_c') H⁻¹ · G/(G−1)` over clusters `c`.
//!
//! Games of one pair, and all games from one position when positions are
//! replayed, are not independent; clustering makes the errors honest about
//! that without modelling it (Liang & Zeger 1986).

use serde::Serialize;

use crate::games::{Cell, GameScore, Pair};
use crate::numeric::distributions::{normal_quantile, student_quantile};
use crate::numeric::linear::Symmetric;

use super::fit::ModelFit;
use super::input::RatingInput;
use super::models::{GameModel, Moments};

/// What counts as one independent observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClusterUnit {
    /// Every game by itself; too optimistic or too pessimistic, for
    /// comparison only.
    Game,
    /// A colour-swapped pair.
    Pair,
    /// All games from one start position.
    Position,
}

impl ClusterUnit {
    /// Positions as soon as one carries more than one pair, if there are enough of them to
    /// be a sample of anything; pairs otherwise.
    pub fn recommended(input: &RatingInput) -> Self {
        if input.positions_repeat() && input.positions() >= FEWEST_POSITIONS {
            ClusterUnit::Position
        } else {
            ClusterUnit::Pair
        }
    }
}

/// With fewer positions than this errors by position would be a guess from a handful of
/// numbers: pairs are the unit, and the claim is about just these positions.
pub const FEWEST_POSITIONS: usize = 6;

/// Below this many clusters intervals use Student's t.
const FEW_CLUSTERS: usize = 20;

/// A covariance matrix of all parameters with its number of clusters.
#[derive(Clone, Debug)]
pub struct ClusteredErrors {
    /// What was clustered by.
    pub unit: ClusterUnit,
    /// Number of clusters G.
    pub clusters: usize,
    /// Covariance of the parameters, natural-logarithm units.
    pub covariance: Symmetric,
}

impl ClusteredErrors {
    /// The sandwich at a fit; `None` with fewer than two clusters, which say
    /// nothing about their own spread.
    pub fn new(fit: &ModelFit, input: &RatingInput, unit: ClusterUnit) -> Option<Self> {
        let mut meat = Meat::new(fit);
        match unit {
            ClusterUnit::Game => meat.by_game(&input.colours),
            ClusterUnit::Pair => meat.by_pair(input),
            ClusterUnit::Position => meat.by_position(&input.cells),
        }
        let clusters = meat.clusters;
        if clusters < 2 {
            return None;
        }
        let mut covariance = fit.inverse_information.sandwich(&meat.sum);
        covariance.scale(clusters as f64 / (clusters as f64 - 1.0));
        Some(Self {
            unit,
            clusters,
            covariance,
        })
    }

    /// The sandwich with pairs as clusters around their position's mean: what chance in the
    /// games does to a statement about just these positions. With its degrees of freedom;
    /// `None` unless half of the pairs are on positions with two or more.
    pub fn within_positions(fit: &ModelFit, input: &RatingInput) -> Option<(Self, f64)> {
        let mut meat = Meat::new(fit);
        let mut pairs: Vec<&Pair> = input.pairing.pairs.iter().collect();
        pairs.sort_by_key(|pair| pair.start);
        let (mut used, mut positions) = (0, 0);
        for group in pairs.chunk_by(|a, b| a.start == b.start) {
            if group.len() > 1 && meat.add_centred(group) {
                used += group.len();
                positions += 1;
            }
        }
        let freedom = used.checked_sub(positions).filter(|f| *f > 0)?;
        if 2 * used < pairs.len() {
            return None;
        }
        // Pairs alone on their position are taken to vary as the others do.
        meat.sum.scale(pairs.len() as f64 / used as f64);
        let errors = Self {
            unit: ClusterUnit::Pair,
            clusters: used,
            covariance: fit.inverse_information.sandwich(&meat.sum),
        };
        Some((errors, freedom as f64))
    }

    /// Degrees of freedom of the intervals: G − 1 with few clusters,
    /// infinite otherwise.
    pub fn freedom(&self) -> f64 {
        if self.clusters < FEW_CLUSTERS {
            self.clusters as f64 - 1.0
        } else {
            f64::INFINITY
        }
    }

    /// The factor between a standard error and the half width of a two-sided
    /// interval with this level.
    pub fn multiplier(&self, level: f64) -> f64 {
        let probability = 0.5 + 0.5 * level;
        // Without a degree of freedom there is no error to be multiplied.
        student_quantile(probability, self.freedom())
            .unwrap_or_else(|| normal_quantile(probability))
    }
}

/// The sum of squared cluster scores.
struct Meat<'a> {
    fit: &'a ModelFit,
    sum: Symmetric,
    clusters: usize,
}

impl<'a> Meat<'a> {
    fn new(fit: &'a ModelFit) -> Self {
        Self {
            fit,
            sum: Symmetric::zeros(fit.layout.size),
            clusters: 0,
        }
    }

    fn moments(&self, white: u16, black: u16) -> Option<Moments> {
        let rated = self.fit.connectivity.is_rated(white) && self.fit.connectivity.is_rated(black);
        rated.then(|| {
            self.fit
                .model
                .moments(self.fit.difference(white, black), self.fit.draw_parameter())
        })
    }

    /// Adds a game's (or several games') score to a cluster's score vector.
    fn add_score(&self, u: &mut [f64], cell: &Cell) -> bool {
        let Some(moments) = self.moments(cell.white, cell.black) else {
            return false;
        };
        let games = cell.games();
        let residual = cell.score() - games * moments.score;
        let (entries, count) = self.fit.layout.strengths(cell.white, cell.black);
        for &(place, sign) in &entries[..count] {
            u[place] += sign * residual;
        }
        if let (Some(draw), GameModel::Davidson) = (self.fit.layout.draw, self.fit.model) {
            u[draw] += cell.draws() - games * moments.draw;
        }
        true
    }

    fn add_cluster(&mut self, cells: &[Cell], count: u32) {
        let mut u = vec![0.0; self.fit.layout.size];
        let scores = cells
            .iter()
            .filter(|cell| self.add_score(&mut u, cell))
            .count();
        if scores > 0 {
            self.sum.add_outer(&u, f64::from(count));
            self.clusters += count as usize;
        }
    }

    /// Adds the pairs of one position around their mean; whether any could be rated.
    fn add_centred(&mut self, pairs: &[&Pair]) -> bool {
        let scores: Vec<Vec<f64>> = pairs
            .iter()
            .filter_map(|pair| {
                let mut u = vec![0.0; self.fit.layout.size];
                let [first, second] = pair.white_results;
                let games = [
                    one_game(pair.first, pair.second, first),
                    one_game(pair.second, pair.first, second),
                ];
                games
                    .iter()
                    .all(|game| self.add_score(&mut u, game))
                    .then_some(u)
            })
            .collect();
        let count = scores.len() as f64;
        if scores.len() < 2 {
            return false;
        }
        let mean: Vec<f64> = (0..self.fit.layout.size)
            .map(|i| scores.iter().map(|u| u[i]).sum::<f64>() / count)
            .collect();
        for u in &scores {
            let deviation: Vec<f64> = u.iter().zip(&mean).map(|(u, m)| u - m).collect();
            self.sum.add_outer(&deviation, count / (count - 1.0));
        }
        true
    }

    fn by_game(&mut self, colours: &[Cell]) {
        for cell in colours {
            for result in GameScore::ALL {
                let count = cell.results[result as usize];
                if count > 0 {
                    self.add_cluster(&[one_game(cell.white, cell.black, result)], count);
                }
            }
        }
    }

    fn by_pair(&mut self, input: &RatingInput) {
        for kind in &input.pair_kinds {
            let [first, second] = kind.white_results;
            let games = [
                one_game(kind.first, kind.second, first),
                one_game(kind.second, kind.first, second),
            ];
            self.add_cluster(&games, kind.count);
        }
        self.by_game(&input.singles);
    }

    fn by_position(&mut self, cells: &[Cell]) {
        for position in cells.chunk_by(|a, b| a.start == b.start) {
            self.add_cluster(position, 1);
        }
    }
}

fn one_game(white: u16, black: u16, result: GameScore) -> Cell {
    let mut results = [0; 3];
    results[result as usize] = 1;
    Cell {
        start: 0,
        white,
        black,
        results,
    }
}
