//! How far two maps agree, with the noise of both taken off.
//!
//! True advantages of a start in both maps are bivariate normal with spreads τ₁, τ₂ and correlation ρ, estimates add
//! independent noise of known variance. ρ is estimated by maximum likelihood; its interval holds every ρ whose profile
//! likelihood is at most χ²₁'s 95 % quantile below the maximum. Maps that show no spread give no information on ρ: then
//! the interval is all of [−1, 1].

use serde::Serialize;

use crate::numeric::SplitMix;
use crate::numeric::distributions::{fisher_tail, student_quantile, two_sided_factor};
use crate::numeric::root::maximum;

use super::{AdvantageMap, MapPoint, in_common};

/// Starts that a correlation needs.
pub const FEWEST_STARTS: usize = 12;

/// Random exchanges behind the p value, and their seed.
const EXCHANGES: usize = 1999;
const SEED: u64 = 960;

/// Values of ρ that are tried, from −1 to 1.
const GRID: usize = 41;

/// The agreement of two maps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MapCorrelation {
    /// Starts in both.
    pub starts: usize,
    /// Correlation of the estimates as they are, noise and all.
    pub raw: f64,
    /// Correlation of the true advantages.
    pub correlation: f64,
    /// Lower end of its interval.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
    /// Spreads of both maps, Elo.
    pub spreads: [f64; 2],
    /// That the maps have nothing in common: by random exchange of the starts, two-sided.
    pub p_unrelated: f64,
}

impl MapCorrelation {
    /// Compares two maps; `None` with fewer than [`FEWEST_STARTS`] in common.
    pub fn new(one: &AdvantageMap, other: &AdvantageMap, level: f64) -> Option<Self> {
        let common = in_common(one, other);
        if common.len() < FEWEST_STARTS {
            return None;
        }
        let raw = covariance_of(&common, |i| i).1;
        let grid: Vec<(f64, f64, [f64; 2])> = (0..GRID)
            .map(|i| {
                let rho = -1.0 + 2.0 * i as f64 / (GRID - 1) as f64;
                let (height, spreads) = profile(&common, rho);
                (rho, height, spreads)
            })
            .collect();
        let best = grid.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let drop = 0.5 * two_sided_factor(level).powi(2);
        let inside = |point: &&(f64, f64, [f64; 2])| point.1 >= best.1 - drop;
        let step = 2.0 / (GRID - 1) as f64;
        let lo = grid.iter().find(inside)?.0;
        let hi = grid.iter().rev().find(inside)?.0;
        Some(Self {
            starts: common.len(),
            raw,
            correlation: best.0,
            // The ends lie up to a step beyond the last point inside.
            lo: (lo - step).max(-1.0),
            hi: (hi + step).min(1.0),
            spreads: best.2,
            p_unrelated: exchange_p_value(&common),
        })
    }
}

type Common<'a> = [(&'a MapPoint, &'a MapPoint)];

/// Covariance and correlation of the estimates, the second map's starts taken in an order.
fn covariance_of(common: &Common<'_>, order: impl Fn(usize) -> usize) -> (f64, f64) {
    let count = common.len() as f64;
    let sum = |elo: fn(&(&MapPoint, &MapPoint)) -> f64| common.iter().map(elo).sum::<f64>();
    let means = [sum(|(a, _)| a.elo) / count, sum(|(_, b)| b.elo) / count];
    let (mut cross, mut squares) = (0.0, [0.0, 0.0]);
    for (i, (a, _)) in common.iter().enumerate() {
        let (x, y) = (a.elo - means[0], common[order(i)].1.elo - means[1]);
        cross += x * y;
        squares = [squares[0] + x * x, squares[1] + y * y];
    }
    let scale = (squares[0] * squares[1]).sqrt();
    (cross / count, if scale > 0.0 { cross / scale } else { 0.0 })
}

fn exchange_p_value(common: &Common<'_>) -> f64 {
    let observed = covariance_of(common, |i| i).0.abs() * (1.0 - 1e-12);
    let mut order: Vec<usize> = (0..common.len()).collect();
    let mut generator = SplitMix::new(SEED);
    let mut as_large = 1;
    for _ in 0..EXCHANGES {
        generator.shuffle(&mut order);
        as_large += usize::from(covariance_of(common, |i| order[i]).0.abs() >= observed);
    }
    as_large as f64 / (EXCHANGES + 1) as f64
}

