//! Both estimates of each position: by its results alone, and by surrogate
//! and pooled residual.
//!
//! With `n` pairs, residual mean `r` and a calibration whose bias here has mean
//! β and spread t (0 where the calibration holds), the combined estimate is
//! `surrogate + β + k (r − β)`. The weight `k = (t² − c/n) / (t² + σ²/n)`
//! minimises its variance
//! `(σ_S² + 2kc + k²σ²)/n + (1 − k)² (t² + Var β)`, where σ² is the residual's
//! variance within positions and c its covariance with the surrogate. At
//! `k = 1` this is the result alone. Whether this position is one where the
//! calibration holds, and t, are integrated over (see `bias`), so that a bias
//! too small to be seen still widens the intervals.

use serde::Serialize;

use crate::stats::numeric::distributions::normal_quantile;
use crate::stats::numeric::mixture::NormalMixture;

use super::bias::{BiasPoint, BiasPosterior};
use super::pairs::{PositionSums, WithinPosition, WitnessedPairs};
use super::{SurrogateError, WitnessedGame};

/// One position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SurrogatePosition {
    /// Start number.
    pub start: u32,
    /// Pairs with witnesses.
    pub pairs: u32,
    /// White's mean score: the results alone.
    pub result: f64,
    /// Its standard error.
    pub result_se: f64,
    /// Mean of the surrogates.
    pub surrogate: f64,
    /// Mean residual.
    pub residual: f64,
    /// The combined estimate of White's mean score.
    pub combined: f64,
    /// Its standard deviation.
    pub combined_sd: f64,
    /// Lower end of its interval.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
    /// How many times as many pairs the results alone would need.
    pub gain: f64,
}

/// All positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SurrogateReport {
    /// By start number.
    pub positions: Vec<SurrogatePosition>,
    /// Pairs left out for want of an evaluation or a partner.
    pub pairs_without: usize,
    /// Share of the result's variance within positions that the surrogate
    /// takes away: 1 − Var(residual) / Var(result).
    pub explained: f64,
    /// Standard deviation of the calibration's bias over positions, posterior
    /// mean.
    pub tau_residual: f64,
    /// Lower end of its interval.
    pub tau_residual_lo: f64,
    /// Upper end.
    pub tau_residual_hi: f64,
    /// Share of positions with a bias of their own, posterior mean; it says
    /// little where the bias is small.
    pub share_biased: f64,
    /// Mean bias of the calibration β.
    pub bias: f64,
    /// Its standard error.
    pub bias_se: f64,
    /// Mean gain over positions.
    pub mean_gain: f64,
}

impl SurrogateReport {
    /// Combines evaluations and results.
    ///
    /// # Errors
    /// Named, where the games are too few.
    pub fn new(games: &[WitnessedGame], level: f64) -> Result<Self, SurrogateError> {
        let pairs = WitnessedPairs::new(games)?;
        let posterior = BiasPosterior::new(&pairs);
        let positions: Vec<SurrogatePosition> = (0..pairs.positions.len())
            .map(|index| position(&pairs, index, &posterior, level))
            .collect();
        let tail = 0.5 * (1.0 - level);
        let points = &posterior.points;
        let (bias, bias_variance) =
            NormalMixture::new(points.iter().map(|p| (p.probability, p.beta, p.variance)))
                .moments();
        let explained = match pairs.within.result {
            result if result > 0.0 => 1.0 - pairs.within.residual / result,
            _ => 0.0,
        };
        Ok(Self {
            mean_gain: positions.iter().map(|p| p.gain).sum::<f64>() / positions.len() as f64,
            positions,
            pairs_without: pairs.pairs_without,
            explained,
            tau_residual: points.iter().map(|p| p.probability * p.deviation()).sum(),
            tau_residual_lo: posterior.deviation_quantile(tail),
            tau_residual_hi: posterior.deviation_quantile(1.0 - tail),
            share_biased: points.iter().map(|p| p.probability * p.share).sum(),
            bias,
            bias_se: bias_variance.sqrt(),
        })
    }
}

fn position(
    pairs: &WitnessedPairs,
    index: usize,
    bias: &BiasPosterior,
    level: f64,
) -> SurrogatePosition {
    let (p, within) = (&pairs.positions[index], &pairs.within);
    let parts = bias.points.iter().flat_map(|point| {
        let own = bias.responsibility(index, point);
        [(1.0 - own, 0.0), (own, point.spread)].map(|(share, spread)| {
            let (mean, variance) = combine(p, within, point, spread);
            (point.probability * share, mean, variance)
        })
    });
    let mixture = NormalMixture::new(parts);
    let (combined, variance) = mixture.moments();
    let tail = 0.5 * (1.0 - level);
    let result_variance = within.result / p.pairs;
    SurrogatePosition {
        start: p.start,
        pairs: p.pairs as u32,
        result: p.result,
        result_se: result_variance.sqrt(),
        surrogate: p.surrogate,
        residual: p.residual(),
        combined,
        combined_sd: variance.sqrt(),
        lo: mixture.quantile(tail),
        hi: mixture.quantile(1.0 - tail),
        gain: if variance > 0.0 {
            result_variance / variance
        } else {
            1.0
        },
    }
}

/// Mean and variance of the combined estimate where the bias has this spread.
fn combine(
    p: &PositionSums,
    within: &WithinPosition,
    point: &BiasPoint,
    spread: f64,
) -> (f64, f64) {
    let (spread, n) = (spread * spread, p.pairs);
    let denominator = spread + within.residual / n;
    let k = if denominator > 0.0 {
        ((spread - within.covariance / n) / denominator).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let mean = p.surrogate + point.beta + k * (p.residual() - point.beta);
    let own = within.surrogate + 2.0 * k * within.covariance + k * k * within.residual;
    (
        mean,
        (own / n + (1.0 - k).powi(2) * (spread + point.variance)).max(0.0),
    )
}

/// The half width of the interval of the results alone.
pub fn result_half_width(position: &SurrogatePosition, level: f64) -> f64 {
    normal_quantile(0.5 + 0.5 * level) * position.result_se
}
