//! What is known of each position.
//!
//! * Its own interval: by its games alone. The variance is the position's own, drawn towards the
//!   average one of all positions with the weight of ten pairs.
//! * Its estimate: drawn towards the mean of all by its noise (empirical Bayes whose spread is integrated out on a
//!   grid). Its interval holds for 95 % of all positions whatever the law of their advantages is (Armstrong, Kolesár and
//!   Plagborg-Møller, Econometrica 2022).
//! * Its interval together with all others: all of them hold with the level's probability (Šidák).
//! * Whether it may be named: a test that it lies within [`MARGIN_ELO`] of the mean; at most 5 % of the positions named
//!   do (Benjamini and Hochberg 1995). The null law is the law of the same number of pairs drawn from all positions,
//!   each position alike, tilted to the margin: exact however few pairs there are. Where numbers of pairs differ,
//!   Student's t on the position's own pairs must confirm it, because drawishness may depend on the number of pairs,
//!   which the null law does not take into account.

use crate::advantage::{AdvantageOptions, PositionReport, RankVerdict};
use crate::elo::{elo_from_score, elo_per_score};
use crate::numeric::distributions::{normal_cdf, normal_quantile, student_cdf, student_quantile};
use crate::numeric::root::bisect;

use super::cluster::{Cluster, NullLaws};
use super::spread::Spread;

pub use super::cluster::MARGIN_ELO;

/// Share of positions within the margin among those named, at most.
pub const NAMED_UP_TO: f64 = 0.05;
/// The average variance counts as much as this number of a position's own pairs.
const PRIOR_UNITS: f64 = 10.0;
/// If one position has more than this many times the pairs of another, each position must be significant by its own
/// pairs.
const BALANCED: f64 = 2.0;

/// All positions with two units somewhere.
pub struct KnownPositions {
    /// In the order of starts, with all but their numbers of games.
    pub positions: Vec<PositionReport>,
    /// Mean over positions.
    pub mean: f64,
    /// Fewest and most pairs of a position, where these differ so much that each position must be significant by its
    /// own pairs.
    pub unbalanced: Option<[u32; 2]>,
}

impl KnownPositions {
    /// Of clusters that have a spread.
    pub fn new(clusters: &[Cluster], spread: &Spread, options: &AdvantageOptions) -> Option<Self> {
        let level = options.level;
        let count = clusters.len() as f64;
        let mean = clusters.iter().map(Cluster::mean).sum::<f64>() / count;
        let unbalanced = unbalanced(clusters);
        let common = average_variance(clusters)?;
        let mean_variance =
            clusters.iter().map(|c| common / c.units()).sum::<f64>() / count / count;
        let all = spread.weighted_tau2();
        let most = [(spread.sd_hi.powi(2), 1.0)];
        let joint = 0.5 + 0.5 * level.powf(1.0 / count);
        let null = NullLaws::new(clusters, mean)?;
        let robust = RobustFactors::new(level);
        let one = |cluster: &Cluster| {
            let (start, raw) = (cluster.start, cluster.mean());
            let own = OwnVariance::new(cluster, common, unbalanced.is_some());
            let is_known = cluster.units() >= 2.0 || spread.sd_hi.is_infinite();
            let tau2 = if is_known { &all[..] } else { &most };
            let shrunk = ShrunkScore::new(raw - mean, own.variance, tau2, mean_variance);
            let (value, sd) = (mean + shrunk.distance, shrunk.variance.sqrt());
            let p_above_mean = normal_cdf(shrunk.distance / sd.max(1e-12));
            let within = |margin: f64| {
                let width = margin / elo_per_score(mean);
                let below = |end: f64| normal_cdf((end - shrunk.distance) / sd.max(1e-12));
                below(width) - below(-width)
            };
            let [elo_lo, elo_hi] = elo_ends(value, robust.half_width(&shrunk, own.freedom));
            let [own_elo_lo, own_elo_hi] = elo_ends(raw, own.half_width(0.5 + 0.5 * level));
            let [simultaneous_elo_lo, simultaneous_elo_hi] =
                elo_ends(raw, own.joint_half_width(joint));
            PositionReport {
                start,
                raw: Some(raw),
                variance: Some(own.variance).filter(|variance| variance.is_finite()),
                shrunk: Some(value),
                shrunk_sd: Some(sd),
                reliability: Some(shrunk.reliability),
                elo: finite(elo_from_score(value)),
                elo_lo,
                elo_hi,
                own_elo_lo,
                own_elo_hi,
                simultaneous_elo_lo,
                simultaneous_elo_hi,
                p_above_mean: Some(p_above_mean),
                lfsr: Some(p_above_mean.min(1.0 - p_above_mean)),
                p_value: Some(null.p_value(cluster).max(own.p_value(cluster, mean))),
                p_equivalent: options.equivalence.map(within),
                ..PositionReport::default()
            }
        };
        let mut positions: Vec<PositionReport> = clusters.iter().map(one).collect();
        judge(&mut positions, mean);
        Some(Self {
            positions,
            mean,
            unbalanced,
        })
    }

