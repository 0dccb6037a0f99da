//! Do positions differ, and by how much at most?
//!
//! Two different pairs of one position have independent noise, so the mean product of their
//! residuals estimates the squared difference of that position from the mean whatever its own
//! variance and its number of pairs are: a generalised Q with unit weights and each position's
//! own variance taken off. Its cumulants where nothing differs are sums of products of squared
//! residuals of different pairs, exact for signs that are independent of them; a Pearson type
//! III law with these cumulants gives the test, and, with the terms that a true spread τ adds, the
//! interval of τ as in a Q-profile (Viechtbauer 2007; Jackson 2013). Only positions with two
//! units or more say anything of it, and τ is the standard deviation of just these.

use serde::Serialize;

use crate::numeric::distributions::{gamma_tail, normal_cdf};
use crate::numeric::root::bisect;

use super::cluster::Cluster;
use crate::{StatisticsError, refused};

/// Positions from which a spread is stated.
pub const FEWEST_POSITIONS: usize = 6;
/// Units beyond one a position, over all positions, from which a spread is stated.
const FEWEST_FREEDOM: f64 = 12.0;

/// How much positions differ, in score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Positions with two units or more.
    pub positions: usize,
    /// Unbiased estimate of the squared standard deviation; negative where chance has it so.
    pub variance: f64,
    /// Standard deviation of these positions' true scores; 0 where the variance is negative.
    pub sd: f64,
    /// Lower end of its interval.
    pub sd_lo: f64,
    /// Upper end: positions differ by at most this. Infinite where they differ less than chance alone has it in 1 of 40
    /// events, so that no spread explains the results.
    pub sd_hi: f64,
    /// That they do not differ at all.
    pub p_value: f64,
    /// Cochran's Q and its degrees of freedom, where every position has 20 units.
    pub q: Option<CochranQ>,
    #[serde(skip)]
    law: StatisticCumulants,
}

/// The classical test of homogeneity, each position with its own variance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CochranQ {
    /// Weighted sum of squares.
    #[serde(rename = "Q")]
    pub q: f64,
    /// Degrees of freedom.
    pub df: usize,
    /// Tail of χ². The report has its own `p_value` as well.
    #[serde(rename = "Q_p_value")]
    pub p_value: f64,
}

/// Positions that must make up the noise, or half of all.
const CARRIED_BY: f64 = 12.0;
/// Units from which on a position's own variance is a weight.
const FEWEST_FOR_Q: f64 = 20.0;

/// Cumulants of the statistic as functions of τ².
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct StatisticCumulants {
    second: f64,
    third: f64,
    /// What the part of within positions is of the residuals around the common mean.
    within: f64,
    /// What τ² adds to the second cumulant, and to the third.
    added: [f64; 2],
    /// Positions that would have the noise if all had it alike.
    carried_by: f64,
}

impl StatisticCumulants {
    /// `P(T > t)` if the squared standard deviation is `tau2`; `share` scales the noise.
    fn tail(&self, statistic: f64, tau2: f64, share: f64) -> f64 {
        let second = self.second * share.powi(2) + tau2 * self.added[0];
        let third = self.third * share.powi(3) + tau2 * self.added[1];
        pearson_tail((statistic - tau2) / second.sqrt(), third / second.powf(1.5))
    }
}

/// `P(Z > z)` of a Pearson type III law with mean 0, variance 1 and this skewness.
fn pearson_tail(z: f64, skewness: f64) -> f64 {
    if skewness.is_nan() || skewness < 0.01 {
        return normal_cdf(-z);
    }
    let shape = 4.0 / (skewness * skewness);
    let at = shape + z * shape.sqrt();
    if at <= 0.0 {
        return 1.0;
    }
    gamma_tail(shape, shape, at).clamp(0.0, 1.0)
}

