//! Which positions can be told apart: false-sign rates, s-values, ranks.

use crate::numeric::distributions::normal_cdf;

/// The s-value a position must not exceed to be named.
pub const NAMED_UP_TO: f64 = 0.05;

/// Stephens' s-values: each false-sign rate's running mean with all smaller
/// ones. Flagging all with s ≤ 0.05 gives at most 5 % wrong signs among them
/// on average. Equal rates have equal s-values: the mean that takes all of them in. Excluded
/// entries have none. (Stephens 2017, Biostatistics 18, 275–294.)
pub fn s_values(rates: &[f64], include: impl Fn(usize) -> bool) -> Vec<Option<f64>> {
    let mut order: Vec<usize> = (0..rates.len()).filter(|index| include(*index)).collect();
    order.sort_by(|a, b| rates[*a].total_cmp(&rates[*b]));
    let mut values = vec![None; rates.len()];
    let (mut sum, mut count) = (0.0, 0.0);
    for equal in order.chunk_by(|a, b| rates[*b] - rates[*a] < EQUAL) {
        for index in equal {
            sum += rates[*index];
            count += 1.0;
        }
        equal
            .iter()
            .for_each(|index| values[*index] = Some(sum / count));
    }
    values
}

/// False-sign rates closer than this differ by rounding.
const EQUAL: f64 = 1e-12;

/// `E rank_p = 1 + Σ_q P(α_q > α_p)` from normal means and variances, rank 1 for the
/// largest; `copies` positions have each of them. The time grows with the square of their
/// number: under the prior of scale mixtures ranks are counted in one pass instead.
pub fn expected_ranks(moments: &[(f64, f64)], copies: &[f64]) -> Vec<f64> {
    let mut ranks: Vec<f64> = copies.iter().map(|copies| 0.5 + 0.5 * copies).collect();
    for (p, &(mean, variance)) in moments.iter().enumerate() {
        for (q, &(other, other_variance)) in moments.iter().enumerate().take(p) {
            let sd = (variance + other_variance).sqrt();
            let above = if sd > 1e-12 {
                normal_cdf((other - mean) / sd)
            } else {
                0.5
            };
            ranks[p] += copies[q] * above;
            ranks[q] += copies[p] * (1.0 - above);
        }
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_values_are_running_means() {
        let values = s_values(&[0.3, 0.1, 0.02, 0.5], |index| index != 3);
        assert_eq!(values[3], None);
        let close =
            |value: Option<f64>, expected: f64| value.is_some_and(|v| (v - expected).abs() < 1e-15);
        assert!(close(values[2], 0.02) && close(values[1], 0.06) && close(values[0], 0.14));
    }

    #[test]
    fn equal_rates_have_equal_s_values_in_any_order() {
        let values = |rates: &[f64]| s_values(rates, |_| true).into_iter().flatten().collect();
        let (a, b): (Vec<f64>, Vec<f64>) =
            (values(&[0.04, 0.01, 0.04]), values(&[0.01, 0.04, 0.04]));
        assert_eq!((a[0], a[1]), (b[1], b[0]));
        assert!(a[0] == a[2] && (a[0] - 0.03).abs() < 1e-15);
    }

    #[test]
    fn expected_ranks_add_up_and_order() {
        let ranks = expected_ranks(&[(1.0, 0.01), (0.0, 0.01), (5.0, 0.0)], &[1.0, 1.0, 2.0]);
        assert!((ranks[0] + ranks[1] + 2.0 * ranks[2] - 10.0).abs() < 1e-12);
        assert!((ranks[2] - 1.5).abs() < 1e-9 && ranks[0] < ranks[1]);
    }
}