    /// Elo within which all positions lie around the mean, together with the level's probability; `None` where an end
    /// is open.
    pub fn farthest_elo(&self) -> Option<f64> {
        let centre = elo_from_score(self.mean);
        let mut ends = self
            .positions
            .iter()
            .flat_map(|p| [p.simultaneous_elo_lo, p.simultaneous_elo_hi]);
        ends.try_fold(0.0, |farthest: f64, end| {
            Some(farthest.max((end? - centre).abs()))
        })
    }
}

/// Which positions may be named.
fn judge(positions: &mut [PositionReport], mean: f64) {
    let p_values: Vec<f64> = positions.iter().filter_map(|p| p.p_value).collect();
    for (position, share) in positions.iter_mut().zip(benjamini_hochberg(&p_values)) {
        position.svalue = Some(share);
        position.verdict = Some(match share <= NAMED_UP_TO {
            false => RankVerdict::NotDistinguishable,
            true if position.raw > Some(mean) => RankVerdict::AboveAverage,
            true => RankVerdict::BelowAverage,
        });
    }
}

fn unbalanced(clusters: &[Cluster]) -> Option<[u32; 2]> {
    let units = clusters.iter().map(|cluster| cluster.units() as u32);
    let (fewest, most) = (units.clone().min()?, units.max()?);
    (f64::from(most) > BALANCED * f64::from(fewest)).then_some([fewest, most])
}

/// The variance of a unit, each position alike.
pub(crate) fn average_variance(clusters: &[Cluster]) -> Option<f64> {
    let own = clusters
        .iter()
        .filter_map(|c| Some(c.variance()? * c.units()));
    let own: Vec<f64> = own.collect();
    let average = own.iter().sum::<f64>() / own.len() as f64;
    (average > 0.0).then_some(average)
}