impl Spread {
    /// Of clusters.
    ///
    /// # Errors
    /// Why the games do not show a spread.
    pub fn new(clusters: &[Cluster], level: f64) -> Result<Self, StatisticsError> {
        let used: Vec<&Cluster> = clusters.iter().filter(|c| c.units() >= 2.0).collect();
        if used.len() < FEWEST_POSITIONS {
            return refused(format!(
                "positions with two pairs or more: {}, {FEWEST_POSITIONS} are needed",
                used.len()
            ));
        }
        let freedom: f64 = used.iter().map(|c| c.units() - 1.0).sum();
        if freedom < FEWEST_FREEDOM {
            return refused("too few pairs beyond the first of each position");
        }
        let (statistic, law) = statistic(&used);
        if law.second <= 0.0 || law.within <= 0.0 {
            return refused(
                "no position has pairs with different results, so that no chance is seen",
            );
        }
        if law.carried_by < CARRIED_BY.min(0.5 * used.len() as f64) {
            return refused(
                "too few positions have pairs with different results, so that chance is hardly seen",
            );
        }
        let p_value = law.tail(statistic, 0.0, 1.0);
        let tail = 0.5 * (1.0 - level);
        let end = |target: f64| tau2_with_tail(&law, statistic, target).sqrt();
        let sd_lo = if p_value > tail { 0.0 } else { end(tail) };
        let is_empty = law.tail(statistic, 0.0, law.within) > 1.0 - tail;
        let sd_hi = if is_empty {
            f64::INFINITY
        } else {
            end(1.0 - tail).max(sd_lo)
        };
        Ok(Self {
            positions: used.len(),
            variance: statistic,
            sd: statistic.max(0.0).sqrt(),
            sd_lo,
            sd_hi,
            p_value,
            q: cochran(&used),
            law,
        })
    }

    /// Values of τ² with their posterior weights under a flat prior of τ ≥ 0.
    pub(super) fn weighted_tau2(&self) -> Vec<(f64, f64)> {
        const NODES: usize = 40;
        let top = if self.sd_hi.is_finite() {
            1.5 * self.sd_hi
        } else {
            0.0
        };
        let node = |k: usize| {
            let tau2 = (top * (k as f64 + 0.5) / NODES as f64).powi(2);
            let variance = self.law.second * self.law.within.powi(2) + tau2 * self.law.added[0];
            let distance = (self.variance - tau2).powi(2) / variance;
            (tau2, (-0.5 * distance).exp() / variance.sqrt())
        };
        let nodes: Vec<(f64, f64)> = (0..NODES).map(node).collect();
        let total: f64 = nodes.iter().map(|(_, weight)| weight).sum();
        let scaled = nodes.into_iter().map(|(tau2, w)| (tau2, w / total));
        scaled.collect()
    }
}

/// The τ² at which the statistic is exceeded with this probability.
fn tau2_with_tail(law: &StatisticCumulants, statistic: f64, target: f64) -> f64 {
    let is_below = |tau2: f64| law.tail(statistic, tau2, law.within) < target;
    if !is_below(0.0) {
        return 0.0;
    }
    let mut high = statistic.max(0.0) + law.second.sqrt();
    while is_below(high) && high < 1.0 {
        high *= 2.0;
    }
    bisect((0.0, high), |_, high| 1e-9 * high, is_below)
}

