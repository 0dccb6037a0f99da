//! Do the results of one source, a machine that plays for an event, come from the same distribution as those
//! of all others? Strata, which are encounters of two engines here, may differ among themselves.

use crate::numeric::distributions::{chi_squared_tail, normal_cdf};

/// The pairs of one stratum, by how they ended for one of the two sides: lost, even, won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stratum {
    /// Pairs of the source that is looked at.
    pub own: [u64; 3],
    /// Pairs of all others.
    pub others: [u64; 3],
}

/// The p-value of "the source's pairs are distributed as the others' are, within each stratum": the
/// statistic of general association by Mantel and Haenszel, conditional on all margins (Landis, Heyman and
/// Koch, *Average partial association in three-way contingency tables*, 1978). `None` where nothing
/// could differ: no pairs of the one or of the others, or all pairs alike.
///
/// It is asymptotic: with fewer than about thirty pairs of the source it is of little use.
pub fn same_distribution(strata: impl IntoIterator<Item = Stratum>) -> Option<f64> {
    // Two of the three counts are enough; the third follows.
    let mut excess = [0.0; 2];
    let mut covariance = [[0.0; 2]; 2];
    for Stratum { own, others } in strata {
        let total = [0, 1, 2].map(|k| (own[k] + others[k]) as f64);
        let of_own: f64 = own.iter().sum::<u64>() as f64;
        let all: f64 = total.iter().sum();
        if all < 2.0 {
            continue;
        }
        let kept = [0, 2];
        let factor = of_own * (all - of_own) / (all * all * (all - 1.0));
        for (row, &k) in kept.iter().enumerate() {
            excess[row] += own[k] as f64 - of_own * total[k] / all;
            for (column, &l) in kept.iter().enumerate() {
                let same = if k == l { all } else { 0.0 };
                covariance[row][column] += factor * total[k] * (same - total[l]);
            }
        }
    }
    let [[a, b], [_, c]] = covariance;
    let determinant = a * c - b * b;
    if determinant > 1e-9 * a * c {
        let [x, y] = excess;
        let statistic = (c * x * x - 2.0 * b * x * y + a * y * y) / determinant;
        return Some(chi_squared_tail(2.0, statistic));
    }
    // Only two of the three endings occur.
    let (variance, excess) = if a > c {
        (a, excess[0])
    } else {
        (c, excess[1])
    };
    (variance > 0.0).then(|| 2.0 * normal_cdf(-excess.abs() / variance.sqrt()))
}

/// A stratum of which some are drawn, without regard to which of all are marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// How many are drawn.
    pub drawn: u64,
    /// How many of all are marked.
    pub marked: u64,
    /// How many there are.
    pub all: u64,
}

/// `P(X ≥ marked)` where X are the marked ones among those that are drawn, of all strata together: Fisher's exact
/// test, one side. 1 if that many cannot be avoided, 0 if they cannot be drawn.
pub fn at_least_by_chance(marked: u64, draws: impl IntoIterator<Item = Draw>) -> f64 {
    let none = Chances {
        fewest: 0,
        weights: vec![1.0],
    };
    let sum = draws.into_iter().map(|draw| draw.chances());
    let Chances { fewest, weights } = sum.reduce(|one, other| one.plus(&other)).unwrap_or(none);
    if marked <= fewest {
        return 1.0;
    }
    let rarer = weights.iter().skip((marked - fewest) as usize);
    rarer.sum::<f64>() / weights.iter().sum::<f64>()
}

/// How often each number occurs, up to a common factor: `weights[i]` is that of `fewest + i`.
struct Chances {
    fewest: u64,
    weights: Vec<f64>,
}

/// In a sum of strata, what occurs this much more rarely than the most frequent number is left out.
const RAREST: f64 = 1e-60;

impl Draw {
    fn chances(self) -> Chances {
        let Draw { drawn, marked, all } = self;
        let rest = all.saturating_sub(marked);
        let fewest = drawn.saturating_sub(rest);
        let most = drawn.min(marked);
        // The weights of k = fewest … most, each from the one before, around the largest so that none overflows.
        let ratio = |k: u64| {
            let up = (marked - k) as f64 * (drawn - k) as f64;
            up / ((k + 1) as f64 * (rest + k + 1 - drawn) as f64)
        };
        let mode = (fewest..most).find(|k| ratio(*k) <= 1.0).unwrap_or(most);
        let mut weights = vec![1.0; (most - fewest + 1) as usize];
        for k in mode..most {
            weights[(k + 1 - fewest) as usize] = weights[(k - fewest) as usize] * ratio(k);
        }
        for k in (fewest..mode).rev() {
            weights[(k - fewest) as usize] = weights[(k + 1 - fewest) as usize] / ratio(k);
        }
        Chances { fewest, weights }
    }
}

