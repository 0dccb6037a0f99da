//! Is there any variation between positions? A test that works from one pair
//! per position: under one common advantage the games' own randomness fixes
//! how much the positions' totals scatter.

use serde::Serialize;

use crate::stats::games::Cell;
use crate::stats::numeric::distributions::gamma_tail;
use crate::stats::ratings::ModelFit;
use crate::stats::ratings::models::davidson;

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
    /// By a gamma distribution with this mean and variance.
    pub p_value: f64,
}

impl Dispersion {
    /// Tests the cells (sorted by start) against the fit of Davidson's model
    /// with one advantage for all. `None` with fewer than two positions, or
    /// where no position has any randomness.
    pub fn new(cells: &[Cell], common: &ModelFit) -> Option<Self> {
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
        })
    }
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
            let x = common.difference(cell.white, cell.black);
            let [mean, variance, fourth] = cumulants(davidson(x, common.draw_parameter()));
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
