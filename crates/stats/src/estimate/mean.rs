//! The estimating equation `Σ w (m − θ) = 0` and the error of its solution.
//!
//! Where positions are taken for a sample of others like them, a cluster's own residual is its
//! contribution, corrected so that the variance is unbiased where clusters vary alike (CR2, Bell
//! and McCaffrey 2002; Pustejovsky and Tipton 2018), with the degrees of freedom of that
//! variance: one position with half of the games is not one of 120 clusters. For just these
//! positions only the units inside of a position are chance.

use crate::counts::{Sample, Unit};
use crate::elo::{elo_from_score, elo_per_score};
use crate::interval::profile_interval;
use crate::numeric::distributions::{normal_quantile, student_cdf, student_quantile};

use super::cluster::Cluster;
use super::spread::FEWEST_POSITIONS;

/// The start positions about which an estimate makes a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Population {
    /// Just these: only the games are chance.
    These,
    /// All of which these are a sample.
    Like,
}

/// How positions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// Each position alike, however often it was played.
    EachPosition,
    /// Each pair alike.
    EachPair,
}

/// A mean score with everything that is reported about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    population: Population,
    /// The score, 0 to 1.
    pub score: f64,
    /// Squared standard error of the score; `None` where the games do not show it.
    pub variance: Option<f64>,
    /// Degrees of freedom of the variance.
    pub freedom: f64,
    /// Start positions.
    pub positions: usize,
    /// The units by score, in the weights of the estimate, as that many pairs would have the same error: the profile
    /// likelihood of these knows how much variance results that are nearly all alike may hide.
    equal_pairs: Option<[f64; 5]>,
}

/// Units off the mean from which on Student's t holds, and from which on the noise inside of positions is known.
const MANY_DEVIATING: f64 = 60.0;
const FEW_DEVIATING: f64 = 12.0;

impl Estimate {
    /// Solves the equation; `None` without games.
    pub fn new(clusters: &[Cluster], population: Population, weights: Weights) -> Option<Self> {
        let raw: Vec<f64> = match weights {
            Weights::EachPosition => vec![1.0; clusters.len()],
            Weights::EachPair => clusters.iter().map(Cluster::games).collect(),
        };
        let total: f64 = raw.iter().sum();
        if total <= 0.0 {
            return None;
        }
        let weights: Vec<f64> = raw.into_iter().map(|weight| weight / total).collect();
        let means: Vec<f64> = clusters.iter().map(Cluster::mean).collect();
        let score = weights.iter().zip(&means).map(|(w, m)| w * m).sum();
        let (variance, freedom) = match population {
            Population::These => within(clusters, &weights),
            Population::Like => between(&means, &weights, score),
        };
        let variance = variance.filter(|variance| *variance > 1e-14);
        Some(Self {
            population,
            score,
            variance,
            freedom,
            positions: clusters.len(),
            equal_pairs: equal_pairs(population, clusters, &weights, variance),
        })
    }

    /// Elo of the score.
    pub fn elo(&self) -> f64 {
        elo_from_score(self.score)
    }

    /// Half width of the interval in Elo; `None` if it is not known. For just these positions at least the profile's.
    pub fn elo_error(&self, level: f64) -> Option<f64> {
        let inside = self.score > 0.0 && self.score < 1.0;
        inside.then_some(())?;
        let by_variance = self.variance.and_then(|variance| {
            let factor = factor(level, self.freedom)?;
            Some(elo_per_score(self.score) * factor * variance.sqrt())
        });
        if by_variance.is_some() && self.population == Population::Like {
            return by_variance;
        }
        let by_profile = self.error_by_profile(level);
        by_variance.map_or(by_profile, |own| {
            Some(by_profile.map_or(own, |it| own.max(it)))
        })
    }

    /// `P(T < t)` of the difference from an even score: near 1 where it is above.
    pub fn superiority(&self) -> Option<f64> {
        let t = (self.score - 0.5) / self.variance?.sqrt();
        Some(student_cdf(t, self.freedom))
    }

    /// The larger side of the profile's interval; `None` if one side is open.
    fn error_by_profile(&self, level: f64) -> Option<f64> {
        let interval = profile_interval(&Sample::of(Unit::Pair, self.equal_pairs?), level);
        let [low, high] = [interval.elo_lo, interval.elo_hi];
        let error = (self.elo() - low).max(high - self.elo());
        error.is_finite().then_some(error)
    }
}

