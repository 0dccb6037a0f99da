//! Results, surrogates and residuals of the pairs, by position.

use super::calibration::{Calibration, FOLDS, fold_of};
use super::{SurrogateError, Witness, WitnessedGame};

/// The pairs of one position, summed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PositionSums {
    /// Start number.
    pub start: u32,
    /// Pairs with a witness for both games.
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

/// The pairs with witnesses, judged by cross-fitted calibrations.
#[derive(Clone, Debug, PartialEq)]
pub struct WitnessedPairs {
    /// By start number.
    pub positions: Vec<PositionSums>,
    /// Spread within positions.
    pub within: WithinPosition,
    /// Pairs left out because a game has no witness or no partner.
    pub pairs_without: usize,
    /// One calibration for each part of the positions.
    pub calibrations: Vec<Calibration>,
}

/// Fewest degrees of freedom for the spread within positions.
const FEWEST_REPEATS: usize = 20;

impl WitnessedPairs {
    /// Calibrates each part of the positions on the others and judges it.
    ///
    /// # Errors
    /// With fewer than three positions, or too few repeated pairs.
    pub fn new(games: &[WitnessedGame]) -> Result<Self, SurrogateError> {
        let calibrations: Vec<Calibration> = (0..FOLDS)
            .map(|fold| Calibration::fit(games.iter().filter(move |g| fold_of(g.start) != fold)))
            .collect::<Result<_, _>>()?;
        let mut sorted: Vec<&WitnessedGame> = games.iter().collect();
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
            positions,
            within,
            pairs_without,
            calibrations,
        })
    }
}

/// Mean result and mean surrogate of a pair's two games.
fn pair_values(pair: &[&WitnessedGame], calibrations: &[Calibration]) -> Option<(f64, f64)> {
    let [first, second] = pair else { return None };
    let surrogate = |game: &WitnessedGame| match game.witness {
        Witness::Evaluation { pawns, ply } => {
            Some(calibrations[fold_of(game.start) as usize].expected_score(pawns, ply))
        }
        Witness::Decided => Some(game.result.score()),
        Witness::Missing => None,
    };
    let result = 0.5 * (first.result.score() + second.result.score());
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