/// The statistic, centred at 0 where nothing differs, and its law.
fn statistic(used: &[&Cluster]) -> (f64, StatisticCumulants) {
    let count = used.len() as f64;
    let centre = used.iter().map(|c| c.mean()).sum::<f64>() / count;
    let mut sums = [0.0; 3];
    let (mut scatter, mut around, mut second, mut third) = (0.0, 0.0, 0.0, 0.0);
    let mut unit = 0.0;
    for cluster in used {
        let own = cluster.residuals(centre);
        let [e1, e2, e3] = own.powers;
        let variance = cluster.variance().unwrap_or(0.0);
        let power = [variance, variance.powi(2), variance.powi(3)];
        (0..3).for_each(|i| sums[i] += power[i]);
        scatter += (cluster.mean() - centre).powi(2);
        around += e1 / own.units / own.units;
        let products = own.units * (own.units - 1.0);
        // Sums over different pairs, and over three different ones.
        second += 2.0 * (e1 * e1 - e2) / products.powi(2);
        unit += variance * own.units;
        let triples = (e1 * e1 * e1 - 3.0 * e1 * e2 + 2.0 * e3).max(0.0);
        third += 8.0 * triples / products.powi(3) - 8.0 * power[2];
    }
    let [v1, v2, v3] = sums;
    let statistic = scatter / (count - 1.0) - v1 / count;
    let others = 2.0 * (v1 * v1 - v2) / (count * (count - 1.0)).powi(2);
    // tr((MV)³) of the matrix M of a sample variance.
    let mean = v1 / count;
    // Where nearly all games are drawn, few positions have two decided pairs: then the average variance of a pair tells
    // more about the noise than their products.
    let average = alike(used, unit / count);
    let (second, third) = (second.max(average[0]), third.max(average[1] - 8.0 * v3));
    let normal = v3 - 3.0 * v3 / count + 3.0 * v2 / count * mean - mean.powi(3);
    let law = StatisticCumulants {
        second: second / count.powi(2) + others,
        third: (third / count.powi(3) + 8.0 * normal / (count - 1.0).powi(3)).max(0.0),
        carried_by: v1 * v1 / v2,
        within: (v1 / around).min(1.0),
        added: [
            4.0 * mean / (count - 1.0),
            24.0 * v2 / count / (count - 1.0).powi(2),
        ],
    };
    (statistic, law)
}

/// The sums over pairs and triples of units if all had the same variance.
fn alike(used: &[&Cluster], variance: f64) -> [f64; 2] {
    let (mut pairs, mut triples) = (0.0, 0.0);
    for units in used.iter().map(|cluster| cluster.units()) {
        let products = units * (units - 1.0);
        pairs += 1.0 / products;
        triples += (units - 2.0) / products.powi(2);
    }
    [
        2.0 * variance.powi(2) * pairs,
        8.0 * variance.powi(3) * triples,
    ]
}

fn cochran(used: &[&Cluster]) -> Option<CochranQ> {
    let is_known = |c: &&&Cluster| c.units() >= FEWEST_FOR_Q && c.variance() > Some(0.0);
    if used.iter().filter(is_known).count() < used.len() {
        return None;
    }
    let values: Vec<(f64, f64)> = used
        .iter()
        .map(|c| (c.mean(), 1.0 / c.variance().unwrap_or(1.0)))
        .collect();
    let weights: f64 = values.iter().map(|(_, w)| w).sum();
    let centre = values.iter().map(|(m, w)| m * w).sum::<f64>() / weights;
    let q = values.iter().map(|(m, w)| w * (m - centre).powi(2)).sum();
    let df = used.len() - 1;
    let p_value = crate::numeric::distributions::chi_squared_tail(df as f64, q);
    Some(CochranQ { q, df, p_value })
}

