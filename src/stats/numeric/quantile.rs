//! Distribution functions and quantiles of the laws that intervals and plans need.

use statrs::distribution::{ContinuousCDF, FisherSnedecor, StudentsT};
use statrs::function::erf::{erfc, erfc_inv};
use std::f64::consts::SQRT_2;

use super::root::find_root;

/// Degrees of freedom beyond which the library's Student law loses time and digits.
const MANY_DEGREES: f64 = 1e4;
/// Degrees of freedom beyond which Fisher's law does not change in seven digits.
const MOST_DEGREES: f64 = 1e8;

/// Φ(z), the distribution function of the standard normal law; relative error below
/// 1e-9, which is that of the library's erfc.
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * erfc(-z / SQRT_2)
}

/// Φ⁻¹(p), the quantile of the standard normal law; infinite at 0 and 1.
pub fn normal_quantile(p: f64) -> f64 {
    -SQRT_2 * erfc_inv(2.0 * p.clamp(0.0, 1.0))
}

/// ln Φ(z), also where Φ(z) itself is too small for a double.
pub fn ln_normal_cdf(z: f64) -> f64 {
    if z > -30.0 {
        return normal_cdf(z).ln();
    }
    // Asymptotic series of Mills' ratio; the next term is below 1e-11 here.
    let s = 1.0 / (z * z);
    let series = 1.0 - s * (1.0 - 3.0 * s * (1.0 - 5.0 * s * (1.0 - 7.0 * s)));
    -0.5 * z * z - (-z * (2.0 * std::f64::consts::PI).sqrt()).ln() + series.ln()
}

/// The factor z of a two-sided interval at `level`: 1.959964 at 0.95.
pub fn two_sided_factor(level: f64) -> f64 {
    normal_quantile(0.5 + 0.5 * level)
}

/// Quantile of Student's t with `freedom` degrees; `None` below one degree.
pub fn student_quantile(p: f64, freedom: f64) -> Option<f64> {
    if freedom < 1.0 || !(0.0..=1.0).contains(&p) {
        return None;
    }
    if freedom > MANY_DEGREES {
        return Some(expanded_student_quantile(normal_quantile(p), freedom));
    }
    let law = StudentsT::new(0.0, 1.0, freedom).ok()?;
    Some(polish(|x| law.cdf(x), p, law.inverse_cdf(p)))
}

/// Fisher's expansion of t in powers of 1/ν; the next term is below 1e-11 beyond
/// [`MANY_DEGREES`].
fn expanded_student_quantile(z: f64, freedom: f64) -> f64 {
    let square = z * z;
    let first = z * (square + 1.0) / 4.0;
    let second = z * (5.0 * square * square + 16.0 * square + 3.0) / 96.0;
    z + (first + second / freedom) / freedom
}

/// Quantile of Fisher's F; `None` unless both degrees are positive and 0 < p < 1.
pub fn fisher_quantile(p: f64, numerator: f64, denominator: f64) -> Option<f64> {
    if !(p > 0.0 && p < 1.0) {
        return None;
    }
    let law =
        FisherSnedecor::new(numerator.min(MOST_DEGREES), denominator.min(MOST_DEGREES)).ok()?;
    let mut high = 1.0;
    while law.cdf(high) < p {
        high *= 2.0;
        if !f64::is_finite(high) {
            return None;
        }
    }
    find_root(|x| law.cdf(x) - p, 0.0, high, 0.0)
}

/// Sharpens a library quantile whose own stopping rule is coarser than a double.
fn polish(cdf: impl Fn(f64) -> f64, p: f64, rough: f64) -> f64 {
    if !rough.is_finite() {
        return rough;
    }
    let margin = 1e-4 * rough.abs() + 1e-8;
    find_root(|x| cdf(x) - p, rough - margin, rough + margin, 0.0).unwrap_or(rough)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_printed_tables() {
        assert!((two_sided_factor(0.95) - 1.959963984540054).abs() < 1e-14);
        assert!((student_quantile(0.975, 10.0).unwrap() - 2.228138851964939).abs() < 1e-10);
        assert!((fisher_quantile(0.95, 5.0, 10.0).unwrap() - 3.325834530413011).abs() < 1e-10);
        assert_eq!(student_quantile(0.975, 0.0), None);
        let (below, above) = (
            student_quantile(0.975, 1e4),
            student_quantile(0.975, 1.0001e4),
        );
        assert!((below.unwrap() - above.unwrap() - 2.4e-8).abs() < 1e-9);
    }

    #[test]
    fn the_logarithm_continues_where_the_law_underflows() {
        assert!((ln_normal_cdf(-29.999) - normal_cdf(-29.999).ln()).abs() < 1e-9);
        let (above, below) = (ln_normal_cdf(-29.999_999), ln_normal_cdf(-30.000_001));
        assert!((above - below - 30.0 * 2e-6).abs() < 1e-6);
        assert!((ln_normal_cdf(-40.0) + 804.608_442_013_754).abs() < 1e-9);
    }
}
