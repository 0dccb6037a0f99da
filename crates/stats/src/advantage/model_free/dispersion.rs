//! Is there any variation between positions? A test that works from one pair
//! per position: under one common advantage the games' own randomness fixes
//! how much the positions' totals scatter.

use serde::Serialize;

use crate::games::{Cell, Pair};
use crate::numeric::distributions::{fisher_tail, gamma_tail};
use crate::ratings::ModelFit;

/// `Q = Σ (S_p − E_p)² / V_p` under a common advantage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Dispersion {
    /// The statistic.
    #[serde(rename = "Q")]
    pub q: f64,
    /// Its expectation, P − 1.
    pub df: usize,
    /// Its variance, from the fourth cumulants: `Σ (2 + κ₄/V²)`.
    pub var: f64,
    /// `(Q − df) / √var`.
    pub z: f64,
    /// By a gamma distribution with this mean and variance: if the two games of a pair are
    /// independent. Where they are not, it rejects far too often; see `by_pairs`.
    pub p_value: f64,
    /// The same with pairs as the unit; `None` where no position has two.
    pub by_pairs: Option<DispersionOfPairs>,
}

/// `Q / (P − 1)` over the factor by which pairs within a position vary more, or less, than
/// two independent games: whatever the games of a pair have in common is in both.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DispersionOfPairs {
    /// Observed variance of pairs within positions by that of independent games.
    pub factor: f64,
    /// `Q / ((P − 1) factor)`.
    #[serde(rename = "F")]
    pub f: f64,
    /// Degrees of freedom of the factor, N − P.
    pub df2: usize,
    /// `P(F(P − 1, N − P) > F)`.
    pub p_value: f64,
}

impl Dispersion {
    /// Tests the cells (sorted by start) against the fit of Davidson's model
    /// with one advantage for all. `None` with fewer than two positions, or
    /// where no position has any randomness.
    pub fn new(cells: &[Cell], pairs: &[Pair], common: &ModelFit) -> Option<Self> {
        let (mut q, mut var, mut positions) = (0.0, 0.0, 0_usize);
        for position in cells.chunk_by(|a, b| a.start == b.start) {
            let total = Total::of(position, common);
            if total.variance > 0.0 {
                q += (total.score - total.mean).powi(2) / total.variance;
                var += 2.0 + total.fourth / (total.variance * total.variance);
                positions += 1;
            }
        }
        let df = positions.checked_sub(1).filter(|df| *df > 0)?;
        let excess = q - df as f64;
        (var > 0.0).then(|| Self {
            q,
            df,
            var,
            z: excess / var.sqrt(),
            p_value: gamma_tail(df as f64, var, q),
            by_pairs: pair_factor(pairs, common).map(|(factor, df2)| {
                let f = q / df as f64 / factor;
                DispersionOfPairs {
                    factor,
                    f,
                    df2,
                    p_value: fisher_tail(df as f64, df2 as f64, f),
                }
            }),
        })
    }
}

/// Variance of the pairs' residuals within positions by that of two independent games, and
/// its degrees of freedom.
fn pair_factor(pairs: &[Pair], common: &ModelFit) -> Option<(f64, usize)> {
    let rated = |pair: &&Pair| {
        common.connectivity.is_rated(pair.first) && common.connectivity.is_rated(pair.second)
    };
    let mut rated: Vec<&Pair> = pairs.iter().filter(rated).collect();
    rated.sort_by_key(|pair| pair.start);
    let (mut observed, mut expected, mut df) = (0.0, 0.0, 0_usize);
    for group in rated
        .chunk_by(|a, b| a.start == b.start)
        .filter(|g| g.len() > 1)
    {
        let values: Vec<f64> = group
            .iter()
            .map(|pair| {
                let games = games_of(pair, common);
                expected +=
                    (games[0][1] + games[1][1]) * (group.len() - 1) as f64 / group.len() as f64;
                2.0 * pair.white_value() - games[0][0] - games[1][0]
            })
            .collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        observed += values
            .iter()
            .map(|value| (value - mean).powi(2))
            .sum::<f64>();
        df += group.len() - 1;
    }
    (observed > 0.0 && expected > 0.0).then(|| (observed / expected, df))
}

/// Cumulants of the two games of a pair.
fn games_of(pair: &Pair, common: &ModelFit) -> [[f64; 3]; 2] {
    [(pair.first, pair.second), (pair.second, pair.first)]
        .map(|(white, black)| cumulants(common.law(white, black)))
}

/// White's total in one position, observed and expected.
#[derive(Default)]
struct Total {
    score: f64,
    mean: f64,
    variance: f64,
    fourth: f64,
}

impl Total {
    fn of(position: &[Cell], common: &ModelFit) -> Self {
        let mut total = Total::default();
        let rated = |cell: &&Cell| {
            common.connectivity.is_rated(cell.white) && common.connectivity.is_rated(cell.black)
        };
        for cell in position.iter().filter(rated) {
            let [mean, variance, fourth] = cumulants(common.law(cell.white, cell.black));
            total.score += cell.score();
            total.mean += cell.games() * mean;
            total.variance += cell.games() * variance;
            total.fourth += cell.games() * fourth;
        }
        total
    }
}

/// Mean, variance and fourth cumulant of one game's score.
fn cumulants([loss, draw, win]: [f64; 3]) -> [f64; 3] {
    let mean = win + 0.5 * draw;
    let moment = |power| {
        loss * (-mean).powi(power)
            + draw * (0.5 - mean).powi(power)
            + win * (1.0 - mean).powi(power)
    };
    let variance = moment(2);
    [mean, variance, moment(4) - 3.0 * variance * variance]
}
