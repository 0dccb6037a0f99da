//! Distribution functions and quantiles with the guards the statistics need: never NaN
//! for arguments that make sense, tails kept small instead of rounded to zero.

use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor, Gamma, StudentsT};
use statrs::function::erf::{erfc, erfc_inv};
use std::f64::consts::SQRT_2;

use super::root::find_root;

/// Degrees of freedom beyond which the library's Student law loses time and digits.
const MANY_DEGREES: f64 = 1e4;
/// Degrees of freedom beyond which Fisher's law does not change in seven digits.
const MOST_DEGREES: f64 = 1e8;

/// Φ(z), the distribution function of the standard normal law; relative error below 1e-9, the error of the library's
/// erfc.
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

/// `P(T < t)` for Student's t with `freedom` degrees; the normal law where they are infinite.
pub fn student_cdf(t: f64, freedom: f64) -> f64 {
    if freedom > MANY_DEGREES {
        return normal_cdf(t);
    }
    StudentsT::new(0.0, 1.0, freedom).map_or_else(|_| normal_cdf(t), |law| law.cdf(t))
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

/// The quantile of χ² with `freedom` > 0 degrees of freedom; 0 without any.
pub fn chi_squared_quantile(freedom: f64, probability: f64) -> f64 {
    ChiSquared::new(freedom).map_or(0.0, |law| law.inverse_cdf(probability.clamp(0.0, 1.0)))
}

/// `P(χ² > x)`; 1 without degrees of freedom.
pub fn chi_squared_tail(freedom: f64, x: f64) -> f64 {
    ChiSquared::new(freedom).map_or(1.0, |law| law.sf(x))
}

/// `P(F > x)` for Fisher–Snedecor's F.
pub fn fisher_tail(freedom1: f64, freedom2: f64, x: f64) -> f64 {
    FisherSnedecor::new(freedom1, freedom2).map_or(1.0, |law| law.sf(x))
}

/// `P(G > x)` for the gamma distribution with this mean and variance.
pub fn gamma_tail(mean: f64, variance: f64, x: f64) -> f64 {
    Gamma::new(mean * mean / variance, mean / variance).map_or(1.0, |law| law.sf(x))
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

    #[test]
    fn tails_agree_with_published_values() {
        assert!((normal_cdf(-1.959_963_984_540_054) - 0.025).abs() < 1e-11);
        assert!((normal_quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-12);
        assert!((student_quantile(0.975, 4.0).unwrap() - 2.776_445_105_198).abs() < 1e-9);
        assert!((chi_squared_quantile(10.0, 0.95) - 18.307_038_053_275).abs() < 1e-9);
        assert!((chi_squared_tail(1.0, 3.841_458_820_694) - 0.05).abs() < 1e-12);
        assert!((fisher_tail(5.0, 10.0, 3.325_834_530_413) - 0.05).abs() < 1e-10);
        assert!((gamma_tail(3.0, 6.0, 7.814_727_903_251) - 0.05).abs() < 1e-11);
    }

    #[test]
    fn far_tails_do_not_vanish() {
        let tail = normal_cdf(-20.0);
        assert!((tail / 2.753_624_118_606e-89 - 1.0).abs() < 1e-9, "{tail}");
    }

    /// Half a million pairs: the continued fractions must still converge.
    #[test]
    fn large_degrees_of_freedom_stay_accurate() {
        let (d1, d2) = (959.0, 505_920.0);
        for x in [0.9_f64, 1.0, 1.05, 1.15] {
            // Wilson and Hilferty's cube root, good to a few 1e-5 here.
            let (a, b) = (2.0 / (9.0 * d1), 2.0 / (9.0 * d2));
            let z = (x.cbrt() * (1.0 - b) - (1.0 - a)) / (b * x.cbrt().powi(2) + a).sqrt();
            assert!(
                (fisher_tail(d1, d2, x) - normal_cdf(-z)).abs() < 1e-4,
                "{x}"
            );
        }
        assert!((chi_squared_tail(921_599.0, 921_599.0) - 0.4999).abs() < 1e-3);
    }
}