/// `None` of games whose score has no lattice, and where Student's t needs no help.
fn equal_pairs(
    population: Population,
    clusters: &[Cluster],
    weights: &[f64],
    variance: Option<f64>,
) -> Option<[f64; 5]> {
    let (mut shares, mut squares) = ([0.0; 5], 0.0);
    for (cluster, weight) in clusters.iter().zip(weights) {
        let own = weight / cluster.units();
        for (count, place) in cluster.units_by_quarter()? {
            shares[place] += count * own;
            squares += count * own * own;
        }
    }
    let count = match population {
        Population::These => 1.0 / squares,
        Population::Like => clusters.len() as f64,
    };
    let moment = |power: i32, around: f64| -> f64 {
        let cells = (0_u8..).zip(shares);
        let terms =
            cells.map(|(place, share)| share * (0.25 * f64::from(place) - around).powi(power));
        terms.sum()
    };
    let mean = moment(1, 0.0);
    let [spread, fourth] = [2, 4].map(|power| moment(power, mean));
    let deviating = if fourth > 0.0 {
        count * spread * spread / fourth
    } else {
        0.0
    };
    let is_needed = match population {
        Population::These => deviating < MANY_DEVIATING,
        Population::Like => deviating == 0.0 || clusters.len() >= FEWEST_POSITIONS,
    };
    // What positions differ by is no noise of these, once their own noise is known.
    let known = variance.filter(|_| deviating >= FEW_DEVIATING);
    let scale = known.map_or(1.0, |own| (spread / count / own).max(1.0));
    is_needed.then(|| shares.map(|share| share * count * scale))
}

/// The factor between a standard error and half of an interval.
pub(super) fn factor(level: f64, freedom: f64) -> Option<f64> {
    let probability = 0.5 + 0.5 * level;
    match freedom.is_finite() {
        // Less than one degree, as between two clusters of which one is nearly everything.
        true => student_quantile(probability, freedom.max(1.0)),
        false => Some(normal_quantile(probability)),
    }
}

/// CR2 over positions, and Bell and McCaffrey's degrees of freedom where all vary alike.
fn between(means: &[f64], weights: &[f64], score: f64) -> (Option<f64>, f64) {
    if means.len() < 2 {
        return (None, 0.0);
    }
    let correction = Correction::of_weights(weights);
    let variance = correction
        .factors
        .iter()
        .zip(means)
        .map(|(c, m)| c * (m - score).powi(2))
        .sum();
    (Some(variance), correction.freedom)
}

/// What a cluster's squared residual is multiplied by, and the degrees of freedom of their sum.
pub struct Correction {
    /// Squared weight over the share of its variance that a residual keeps.
    pub factors: Vec<f64>,
    /// Bell and McCaffrey's degrees of freedom.
    pub freedom: f64,
}

impl Correction {
    /// Of weights that add up to one.
    pub fn of_weights(weights: &[f64]) -> Self {
        let groups: Vec<(f64, f64)> = weights.iter().map(|weight| (1.0, *weight)).collect();
        Self::of_groups(&groups)
    }

    /// The correction for groups of clusters, given as count and weight of each cluster; one factor for each group.
    pub fn of_groups(groups: &[(f64, f64)]) -> Self {
        let squares: f64 = groups.iter().map(|(count, w)| count * w * w).sum();
        // A residual of the weighted mean has variance 1 − 2w + Σw², of which a cluster with
        // all of the weight keeps nothing.
        let kept = |w: &f64| (1.0 - 2.0 * w + squares).max(1e-9);
        let factors: Vec<f64> = groups.iter().map(|(_, w)| w * w / kept(w)).collect();
        let sum = |power: i32| -> f64 {
            let terms = factors.iter().zip(groups);
            terms.map(|(c, (count, w))| count * c * w.powi(power)).sum()
        };
        let (c0, c1, c2) = (sum(0), sum(1), sum(2));
        let diagonal: f64 = factors
            .iter()
            .zip(groups)
            .map(|(c, (count, w))| count * c * c * (1.0 + 2.0 * (squares - 2.0 * w)))
            .sum();
        let all = squares * squares * c0 * c0 + 2.0 * c0 * c2 - 4.0 * squares * c0 * c1
            + 2.0 * c1 * c1
            + diagonal;
        // The expectation of the variance is Σ w².
        let freedom = squares * squares / all;
        Self { factors, freedom }
    }
}

