//! Mirror twins. A Chess960 position and its left-right mirror differ only by
//! castling, and none is its own mirror: 480 classes of two. If twins agree,
//! their games may be pooled.

use serde::Serialize;

use crate::advantage::values::PositionValues;
use crate::numeric::distributions::{normal_cdf, normal_quantile};
use crate::numeric::random::SplitMix;

/// Covariance of the twins' means: what they share of the variance between
/// positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MirrorTwins {
    /// Classes with both twins played.
    pub classes: usize,
    /// Mean of `(m_p − m)(m_q − m)` over the classes.
    pub cov: f64,
    /// Its error over classes; `None` with one class.
    pub se: Option<f64>,
    /// Lower end of its interval.
    pub lo: Option<f64>,
    /// Upper end.
    pub hi: Option<f64>,
    /// One-sided, by the normal approximation: that the twins share nothing. `None` with
    /// fewer than [`FEWEST_CLASSES`], where it would be far too small.
    pub p_value: Option<f64>,
    /// The same by random exchange of the partners (see [`MirrorTwins::new`]): exact up to
    /// the number of exchanges, however few twins there are. The one to be printed.
    pub permutation_p: Option<f64>,
}

/// Classes from which the normal approximation and its interval are given.
pub const FEWEST_CLASSES: usize = 10;

/// Beyond this many classes the normal approximation is as good, and exchanges take long.
const MOST_CLASSES: usize = 5000;

/// Random exchanges of the partners behind [`MirrorTwins::permutation_p`].
const EXCHANGES: usize = 4999;

/// Seed of the exchanges.
const SEED: u64 = 960;

impl MirrorTwins {
    /// Compares twins; `mirror_of` gives the start number of a position's
    /// mirror. `None` without a class both of whose twins were played.
    ///
    /// If twins share nothing, any position could stand in the place of its twin's partner:
    /// the share of random exchanges whose mean product is as large is a valid p value.
    pub fn new(
        values: &[PositionValues],
        mirror_of: impl Fn(u32) -> Option<u32>,
        level: f64,
    ) -> Option<Self> {
        let centre = values.iter().map(PositionValues::mean).sum::<f64>() / values.len() as f64;
        let twin_of = |position: &PositionValues| {
            let twin = mirror_of(position.start).filter(|twin| *twin > position.start)?;
            let index = values.binary_search_by_key(&twin, |v| v.start).ok()?;
            Some((position.mean() - centre, values[index].mean() - centre))
        };
        let twins: Vec<(f64, f64)> = values.iter().filter_map(twin_of).collect();
        let products: Vec<f64> = twins.iter().map(|(one, other)| one * other).collect();
        let classes = products.len();
        if classes == 0 {
            return None;
        }
        let cov = products.iter().sum::<f64>() / classes as f64;
        let scatter: f64 = products.iter().map(|product| (product - cov).powi(2)).sum();
        let se = (classes > 1).then(|| (scatter / (classes - 1) as f64 / classes as f64).sqrt());
        let half = se
            .filter(|_| classes >= FEWEST_CLASSES)
            .map(|se| normal_quantile(0.5 + 0.5 * level) * se);
        Some(Self {
            classes,
            cov,
            se,
            lo: half.map(|half| cov - half),
            hi: half.map(|half| cov + half),
            p_value: se
                .filter(|se| *se > 0.0 && classes >= FEWEST_CLASSES)
                .map(|se| normal_cdf(-cov / se)),
            permutation_p: (2..=MOST_CLASSES)
                .contains(&classes)
                .then(|| exchange_p_value(&twins)),
        })
    }

    /// Correlation of the twins' true values, `cov / τ²` within [−1, 1]: near
    /// one, twins may be pooled. `None` where τ² is zero.
    pub fn correlation(&self, tau2: f64) -> Option<f64> {
        (tau2 > 0.0).then(|| (self.cov / tau2).clamp(-1.0, 1.0))
    }
}

/// Share of random pairings of the same positions with as large a sum of products.
fn exchange_p_value(twins: &[(f64, f64)]) -> f64 {
    let sum = |values: &[f64]| -> f64 { values.chunks(2).map(|two| two[0] * two[1]).sum() };
    let mut values: Vec<f64> = twins.iter().flat_map(|(a, b)| [*a, *b]).collect();
    let observed = sum(&values);
    let slack = 1e-12 * observed.abs().max(1e-12);
    let mut generator = SplitMix::new(SEED);
    let mut as_large = 1;
    for _ in 0..EXCHANGES {
        for i in (1..values.len()).rev() {
            values.swap(i, generator.below(i + 1));
        }
        as_large += usize::from(sum(&values) >= observed - slack);
    }
    as_large as f64 / (EXCHANGES + 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twins_that_agree_have_positive_covariance() {
        let value = |start, sum| PositionValues {
            start,
            pairs: 1.0,
            sum,
            squares: sum * sum,
        };
        let values = [
            value(0, 0.75),
            value(1, 0.25),
            value(8, 0.25),
            value(9, 0.75),
        ];
        let twins = MirrorTwins::new(&values, |start| Some(9 - start), 0.95).expect("two classes");
        assert_eq!((twins.classes, twins.cov, twins.se), (2, 0.0625, Some(0.0)));
        // Two classes have three pairings, of which this is one: no evidence.
        assert!(twins.p_value.is_none() && twins.lo.is_none());
        assert!(twins.permutation_p.is_some_and(|p| p > 0.3));
        assert_eq!(twins.correlation(0.0625), Some(1.0));
        assert_eq!(MirrorTwins::new(&values, |_| None, 0.95), None);
    }
}