fn elo_ends(score: f64, half: f64) -> [Option<f64>; 2] {
    [score - half, score + half].map(|end| finite(elo_from_score(end)))
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// A position's variance by its own units, drawn towards the average.
struct OwnVariance {
    variance: f64,
    freedom: f64,
    /// Its own alone, where numbers of pairs differ.
    alone: Option<(f64, f64)>,
}

impl OwnVariance {
    fn new(cluster: &Cluster, common: f64, unbalanced: bool) -> Self {
        let units = cluster.units();
        let own = cluster.variance();
        let scatter = own.map_or(0.0, |own| own * units * (units - 1.0));
        let freedom = PRIOR_UNITS + units - 1.0;
        let alone = own.map_or((f64::INFINITY, 1.0), |own| (own, units - 1.0));
        Self {
            variance: (PRIOR_UNITS * common + scatter) / freedom / units,
            freedom,
            alone: unbalanced.then_some(alone),
        }
    }

    fn half_width(&self, probability: f64) -> f64 {
        let factor = student_quantile(probability, self.freedom).unwrap_or(f64::INFINITY);
        factor * self.variance.sqrt()
    }

    /// Together with all others: far out in the tail a variance that is too small does not help.
    fn joint_half_width(&self, probability: f64) -> f64 {
        let alone = self.alone.map_or(0.0, |(variance, freedom)| {
            student_quantile(probability, freedom).unwrap_or(f64::INFINITY) * variance.sqrt()
        });
        self.half_width(probability).max(alone)
    }

    fn p_value(&self, cluster: &Cluster, mean: f64) -> f64 {
        let Some((variance, freedom)) = self.alone else {
            return 0.0;
        };
        let beyond = (cluster.mean() - mean).abs() - MARGIN_ELO / elo_per_score(mean);
        if variance > 0.0 && variance.is_finite() {
            (2.0 * student_cdf(-beyond / variance.sqrt(), freedom)).min(1.0)
        } else {
            1.0
        }
    }
}

/// A score drawn towards the mean (empirical Bayes).
struct ShrunkScore {
    /// From the mean.
    distance: f64,
    variance: f64,
    /// The part of the variance that the mean of all brings.
    of_mean: f64,
    /// Share that is the position's own.
    reliability: f64,
}

impl ShrunkScore {
    /// Over values of τ² with their weights.
    fn new(raw: f64, variance: f64, spread: &[(f64, f64)], mean_variance: f64) -> Self {
        let (mut mean, mut square, mut of_mean, mut reliability) = (0.0, 0.0, 0.0, 0.0);
        for (tau2, weight) in spread {
            let own = tau2 / (tau2 + variance);
            let value = own * raw;
            mean += weight * value;
            square += weight * (value * value + own * variance);
            of_mean += weight * (1.0 - own).powi(2) * mean_variance;
            reliability += weight * own;
        }
        Self {
            distance: mean,
            variance: (square - mean * mean).max(0.0) + of_mean,
            of_mean,
            reliability,
        }
    }
}

/// Factors between the standard deviation of a shrunken score and half of an interval, for any law of true scores.
struct RobustFactors {
    level: f64,
    /// At noise over spread e^(k/2), from k = `LOWEST_RATIO_POWER` on.
    factors: Vec<f64>,
}

/// Powers of √e of the noise's variance over that of true scores.
const LOWEST_RATIO_POWER: i32 = -8;
const HIGHEST_RATIO_POWER: i32 = 16;

impl RobustFactors {
    fn new(level: f64) -> Self {
        let factor = |power: i32| {
            let ratio = (0.5 * f64::from(power)).exp();
            critical_value(ratio, level) / (1.0 + ratio).sqrt()
        };
        let factors = (LOWEST_RATIO_POWER..=HIGHEST_RATIO_POWER)
            .map(factor)
            .collect();
        Self { level, factors }
    }

    /// The variance of few units is known with this freedom only.
    fn half_width(&self, shrunk: &ShrunkScore, freedom: f64) -> f64 {
        let probability = 0.5 + 0.5 * self.level;
        let normal = normal_quantile(probability);
        let student = student_quantile(probability, freedom).unwrap_or(f64::INFINITY);
        let ratio = (1.0 - shrunk.reliability) / shrunk.reliability;
        let at = (2.0 * ratio.ln() - f64::from(LOWEST_RATIO_POWER))
            .clamp(0.0, f64::from(HIGHEST_RATIO_POWER - LOWEST_RATIO_POWER));
        let (place, part) = (at as usize, at.fract());
        let next = self.factors[(place + 1).min(self.factors.len() - 1)];
        let factor = (self.factors[place] * (1.0 - part) + next * part) * student / normal;
        let own = (shrunk.variance - shrunk.of_mean) * factor * factor;
        (own + shrunk.of_mean * normal * normal).sqrt()
    }
}

/// The distance that a normal value with variance 1 around a bias exceeds with probability 1 − `level` at most, whatever
/// the law of the bias is, if its mean square is `square`. The worst law has two points, one of them 0.
fn critical_value(square: f64, level: f64) -> f64 {
    const BIASES: i32 = 80;
    let exceeded = |distance: f64| {
        let unbiased = 2.0 * normal_cdf(-distance);
        let with_bias = |step: i32| {
            let bias = square.sqrt() + f64::from(step) / f64::from(BIASES) * (distance + 3.0);
            let biased = normal_cdf(-bias - distance) + normal_cdf(bias - distance);
            unbiased + square / (bias * bias) * (biased - unbiased)
        };
        (0..=BIASES).map(with_bias).fold(unbiased, f64::max)
    };
    let far = 10.0 * (1.0 + square).sqrt();
    let is_below = |distance: f64| exceeded(distance) > 1.0 - level;
    bisect((0.0, far), |_, _| 1e-6, is_below)
}

/// The share of false ones among those at least as clear, at most (Benjamini and Hochberg 1995).
fn benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*b].total_cmp(&p_values[*a]));
    let count = p_values.len() as f64;
    let mut shares = vec![1.0; p_values.len()];
    let mut smallest = 1.0_f64;
    for (place, index) in order.into_iter().enumerate() {
        smallest = smallest.min(p_values[index] * count / (count - place as f64));
        shares[index] = smallest;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::SplitMix;

    /// The value that the authors' package `ebci` prints.
    #[test]
    fn the_critical_value_is_the_published_one() {
        assert!((critical_value(4.0, 0.95) - 7.216).abs() < 2e-3);
        assert!((critical_value(1e-12, 0.95) - 1.96).abs() < 1e-3);
    }

    #[test]
    fn shares_are_those_of_the_published_example() {
        let shares = benjamini_hochberg(&[0.01, 0.02, 0.03, 0.5]);
        for (share, expected) in shares.iter().zip([0.04, 0.04, 0.04, 0.5]) {
            assert!((share - expected).abs() < 1e-12);
        }
    }

    fn cluster(start: u32, pairs: [u32; 5]) -> Cluster {
        Cluster {
            start,
            pairs,
            ..Cluster::default()
        }
    }

    /// Six drawish positions with a hundred pairs each, the others with two: nothing differs.
    #[test]
    fn four_games_name_no_position_beside_a_hundred() {
        let mut clusters: Vec<Cluster> = (0..114)
            .map(|p| match p % 8 {
                0 => cluster(p, [0, 0, 0, 0, 2]),
                1 => cluster(p, [2, 0, 0, 0, 0]),
                _ => cluster(p, [0, 1, 0, 1, 0]),
            })
            .collect();
        clusters.extend((114..120).map(|p| cluster(p, [1, 4, 90, 4, 1])));
        let spread = Spread::new(&clusters, 0.95).expect("enough pairs");
        let known = KnownPositions::new(&clusters, &spread, &AdvantageOptions::default())
            .expect("it varies");
        assert_eq!(known.unbalanced, Some([2, 100]));
        assert!(known.positions.iter().all(|p| p.svalue > Some(NAMED_UP_TO)));
    }

    #[test]
    fn a_position_far_out_is_named_and_drawn_in() {
        let mut clusters: Vec<Cluster> = (0..60).map(|p| cluster(p, [2, 5, 6, 5, 2])).collect();
        clusters.push(cluster(60, [0, 0, 0, 4, 16]));
        let spread = Spread::new(&clusters, 0.95).expect("enough pairs");
        let known = KnownPositions::new(&clusters, &spread, &AdvantageOptions::default())
            .expect("it varies");
        let last = known.positions.last().expect("one");
        assert!(last.svalue < Some(1e-6));
        assert!(last.shrunk < last.raw && last.shrunk > Some(known.mean));
        assert!(last.simultaneous_elo_lo < last.own_elo_lo);
        assert!(known.positions[..60].iter().all(|p| p.svalue > Some(0.5)));
    }

    /// The largest deviation of sixty positions from their mean, each over its own error: its quantile by drawing is
    /// the factor by calculation, because positions share no game.
    #[test]
    fn the_joint_factor_is_the_quantile_of_the_largest_deviation() {
        const POSITIONS: usize = 60;
        let mut random = SplitMix::new(5);
        let errors: Vec<f64> = (0..POSITIONS).map(|p| 1.0 + (p % 7) as f64).collect();
        let largest = |_| {
            let drawn: Vec<f64> = errors.iter().map(|error| error * random.normal()).collect();
            let mean = drawn.iter().sum::<f64>() / POSITIONS as f64;
            let away = drawn
                .iter()
                .zip(&errors)
                .map(|(d, e)| ((d - mean) / e).abs());
            away.fold(0.0, f64::max)
        };
        let mut largest: Vec<f64> = (0..20_000).map(largest).collect();
        largest.sort_by(f64::total_cmp);
        let factor = normal_quantile(0.5 + 0.5 * 0.95_f64.powf(1.0 / POSITIONS as f64));
        assert!(
            (largest[19_000] / factor - 1.0).abs() < 0.03,
            "{} {factor}",
            largest[19_000]
        );
    }
}