/// The largest log likelihood at this ρ, and the spreads where it is.
fn profile(common: &Common<'_>, rho: f64) -> (f64, [f64; 2]) {
    let largest = common.iter().fold([1.0_f64; 2], |top, (a, b)| {
        let centre = common[0];
        [
            top[0].max((a.elo - centre.0.elo).abs()),
            top[1].max((b.elo - centre.1.elo).abs()),
        ]
    });
    let mut spreads = [0.3 * largest[0], 0.3 * largest[1]];
    let mut height = log_likelihood(common, rho, spreads);
    for _ in 0..30 {
        let before = height;
        for i in 0..2 {
            let along = |tau: f64| {
                let mut tried = spreads;
                tried[i] = tau;
                log_likelihood(common, rho, tried)
            };
            let zero = along(0.0);
            let found = maximum(0.0, largest[i], 1e-3 * largest[i], along);
            (spreads[i], height) = if found.1 >= zero { found } else { (0.0, zero) };
        }
        if height - before < 1e-4 {
            break;
        }
    }
    (height, spreads)
}

/// Of both estimates of every start, the means being those of least squares.
fn log_likelihood(common: &Common<'_>, rho: f64, [tau1, tau2]: [f64; 2]) -> f64 {
    let shared = rho * tau1 * tau2;
    // Normal equations of both means, and the sums of squares that they leave.
    let (mut n, mut m, mut logs, mut square) = ([0.0; 3], [0.0; 2], 0.0, 0.0);
    for (a, b) in common {
        let (va, vb) = (a.variance + tau1 * tau1, b.variance + tau2 * tau2);
        let determinant = (va * vb - shared * shared).max(1e-12);
        let inverse = [vb / determinant, -shared / determinant, va / determinant];
        let y = [a.elo, b.elo];
        n = [n[0] + inverse[0], n[1] + inverse[1], n[2] + inverse[2]];
        m[0] += inverse[0] * y[0] + inverse[1] * y[1];
        m[1] += inverse[1] * y[0] + inverse[2] * y[1];
        square +=
            inverse[0] * y[0] * y[0] + 2.0 * inverse[1] * y[0] * y[1] + inverse[2] * y[1] * y[1];
        logs += determinant.ln();
    }
    let determinant = n[0] * n[2] - n[1] * n[1];
    let mean = [
        (n[2] * m[0] - n[1] * m[1]) / determinant,
        (n[0] * m[1] - n[1] * m[0]) / determinant,
    ];
    let explained = mean[0] * m[0] + mean[1] * m[1];
    -0.5 * (logs + determinant.max(1e-300).ln() + (square - explained).max(0.0))
}

// How the means of two maps differ, and whether the maps differ anywhere.

/// The second map less the first, over the starts that both have.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MapDifference {
    /// Starts in both.
    pub starts: usize,
    /// Mean difference in Elo.
    pub elo: f64,
    /// Half width of its interval for just these starts.
    pub elo_error_these: f64,
    /// Half width for starts like these.
    pub elo_error_all: Option<f64>,
    /// `Σ (d − d̄)² / v`: how much the starts' differences scatter.
    #[serde(rename = "Q")]
    pub q: f64,
    /// That the maps differ by one and the same amount everywhere: the differences' own variance over the one that the
    /// games of each start show, by Fisher's law with the degrees of freedom of unequal variances (Box 1954).
    pub p_parallel: f64,
}

impl MapDifference {
    /// Compares two maps; `None` without two starts in common.
    pub fn new(first: &AdvantageMap, second: &AdvantageMap, level: f64) -> Option<Self> {
        let common = in_common(first, second);
        let count = common.len() as f64;
        if common.len() < 2 {
            return None;
        }
        let values: Vec<(f64, f64)> = common
            .iter()
            .map(|(a, b)| (b.elo - a.elo, a.variance + b.variance))
            .collect();
        let elo = values.iter().map(|(d, _)| d).sum::<f64>() / count;
        let noise: f64 = values.iter().map(|(_, v)| v).sum();
        let scatter: f64 = values.iter().map(|(d, _)| (d - elo).powi(2)).sum();
        let weights: f64 = values.iter().map(|(_, v)| 1.0 / v).sum();
        let centre = values.iter().map(|(d, v)| d / v).sum::<f64>() / weights;
        let q = values.iter().map(|(d, v)| (d - centre).powi(2) / v).sum();
        let factor = student_quantile(0.5 + 0.5 * level, count - 1.0);
        Some(Self {
            starts: common.len(),
            elo,
            elo_error_these: two_sided_factor(level) * noise.sqrt() / count,
            elo_error_all: factor.map(|t| t * (scatter / (count - 1.0) / count).sqrt()),
            q,
            p_parallel: p_parallel(&common, scatter / (count - 1.0)),
        })
    }
}

fn p_parallel(common: &[(&MapPoint, &MapPoint)], scatter: f64) -> f64 {
    let count = common.len() as f64;
    let (mut noise, mut squares, mut unsure) = (0.0, 0.0, 0.0);
    for (one, other) in common {
        let own = one.variance + other.variance;
        noise += own;
        squares += own * own;
        for point in [one, other] {
            unsure += point.variance.powi(2) / f64::from(point.pairs.max(2) - 1);
        }
    }
    let seen = (count - 1.0) / count * noise * noise / squares;
    fisher_tail(seen, noise * noise / unsure, scatter * count / noise)
}