impl Chances {
    /// Of the sum of two independent numbers.
    fn plus(&self, other: &Chances) -> Chances {
        let mut weights = vec![0.0; self.weights.len() + other.weights.len() - 1];
        for (place, one) in self.weights.iter().enumerate() {
            let sums = weights[place..].iter_mut().zip(&other.weights);
            sums.for_each(|(sum, other)| *sum += one * other);
        }
        let largest = weights.iter().copied().fold(0.0, f64::max);
        let is_kept = |weight: &f64| *weight >= RAREST * largest;
        let first = weights.iter().position(is_kept).unwrap_or(0);
        let last = weights.iter().rposition(is_kept).unwrap_or(0);
        Chances {
            fewest: self.fewest + other.fewest + first as u64,
            weights: weights[first..=last]
                .iter()
                .map(|weight| weight / largest)
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By `numpy` from the published formula: two strata.
    #[test]
    fn the_statistic_is_that_of_the_formula() {
        let strata = [
            Stratum {
                own: [12, 20, 8],
                others: [30, 60, 40],
            },
            Stratum {
                own: [5, 9, 16],
                others: [20, 25, 15],
            },
        ];
        let p = same_distribution(strata).unwrap();
        assert!((p - 0.765866779663).abs() < 1e-9, "{p}");
        // One stratum: Pearson's statistic times (N - 1) / N.
        let p = same_distribution(strata.into_iter().take(1)).unwrap();
        assert!((p - 0.380122425887).abs() < 1e-9, "{p}");
    }

    #[test]
    fn where_nothing_could_differ_there_is_no_p() {
        let alike = Stratum {
            own: [0, 7, 0],
            others: [0, 90, 0],
        };
        assert_eq!(same_distribution([alike]), None);
        let alone = Stratum {
            own: [3, 4, 5],
            others: [0; 3],
        };
        assert_eq!(same_distribution([alone]), None);
        assert_eq!(same_distribution([]), None);
        // Two of three endings: the square of a normal variable.
        let two = Stratum {
            own: [10, 0, 0],
            others: [10, 0, 20],
        };
        let p = same_distribution([two]).unwrap();
        assert!(p < 0.001 && p > 1e-6, "{p}");
    }

    #[test]
    fn the_exact_tail_is_fishers() {
        let chance = |marked, drawn, marked_of_all, all| {
            let marked_of_all = Draw {
                drawn,
                marked: marked_of_all,
                all,
            };
            at_least_by_chance(marked, [marked_of_all])
        };
        // The lady who tastes tea: 4 of 4, and 3 or more.
        assert!((chance(4, 4, 4, 8) - 1.0 / 70.0).abs() < 1e-12);
        assert!((chance(3, 4, 4, 8) - 17.0 / 70.0).abs() < 1e-12);
        assert_eq!(chance(0, 4, 4, 8), 1.0);
        assert_eq!(chance(5, 4, 4, 8), 0.0);
        let many = chance(60, 10_000, 200, 1_000_000);
        assert!((0.0..1e-40).contains(&many), "{many}");
        let usual = chance(2_000, 10_000, 200_000, 1_000_000);
        assert!((usual - 0.5).abs() < 0.01, "{usual}");
    }

    #[test]
    fn the_exact_tail_of_strata_is_that_of_their_sum() {
        let tea = Draw {
            drawn: 4,
            marked: 4,
            all: 8,
        };
        // Two ladies who name all eight cups, or seven: 1, and 2 · 16, of 70 · 70.
        let chance = |marked, draws: &[Draw]| at_least_by_chance(marked, draws.iter().copied());
        assert!((chance(8, &[tea; 2]) - 1.0 / 4900.0).abs() < 1e-15);
        assert!((chance(7, &[tea; 2]) - 33.0 / 4900.0).abs() < 1e-15);
        assert_eq!(chance(9, &[tea; 2]), 0.0);
        // A stratum in which nothing could differ says nothing: that is what strata are for.
        let all = Draw {
            drawn: 500,
            marked: 900,
            all: 900,
        };
        let none = Draw { marked: 0, ..all };
        assert!((chance(504, &[tea, all, none]) - 1.0 / 70.0).abs() < 1e-12);
        assert_eq!(chance(500, &[all, none]), 1.0);
        assert_eq!((chance(0, &[]), chance(1, &[])), (1.0, 0.0));
        // What is left out is rarer than anything that is asked for.
        let large = Draw {
            drawn: 3_000,
            marked: 3_000,
            all: 9_000,
        };
        let usual = chance(10_000, &[large; 10]);
        assert!((usual - 0.5).abs() < 0.02, "{usual}");
    }
}
