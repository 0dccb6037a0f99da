//! Mirror twins. A Chess960 position and its left-right mirror differ only by
//! castling, and none is its own mirror: 480 classes of two. If twins agree,
//! their games may be pooled.

use serde::Serialize;

use crate::estimate::Cluster;
use crate::numeric::distributions::{student_cdf, student_quantile};

/// Covariance of the scores of a position and its mirror.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MirrorTwins {
    /// Pairs of twins.
    pub classes: usize,
    /// Mean product of the deviations from the mean of all.
    pub cov: f64,
    /// Its standard error over the pairs of twins, each with its own noise.
    pub se: f64,
    /// Lower end of its interval.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
    /// That twins share nothing, against that they agree.
    pub p_value: f64,
}

/// Fewer pairs of twins have no error.
pub const FEWEST_CLASSES: usize = 10;

impl MirrorTwins {
    /// Of clusters in the order of starts; `None` with too few twins.
    pub fn new(
        clusters: &[Cluster],
        mirror_of: impl Fn(u32) -> Option<u32>,
        level: f64,
    ) -> Option<Self> {
        let centre = clusters.iter().map(Cluster::mean).sum::<f64>() / clusters.len() as f64;
        let product = |one: &Cluster| {
            let twin = mirror_of(one.start).filter(|twin| *twin > one.start)?;
            let place = clusters.binary_search_by_key(&twin, |c| c.start).ok()?;
            Some((one.mean() - centre) * (clusters[place].mean() - centre))
        };
        let products: Vec<f64> = clusters.iter().filter_map(product).collect();
        let classes = products.len();
        if classes < FEWEST_CLASSES {
            return None;
        }
        let cov = products.iter().sum::<f64>() / classes as f64;
        let scatter: f64 = products.iter().map(|product| (product - cov).powi(2)).sum();
        let freedom = classes as f64 - 1.0;
        let se = (scatter / freedom / classes as f64).sqrt();
        let half = student_quantile(0.5 + 0.5 * level, freedom)? * se;
        (se > 0.0).then(|| Self {
            classes,
            cov,
            se,
            lo: cov - half,
            hi: cov + half,
            p_value: student_cdf(-cov / se, freedom),
        })
    }
}