/// That no group differs from its centre: `P` of a sum over groups as the one of [`Spread`], each
/// with the weight that its number of units has in an analysis of variance. Of centre and results
/// of each group; `None` with too few units.
pub fn differs_p_value<'a>(groups: impl Iterator<Item = (f64, &'a Cluster)>) -> Option<f64> {
    let (mut statistic, mut second, mut third) = (0.0, 0.0, 0.0);
    let (mut count, mut freedom) = (0, 0.0);
    for (centre, cluster) in groups.filter(|(_, cluster)| cluster.units() >= 2.0) {
        let own = cluster.residuals(centre);
        let [e1, e2, e3] = own.powers;
        let weight = 1.0 / (own.units - 1.0);
        statistic += weight * (own.sum * own.sum - e1);
        second += 2.0 * weight.powi(2) * (e1 * e1 - e2);
        third += 8.0 * weight.powi(3) * (e1 * e1 * e1 - 3.0 * e1 * e2 + 2.0 * e3).max(0.0);
        count += 1;
        freedom += own.units - 1.0;
    }
    let enough = count >= FEWEST_POSITIONS && freedom >= FEWEST_FREEDOM && second > 1e-15;
    enough.then(|| pearson_tail(statistic / second.sqrt(), third / second.powf(1.5)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::SplitMix;

    /// Pairs of a position where both colours score alike, drawn with this share of level pairs.
    fn drawn(start: u32, pairs: u32, level: f64, shift: f64, random: &mut SplitMix) -> Cluster {
        let mut cluster = Cluster {
            start,
            ..Cluster::default()
        };
        for _ in 0..pairs {
            let kind = match random.uniform() {
                u if u < level => 2,
                u if u < level + (1.0 - level) * (0.5 + shift) => 3,
                _ => 1,
            };
            cluster.pairs[kind] += 1;
        }
        cluster
    }

    fn shares_below(events: u32, mut event: impl FnMut(&mut SplitMix) -> Vec<Cluster>) -> [u32; 3] {
        let mut random = SplitMix::new(27);
        let mut found = [0; 3];
        for _ in 0..events {
            let clusters = event(&mut random);
            let spread = Spread::new(&clusters, 0.95).expect("enough pairs");
            found[0] += u32::from(spread.p_value < 0.05);
            found[1] += u32::from(spread.sd_lo > 0.0);
            let known = differs_p_value(clusters.iter().map(|c| (0.5, c)));
            found[2] += u32::from(known.is_some_and(|p| p < 0.05));
        }
        found
    }

    /// Nothing differs but drawishness, which goes with the number of pairs: the case in which an
    /// analysis of variance rejects always.
    #[test]
    fn a_few_drawish_positions_with_most_games_are_no_difference() {
        let [rejected, above, interaction] = shares_below(400, |random| {
            let of = |p: u32| match p {
                0..6 => (100, 0.9),
                _ => (2, 0.3),
            };
            (0..120)
                .map(|p| drawn(p, of(p).0, of(p).1, 0.0, random))
                .collect()
        });
        // 20 are expected of 5 %; beyond 36 chance has no part in it (p < 0.001).
        assert!(rejected <= 36 && above <= 24, "{rejected} {above}");
        assert!(interaction <= 36, "{interaction}");
    }

    #[test]
    fn nearly_all_drawn_keeps_its_size_and_finds_what_there_is() {
        let [rejected, ..] = shares_below(400, |random| {
            (0..240).map(|p| drawn(p, 4, 0.94, 0.0, random)).collect()
        });
        assert!(rejected <= 36, "{rejected}");
        let [found, ..] = shares_below(40, |random| {
            let shift = |p: u32| if p.is_multiple_of(2) { 0.25 } else { -0.25 };
            (0..240)
                .map(|p| drawn(p, 8, 0.4, shift(p), random))
                .collect()
        });
        assert!(found >= 36, "{found}");
    }

    #[test]
    fn the_interval_holds_the_spread_of_these_positions() {
        let mut random = SplitMix::new(9);
        let mut inside = 0;
        for _ in 0..300 {
            let shifts: Vec<f64> = (0..60).map(|_| 0.12 * random.normal()).collect();
            let clusters: Vec<Cluster> = (0..60)
                .map(|p| {
                    let pairs = if p < 10 { 60 } else { 6 };
                    drawn(p, pairs, 0.3, shifts[p as usize], &mut random)
                })
                .collect();
            // A step of a quarter point either way in 70 % of the pairs.
            let truth: Vec<f64> = shifts.iter().map(|shift| 0.7 * 0.5 * shift).collect();
            let mean = truth.iter().sum::<f64>() / 60.0;
            let sd = (truth.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / 59.0).sqrt();
            let spread = Spread::new(&clusters, 0.95).expect("enough pairs");
            inside += u32::from(spread.sd_lo <= sd && sd <= spread.sd_hi);
        }
        // 285 of 300 are promised; 272 is three errors below.
        assert!(inside >= 272, "{inside}");
    }

    #[test]
    fn too_little_says_nothing() {
        let few = vec![Cluster::default(); 3];
        assert_eq!(
            Spread::new(&few, 0.95),
            refused("positions with two pairs or more: 0, 6 are needed")
        );
        let level = Cluster {
            pairs: [0, 0, 4, 0, 0],
            ..Cluster::default()
        };
        assert_eq!(
            Spread::new(&vec![level; 9], 0.95),
            refused("no position has pairs with different results, so that no chance is seen")
        );
    }
}
