//! Sandwich errors: `H⁻¹ (Σ f_c u_c u_c') H⁻¹` over clusters `c`.
//!
//! The factors `f` come from the estimating equation of a mean ([`crate::estimate::Correction`]), a position
//! having the weight of its games: `G/(G−1)` for G equal clusters.
//!
//! Games of one pair, and all games from one position when positions are
//! replayed, are not independent; clustering makes the errors honest about
//! that without modelling it (Liang & Zeger 1986).

use serde::Serialize;

use crate::estimate::Correction;
use crate::games::Cell;
use crate::numeric::distributions::{normal_quantile, student_quantile};
use crate::numeric::linear::Symmetric;

use super::connectivity::{FEWEST_POSITIONS, RatingInput, pairs, single_games};
use super::fit::{MOST_DENSE, ModelFit};
use super::{ELO_PER_LOGIT, list};

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
    /// Pairs too, but one dispersion for all of them (`list`): of more engines than a matrix of every two is made for, and
    /// where an engine's own residuals are too few to show its error.
    AllPairs,
}

impl ClusterUnit {
    /// Positions as soon as one carries more than one pair, if there are enough of them to
    /// be a sample of anything; pairs otherwise.
    pub fn recommended(input: &RatingInput) -> Self {
        if input.engines.len() > MOST_DENSE {
            ClusterUnit::AllPairs
        } else if input.positions_repeat() && input.positions() >= FEWEST_POSITIONS {
            ClusterUnit::Position
        } else {
            ClusterUnit::Pair
        }
    }
}

/// Clusters from which on the residuals of an engine show its error. With one pair its residual is 0, whatever it scored.
pub const FEWEST_CLUSTERS: usize = 20;

/// A covariance matrix of all parameters with its number of clusters.
#[derive(Clone, Debug)]
pub struct ClusteredErrors {
    /// What was clustered by.
    pub unit: ClusterUnit,
    /// Number of clusters G.
    pub clusters: usize,
    /// Bell and McCaffrey's degrees of freedom: one position with most games is not one of many.
    pub freedom: f64,
    covariance: Covariance,
}

/// Natural-logarithm units.
#[derive(Clone, Debug)]
enum Covariance {
    /// Of every two parameters.
    Full(Symmetric),
    /// The variances alone.
    Variances(Vec<f64>),
}

impl ClusteredErrors {
    /// The sandwich at a fit; `None` with fewer than two clusters, because these do not show their own spread.
    pub fn new(fit: &ModelFit, input: &RatingInput, unit: ClusterUnit) -> Option<Self> {
        let Some(inverse) = &fit.inverse_information else {
            let (dispersion, variances) = list::variances(fit, input)?;
            return Some(Self {
                unit: ClusterUnit::AllPairs,
                clusters: dispersion.units,
                freedom: dispersion.freedom,
                covariance: Covariance::Variances(variances),
            });
        };
        if unit == ClusterUnit::AllPairs {
            let by_position = ClusterUnit::recommended(input) == ClusterUnit::Position;
            let others = by_position.then(|| Self::new(fit, input, ClusterUnit::Position));
            return Some(Self::pooled(fit, input, inverse, others.flatten()));
        }
        let (squares, clusters, freedom) = match unit {
            ClusterUnit::Game => squares(fit, single_games(&input.colours)),
            ClusterUnit::Position => squares_by_position(fit, &input.cells),
            ClusterUnit::Pair | ClusterUnit::AllPairs => squares(fit, pairs(input)),
        };
        if clusters < 2 {
            return None;
        }
        let mut covariance = inverse.sandwich(&squares);
        // Pairs and games are many, and alike.
        let alike = clusters as f64 - 1.0;
        if freedom.is_none() {
            covariance.scale(clusters as f64 / alike);
        }
        Some(Self {
            unit,
            clusters,
            freedom: freedom.unwrap_or(alike),
            covariance: Covariance::Full(covariance),
        })
    }

    /// One dispersion for all, at least the one that errors by position have on average; White's advantage has its own.
    fn pooled(
        fit: &ModelFit,
        input: &RatingInput,
        inverse: &Symmetric,
        by_position: Option<Self>,
    ) -> Self {
        let of_pairs = list::Dispersion::new(fit, input);
        let (mut dispersion, mut freedom) = (of_pairs.value, of_pairs.freedom);
        let strengths = 0..input.engines.len();
        let sum = |own: &dyn Fn(usize) -> f64| strengths.clone().map(own).sum::<f64>();
        if let Some(found) = &by_position {
            let all = sum(&|place| found.covariance(place, place).unwrap_or(0.0));
            let by_position = all / sum(&|place| inverse.at(place, place));
            if by_position > dispersion {
                dispersion = by_position;
                freedom = freedom.min(found.freedom);
            }
        }
        let mut covariance = inverse.clone();
        covariance.scale(dispersion);
        // All clusters carry White's advantage.
        let by_unit = by_position.or_else(|| Self::new(fit, input, ClusterUnit::Pair));
        let many = by_unit.filter(|found| found.clusters >= FEWEST_CLUSTERS / 2);
        if let Some((place, found)) = fit.layout.white.zip(many) {
            let own = found.covariance(place, place);
            covariance.set(place, place, own.unwrap_or(0.0));
        }
        Self {
            unit: ClusterUnit::AllPairs,
            clusters: of_pairs.units,
            freedom,
            covariance: Covariance::Full(covariance),
        }
    }