/// Variance inside of positions. Positions with one unit are compared with each other, which
/// takes in what they differ by: their part is at most too large.
fn within(clusters: &[Cluster], weights: &[f64]) -> (Option<f64>, f64) {
    let (mut variance, mut expected, mut squares) = (0.0, 0.0, 0.0);
    let (mut alone, mut alone_weights) = (Vec::new(), 0.0);
    for (cluster, weight) in clusters.iter().zip(weights) {
        let units = cluster.units();
        let square = weight * weight;
        match cluster.variance() {
            Some(own) => {
                variance += square * own;
                expected += square / units;
                squares += (square / units).powi(2) / (units - 1.0);
            }
            None => {
                alone.push(cluster.mean());
                alone_weights += square;
            }
        }
    }
    if let Some(last) = alone.len().checked_sub(1) {
        if last == 0 && clusters.len() > 1 {
            // One position is compared with the mean of all.
            let centre = clusters.iter().map(Cluster::mean).sum::<f64>() / clusters.len() as f64;
            variance += alone_weights * (alone[0] - centre).powi(2);
        } else if last > 0 {
            let centre = alone.iter().sum::<f64>() / alone.len() as f64;
            let scatter: f64 = alone.iter().map(|m| (m - centre).powi(2)).sum();
            variance += alone_weights * scatter / last as f64;
            expected += alone_weights;
            squares += alone_weights.powi(2) / last as f64;
        }
    }
    if squares > 0.0 {
        (Some(variance), expected * expected / squares)
    } else {
        (None, 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cluster(start: u32, pairs: [u32; 5]) -> Cluster {
        Cluster {
            start,
            pairs,
            ..Cluster::default()
        }
    }

    fn like(clusters: &[Cluster]) -> Option<Estimate> {
        Estimate::new(clusters, Population::Like, Weights::EachPosition)
    }

    #[test]
    fn balanced_clusters_have_the_textbook_error() {
        let clusters = [
            cluster(0, [0, 1, 0, 1, 0]),
            cluster(1, [0, 0, 1, 1, 0]),
            cluster(2, [0, 0, 0, 0, 2]),
        ];
        let found = like(&clusters).expect("games");
        let means: [f64; 3] = [0.5, 0.625, 1.0];
        let mean = means.iter().sum::<f64>() / 3.0;
        let scatter: f64 = means.iter().map(|m| (m - mean).powi(2)).sum();
        assert!((found.variance.expect("three") - scatter / 6.0).abs() < 1e-12);
        assert!((found.freedom - 2.0).abs() < 1e-9, "{}", found.freedom);
        let these =
            Estimate::new(&clusters, Population::These, Weights::EachPosition).expect("games");
        // Variances of the means: 1/16, 1/64 and 0.
        assert!((these.variance.expect("two") - (0.0625 + 0.015625) / 9.0).abs() < 1e-12);
        assert_eq!(these.freedom, 3.0);
    }

    #[test]
    fn six_won_and_none_lost_have_an_advantage() {
        // 194 of 200 games drawn: 94 pairs of draws, 6 with one win.
        let clusters: Vec<Cluster> = (0..100)
            .map(|p| {
                cluster(
                    p,
                    if p < 6 {
                        [0, 0, 0, 1, 0]
                    } else {
                        [0, 0, 1, 0, 0]
                    },
                )
            })
            .collect();
        let found = like(&clusters).expect("games");
        assert!((found.elo() - 10.43).abs() < 0.01, "{}", found.elo());
        let error = found.elo_error(0.95).expect("it varies");
        assert!((7.5..9.0).contains(&error), "{error}");
    }

    #[test]
    fn one_heavy_position_is_not_one_of_many() {
        let mut clusters: Vec<Cluster> = (1..120).map(|p| cluster(p, [1, 0, 2, 0, 1])).collect();
        clusters.push(cluster(0, [100, 0, 100, 0, 100]));
        let found = Estimate::new(&clusters, Population::Like, Weights::EachPair);
        let found = found.expect("games");
        assert!(found.freedom < 2.5, "{}", found.freedom);
    }

    #[test]
    fn level_pairs_are_not_known_to_the_last_digit() {
        let clusters: Vec<Cluster> = (0..25).map(|p| cluster(p, [0, 0, 1, 0, 0])).collect();
        let error = like(&clusters).and_then(|e| e.elo_error(0.95));
        assert!((error.expect("a bound") - 25.7).abs() < 0.1, "{error:?}");
    }
}
