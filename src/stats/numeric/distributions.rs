//! Distribution functions with the guards the statistics need: never NaN for
//! arguments that make sense, tails kept small instead of rounded to zero.

use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor, Gamma, Normal, StudentsT};

/// `P(Z ≤ z)` for a standard normal `Z`.
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * statrs::function::erf::erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
}

/// The standard normal quantile; infinite at 0 and 1.
pub fn normal_quantile(probability: f64) -> f64 {
    Normal::standard().inverse_cdf(probability.clamp(0.0, 1.0))
}

/// The quantile of Student's t; normal where `freedom` is not finite.
pub fn student_quantile(freedom: f64, probability: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(t) if freedom.is_finite() => t.inverse_cdf(probability.clamp(0.0, 1.0)),
        _ => normal_quantile(probability),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_agree_with_published_values() {
        assert!((normal_cdf(-1.959_963_984_540_054) - 0.025).abs() < 1e-11);
        assert!((normal_quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-12);
        assert!((student_quantile(4.0, 0.975) - 2.776_445_105_198).abs() < 1e-9);
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