    /// Covariance of two parameters; `None` of two in a long list.
    pub fn covariance(&self, one: usize, other: usize) -> Option<f64> {
        match &self.covariance {
            Covariance::Full(matrix) => Some(matrix.at(one, other)),
            Covariance::Variances(own) => (one == other).then(|| own[one]),
        }
    }

    /// Covariances of some parameters in Elo²; `None` in a long list.
    pub(super) fn of_members(&self, members: &[usize]) -> Option<Symmetric> {
        let Covariance::Full(matrix) = &self.covariance else {
            return None;
        };
        let mut own = Symmetric::zeros(members.len());
        for (i, one) in members.iter().enumerate() {
            for (j, other) in members.iter().enumerate().take(i + 1) {
                let elo = matrix.at(*one, *other) * ELO_PER_LOGIT * ELO_PER_LOGIT;
                own.set(i, j, elo);
            }
        }
        Some(own)
    }

    /// The factor between a standard error and the half width of a two-sided
    /// interval with this level.
    pub fn multiplier(&self, level: f64) -> f64 {
        let probability = 0.5 + 0.5 * level;
        // Without a degree of freedom there is no error to be multiplied.
        student_quantile(probability, self.freedom).unwrap_or_else(|| normal_quantile(probability))
    }
}

/// The fewest clusters of any rated engine.
pub(super) fn fewest_clusters(fit: &ModelFit, input: &RatingInput, unit: ClusterUnit) -> usize {
    let mut clusters = vec![0; input.engines.len()];
    let mut add = |cells: &[Cell], count: u32| {
        let mut engines: Vec<u16> = cells.iter().flat_map(|c| [c.white, c.black]).collect();
        engines.sort_unstable();
        engines.dedup();
        for engine in engines {
            clusters[usize::from(engine)] += count as usize;
        }
    };
    if unit == ClusterUnit::Position {
        let positions = input.cells.chunk_by(|a, b| a.start == b.start);
        positions.for_each(|cells| add(cells, 1));
    } else {
        pairs(input).for_each(|(cells, count)| add(&cells, count));
    }
    let rated = fit.connectivity.unrated.iter().zip(clusters);
    let rated = rated.filter(|(why, _)| why.is_none());
    rated.map(|(_, clusters)| clusters).min().unwrap_or(0)
}

/// The sum of squared scores of clusters, their number, and its degrees of freedom where clusters differ in size.
type SquaredScores = (Symmetric, usize, Option<f64>);

/// Of clusters that are there so many times.
fn squares(fit: &ModelFit, clusters: impl Iterator<Item = (Vec<Cell>, u32)>) -> SquaredScores {
    let (mut sum, mut count) = (Symmetric::zeros(fit.layout.size), 0);
    for (cells, times) in clusters {
        if let Some(score) = score(fit, &cells) {
            sum.add_outer(&score, f64::from(times));
            count += times as usize;
        }
    }
    (sum, count, None)
}

fn squares_by_position(fit: &ModelFit, cells: &[Cell]) -> SquaredScores {
    let is_rated = |cell: &&Cell| fit.moments(cell.white, cell.black).is_some();
    let games = |cells: &[Cell]| -> f64 { cells.iter().filter(is_rated).map(Cell::games).sum() };
    let positions = cells.chunk_by(|a, b| a.start == b.start);
    let scores: Vec<(f64, Vec<f64>)> = positions
        .filter_map(|cells| Some((games(cells), score(fit, cells)?)))
        .collect();
    let total: f64 = scores.iter().map(|(games, _)| games).sum();
    let weights: Vec<f64> = scores.iter().map(|(games, _)| games / total).collect();
    let correction = Correction::of_weights(&weights);
    let mut sum = Symmetric::zeros(fit.layout.size);
    for (((_, score), weight), factor) in scores.iter().zip(&weights).zip(&correction.factors) {
        sum.add_outer(score, factor / (weight * weight));
    }
    (sum, scores.len(), Some(correction.freedom.max(1.0)))
}

/// The score of some games; `None` where no two rated engines play.
fn score(fit: &ModelFit, cells: &[Cell]) -> Option<Vec<f64>> {
    let mut score = None;
    for cell in cells {
        let Some(moments) = fit.moments(cell.white, cell.black) else {
            continue;
        };
        let score = score.get_or_insert_with(|| vec![0.0; fit.layout.size]);
        let games = cell.games();
        let residual = cell.score() - games * moments.score;
        let (entries, count) = fit.layout.strengths(cell.white, cell.black);
        for &(place, sign) in &entries[..count] {
            score[place] += sign * residual;
        }
        if let Some(draw) = fit.layout.draw {
            score[draw] += cell.draws() - games * moments.draw;
        }
    }
    score
}
