//! Mirror twins. A Chess960 position and its left-right mirror differ only by
//! castling, and none is its own mirror: 480 classes of two. If twins agree,
//! their games may be pooled.

use serde::Serialize;

use crate::estimate::Cluster;
use crate::numeric::distributions::student_quantile;
use crate::numeric::random::SplitMix;

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
    /// That twins share no more than other starts, against that they agree.
    pub p_value: f64,
}

/// Fewer pairs of twins have no error.
pub const FEWEST_CLASSES: usize = 10;

/// Starts that must make up the deviations from the mean, or a fifth of all.
const CARRIED_BY: f64 = 12.0;
/// Random exchanges of partners behind the p value.
const EXCHANGES: usize = 1999;

impl MirrorTwins {
    /// Of clusters in the order of starts; `None` with too few twins, or where nearly all have the same deviation, so that
    /// a handful of starts would decide. The p value comes from exchanges of partners, which need no law.
    pub fn new(
        clusters: &[Cluster],
        mirror_of: impl Fn(u32) -> Option<u32>,
        level: f64,
    ) -> Option<Self> {
        let twins = |one: &Cluster| {
            let twin = mirror_of(one.start).filter(|twin| *twin > one.start)?;
            let place = clusters.binary_search_by_key(&twin, |c| c.start).ok()?;
            Some([one.mean(), clusters[place].mean()])
        };
        let means: Vec<[f64; 2]> = clusters.iter().filter_map(twins).collect();
        let classes = means.len();
        if classes < FEWEST_CLASSES {
            return None;
        }
        let centre = means.as_flattened().iter().sum::<f64>() / (2 * classes) as f64;
        let mut deviations: Vec<f64> = means.into_flattened();
        deviations.iter_mut().for_each(|mean| *mean -= centre);
        let sum = |power: i32| deviations.iter().map(|d| d.powi(power)).sum::<f64>();
        if sum(2).powi(2) < CARRIED_BY.min(0.2 * deviations.len() as f64) * sum(4) {
            return None;
        }
        let products = |deviations: &[f64]| -> Vec<f64> {
            let pairs = deviations.chunks_exact(2);
            pairs.map(|two| two[0] * two[1]).collect()
        };
        let found = products(&deviations);
        let cov = found.iter().sum::<f64>() / classes as f64;
        let scatter: f64 = found.iter().map(|product| (product - cov).powi(2)).sum();
        let freedom = classes as f64 - 1.0;
        let se = (scatter / freedom / classes as f64).sqrt();
        let half = student_quantile(0.5 + 0.5 * level, freedom)? * se;
        let mut random = SplitMix::new(960);
        let mut exchanged = || {
            for place in (1..deviations.len()).rev() {
                deviations.swap(place, random.below(place + 1));
            }
            products(&deviations).iter().sum::<f64>() / classes as f64
        };
        let as_large = (0..EXCHANGES)
            .filter(|_| exchanged() >= cov - 1e-12)
            .count();
        Some(Self {
            classes,
            cov,
            se,
            lo: cov - half,
            hi: cov + half,
            p_value: (as_large + 1) as f64 / (EXCHANGES + 1) as f64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p_value(start_pairs: impl Fn(u32, &mut SplitMix) -> [u32; 5], seed: u64) -> Option<f64> {
        let mut random = SplitMix::new(seed);
        let cluster = |start| Cluster {
            start,
            pairs: start_pairs(start, &mut random),
            ..Cluster::default()
        };
        let clusters: Vec<Cluster> = (0..240).map(cluster).collect();
        let twins = MirrorTwins::new(&clusters, |start| Some(start ^ 1), 0.95);
        twins.map(|twins| twins.p_value)
    }

    /// Nearly all drawn, nothing shared: p was below 0.05 in a quarter of such events; and in all where one start
    /// differs.
    #[test]
    fn twins_that_share_nothing_are_not_said_to_agree() {
        for decided in [0.02, 0.1, 0.5] {
            let drawn = |_: u32, random: &mut SplitMix| {
                let mut pairs = [0; 5];
                let u = random.uniform() / decided;
                pairs[if u < 0.5 {
                    1
                } else if u < 1.0 {
                    3
                } else {
                    2
                }] += 1;
                pairs
            };
            let found: Vec<f64> = (0..200).filter_map(|seed| p_value(drawn, seed)).collect();
            let falsely = found.iter().filter(|p| **p < 0.05).count();
            // Three errors beyond 5 % of 200.
            assert!(falsely <= 19, "{decided}: {falsely} of {}", found.len());
        }
        let one = |start: u32, _: &mut SplitMix| match start {
            7 => [0, 0, 0, 0, 1],
            _ => [0, 0, 1, 0, 0],
        };
        assert_eq!(p_value(one, 1), None);
    }

    #[test]
    fn twins_that_are_alike_are_found() {
        let alike = |start: u32, random: &mut SplitMix| {
            let edge = if (start / 2).is_multiple_of(2) {
                0.3
            } else {
                0.7
            };
            let won = (0..8).filter(|_| random.uniform() < edge).count() as u32;
            [8 - won, 0, 0, 0, won]
        };
        assert_eq!(p_value(alike, 1), Some(0.0005));
    }
}
