//! Results, surrogates and residuals of the pairs, by position.

use super::calibration::{Calibration, FOLDS, fold_of};
use super::{Surrogate, SurrogateError, SurrogateGame};

/// The pairs of one position, summed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PositionSums {
    /// Start number.
    pub start: u32,
    /// Pairs with a usable evaluation of both games.
    pub pairs: f64,
    /// Mean of White's results.
    pub result: f64,
    /// Mean of the surrogates.
    pub surrogate: f64,
}

impl PositionSums {
    /// Mean residual.
    pub fn residual(&self) -> f64 {
        self.result - self.surrogate
    }
}

/// Variances and covariance of one pair's values within a position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WithinPosition {
    /// Variance of the result.
    pub result: f64,
    /// Variance of the surrogate.
    pub surrogate: f64,
    /// Variance of the residual.
    pub residual: f64,
    /// Covariance of surrogate and residual; near zero if well calibrated.
    pub covariance: f64,
    /// Degrees of freedom N − P.
    pub freedom: usize,
}

/// The surrogates' true means over the positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AcrossPositions {
    /// Their mean.
    pub mean: f64,
    /// Its variance.
    pub mean_variance: f64,
    /// Their variance τ_S², the posterior mean under a flat prior on τ_S.
    pub spread: f64,
}

impl AcrossPositions {
    /// Of the surrogates' means with their sampling variances, by a grid of τ_S.
    fn new(positions: &[PositionSums], within: f64) -> Self {
        const GRID: usize = 60;
        let values: Vec<(f64, f64)> = positions
            .iter()
            .map(|p| (p.surrogate, (within / p.pairs).max(1e-12)))
            .collect();
        let count = values.len() as f64;
        let centre = values.iter().map(|(value, _)| value).sum::<f64>() / count;
        let scatter: f64 = values
            .iter()
            .map(|(value, _)| (value - centre).powi(2))
            .sum();
        let largest = 2.0 * (scatter / count).sqrt();
        let points: Vec<(f64, f64, f64, f64)> = (0..GRID)
            .map(|i| {
                let variance = (largest * i as f64 / (GRID - 1) as f64).powi(2);
                let weights: f64 = values.iter().map(|(_, v)| 1.0 / (v + variance)).sum();
                let mean = values.iter().map(|(y, v)| y / (v + variance)).sum::<f64>() / weights;
                let log: f64 = values
                    .iter()
                    .map(|(y, v)| (v + variance).ln() + (y - mean).powi(2) / (v + variance))
                    .sum();
                (-0.5 * (log + weights.ln()), variance, mean, 1.0 / weights)
            })
            .collect();
        let top = points.iter().map(|p| p.0).fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = points.iter().map(|p| (p.0 - top).exp()).sum();
        let average = |part: fn(&(f64, f64, f64, f64)) -> f64| -> f64 {
            let weighted = points.iter().map(|p| (p.0 - top).exp() * part(p));
            weighted.sum::<f64>() / total
        };
        Self {
            mean: average(|p| p.2),
            mean_variance: average(|p| p.3),
            spread: average(|p| p.1),
        }
    }
}

/// The pairs with surrogates, judged by cross-fitted calibrations.
#[derive(Clone, Debug, PartialEq)]
pub struct SurrogatePairs {
    /// By start number.
    pub positions: Vec<PositionSums>,
    /// Spread within positions.
    pub within: WithinPosition,
    /// Spread of the surrogates over positions.
    pub across: AcrossPositions,
    /// Pairs left out because a game has no evaluation or no partner.
    pub pairs_without: usize,
    /// One calibration for each part of the positions.
    pub calibrations: Vec<Calibration>,
}

/// Fewest degrees of freedom for the spread within positions.
const FEWEST_REPEATS: usize = 20;

