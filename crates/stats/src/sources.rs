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

/// `P(X ≥ marked)` where `drawn` of `all` are drawn without regard to the `marked_of_all` marked ones: Fisher's
/// exact test, one side. 1 if that many cannot be avoided, 0 if they cannot be drawn.
pub fn at_least_by_chance(marked: u64, drawn: u64, marked_of_all: u64, all: u64) -> f64 {
    let rest = all.saturating_sub(marked_of_all);
    let fewest = drawn.saturating_sub(rest);
    let most = drawn.min(marked_of_all);
    if marked <= fewest {
        return 1.0;
    }
    if marked > most {
        return 0.0;
    }
    // The weights of k = fewest … most, each from the one before, around the largest so that none overflows.
    let ratio = |k: u64| {
        let up = (marked_of_all - k) as f64 * (drawn - k) as f64;
        up / ((k + 1) as f64 * (rest + k + 1 - drawn) as f64)
    };
    let mode = (fewest..most).find(|k| ratio(*k) <= 1.0).unwrap_or(most);
    let (mut total, mut tail) = (0.0, 0.0);
    let mut count = |k: u64, weight: f64| {
        total += weight;
        tail += if k >= marked { weight } else { 0.0 };
    };
    count(mode, 1.0);
    let mut weight = 1.0;
    for k in mode..most {
        weight *= ratio(k);
        count(k + 1, weight);
    }
    weight = 1.0;
    for k in (fewest..mode).rev() {
        weight /= ratio(k);
        count(k, weight);
    }
    tail / total
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
        // The lady who tastes tea: 4 of 4, and 3 or more.
        assert!((at_least_by_chance(4, 4, 4, 8) - 1.0 / 70.0).abs() < 1e-12);
        assert!((at_least_by_chance(3, 4, 4, 8) - 17.0 / 70.0).abs() < 1e-12);
        assert_eq!(at_least_by_chance(0, 4, 4, 8), 1.0);
        assert_eq!(at_least_by_chance(5, 4, 4, 8), 0.0);
        let many = at_least_by_chance(60, 10_000, 200, 1_000_000);
        assert!((0.0..1e-40).contains(&many), "{many}");
        let usual = at_least_by_chance(2_000, 10_000, 200_000, 1_000_000);
        assert!((usual - 0.5).abs() < 0.01, "{usual}");
    }
}