impl SurrogatePairs {
    /// Calibrates each part of the positions on the others and judges it.
    ///
    /// # Errors
    /// With fewer than three positions, or too few repeated pairs.
    pub fn new(games: &[SurrogateGame]) -> Result<Self, SurrogateError> {
        let calibrations: Vec<Calibration> = (0..FOLDS)
            .map(|fold| Calibration::fit(games.iter().filter(move |g| fold_of(g.start) != fold)))
            .collect::<Result<_, _>>()?;
        let mut sorted: Vec<&SurrogateGame> = games.iter().collect();
        sorted.sort_by_key(|game| (game.start, game.pair));
        let mut values: Vec<(u32, f64, f64)> = Vec::new();
        let mut pairs_without = 0;
        for pair in sorted.chunk_by(|a, b| (a.start, a.pair) == (b.start, b.pair)) {
            match pair_values(pair, &calibrations) {
                Some((result, surrogate)) => values.push((pair[0].start, result, surrogate)),
                None => pairs_without += 1,
            }
        }
        let groups: Vec<&[(u32, f64, f64)]> = values.chunk_by(|a, b| a.0 == b.0).collect();
        if groups.len() < 3 {
            return Err(SurrogateError::TooFewPositions(groups.len()));
        }
        let positions: Vec<PositionSums> = groups.iter().map(|group| means(group)).collect();
        let within = within(&groups, &positions);
        if within.freedom < FEWEST_REPEATS {
            return Err(SurrogateError::TooFewPairs(within.freedom));
        }
        Ok(Self {
            across: AcrossPositions::new(&positions, within.surrogate),
            positions,
            within,
            pairs_without,
            calibrations,
        })
    }
}

impl SurrogatePairs {
    /// The same pairs with a surrogate that says nothing: what the same method makes of the
    /// results alone.
    pub(super) fn results_alone(&self) -> Self {
        let silent = |p: &PositionSums| PositionSums {
            surrogate: 0.0,
            ..*p
        };
        Self {
            positions: self.positions.iter().map(silent).collect(),
            within: WithinPosition {
                result: self.within.result,
                residual: self.within.result,
                freedom: self.within.freedom,
                ..WithinPosition::default()
            },
            across: AcrossPositions::default(),
            pairs_without: self.pairs_without,
            calibrations: Vec::new(),
        }
    }

    /// Without every position of one of this number of groups.
    pub(super) fn without_group(&self, group: usize, groups: usize) -> Self {
        let kept = self.positions.iter().enumerate();
        let kept = kept.filter(|(index, _)| index % groups != group);
        let positions: Vec<PositionSums> = kept.map(|(_, position)| *position).collect();
        Self {
            across: AcrossPositions::new(&positions, self.within.surrogate),
            positions,
            within: self.within,
            pairs_without: 0,
            calibrations: Vec::new(),
        }
    }
}

/// Mean result and mean surrogate of a pair's two games.
fn pair_values(pair: &[&SurrogateGame], calibrations: &[Calibration]) -> Option<(f64, f64)> {
    let [first, second] = pair else { return None };
    let surrogate = |game: &SurrogateGame| match game.surrogate {
        Surrogate::Evaluation { pawns, ply } => {
            Some(calibrations[fold_of(game.start) as usize].expected_score(pawns, ply))
        }
        Surrogate::Decided => Some(game.result.points()),
        Surrogate::Missing => None,
    };
    let result = 0.5 * (first.result.points() + second.result.points());
    Some((result, 0.5 * (surrogate(first)? + surrogate(second)?)))
}

fn means(group: &[(u32, f64, f64)]) -> PositionSums {
    let pairs = group.len() as f64;
    PositionSums {
        start: group[0].0,
        pairs,
        result: group.iter().map(|v| v.1).sum::<f64>() / pairs,
        surrogate: group.iter().map(|v| v.2).sum::<f64>() / pairs,
    }
}

fn within(groups: &[&[(u32, f64, f64)]], positions: &[PositionSums]) -> WithinPosition {
    let mut sums = WithinPosition::default();
    for (group, position) in groups.iter().zip(positions) {
        for (_, result, surrogate) in *group {
            let (t, s) = (result - position.result, surrogate - position.surrogate);
            sums.result += t * t;
            sums.surrogate += s * s;
            sums.residual += (t - s) * (t - s);
            sums.covariance += s * (t - s);
        }
        sums.freedom += group.len() - 1;
    }
    let share = 1.0 / sums.freedom.max(1) as f64;
    WithinPosition {
        result: sums.result * share,
        surrogate: sums.surrogate * share,
        residual: sums.residual * share,
        covariance: sums.covariance * share,
        freedom: sums.freedom,
    }
}
