//! How precisely an experiment measures the mean advantage over its positions, and how well two
//! maps of the advantage can be compared.

use serde::Serialize;

use crate::numeric::distributions::{normal_quantile, two_sided_factor};

use super::precision::{PositionPlan, PrecisionError};

const LEVEL: f64 = 0.95;
const POWER: f64 = 0.80;

/// What a plan can show about the mean advantage.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeanSummary {
    /// Half width of the 95 % interval for just these positions, Elo.
    pub halfwidth_these: f64,
    /// The same for positions like these.
    pub halfwidth_all: f64,
    /// Smallest mean advantage that is found with 80 % power, over just these positions.
    pub detectable_these: f64,
}

/// What a comparison of two maps, each of the same plan, can show.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MapsSummary {
    /// Half width of the 95 % interval of the difference of the means, over just these starts.
    pub difference_halfwidth: f64,
    /// Smallest difference of the means that is found with 80 % power.
    pub difference_detectable: f64,
    /// Share of a map's variance that is the starts' own.
    pub reliability: f64,
    /// Smallest true correlation of the maps that is found with 80 % power; `None` if no
    /// correlation up to 1 is.
    pub correlation_detectable: Option<f64>,
    /// Half width of the 95 % interval of a true correlation of 0, noise taken off; `None` where
    /// it is wider than all there is.
    pub correlation_halfwidth: Option<f64>,
}

impl PositionPlan {
    /// What the plan can show about the mean.
    ///
    /// # Errors
    /// Numbers that are not possible.
    pub fn mean(&self) -> Result<MeanSummary, PrecisionError> {
        let these = self.mean_error(false)?;
        let factor = two_sided_factor(LEVEL);
        Ok(MeanSummary {
            halfwidth_these: factor * these,
            halfwidth_all: factor * self.mean_error(true)?,
            detectable_these: (factor + normal_quantile(POWER)) * these,
        })
    }

    /// Pairs per position for a 95 % interval of the mean of ± `halfwidth` Elo: for just these
    /// positions, or, with `all`, for positions like these. `None` where their spread alone makes
    /// the interval wider, whatever is played.
    ///
    /// # Errors
    /// Numbers that are not possible.
    pub fn pairs_for_mean(&self, halfwidth: f64, all: bool) -> Result<Option<f64>, PrecisionError> {
        let one = Self {
            pairs: 1.0,
            ..*self
        };
        let noise = one.mean_error(false)?.powi(2);
        let spread = if all { self.tau_elo.powi(2) } else { 0.0 } / self.positions as f64;
        let room = (halfwidth / two_sided_factor(LEVEL)).powi(2) - spread;
        Ok((room > 0.0).then(|| noise / room))
    }

    /// Standard error of the mean in Elo.
    fn mean_error(&self, all: bool) -> Result<f64, PrecisionError> {
        let noise = self.standard_error_elo()?.powi(2);
        let spread = if all { self.tau_elo.powi(2) } else { 0.0 };
        Ok(((noise + spread) / self.positions as f64).sqrt())
    }

    /// What a comparison of two maps of this plan, by two engines or at two limits, can show.
    ///
    /// # Errors
    /// Numbers that are not possible.
    pub fn two_maps(&self) -> Result<MapsSummary, PrecisionError> {
        let error = std::f64::consts::SQRT_2 * self.mean_error(false)?;
        let factor = two_sided_factor(LEVEL);
        let reliability = self.reliability()?;
        // Noise draws the observed correlation towards 0 by the reliability; Fisher's z.
        let freedom = self.positions as f64 - 3.0;
        let raw = |z: f64| (freedom > 0.0).then(|| (z / freedom.sqrt()).tanh());
        let true_one = |raw: f64| Some(raw / reliability).filter(|rho| *rho <= 1.0);
        Ok(MapsSummary {
            difference_halfwidth: factor * error,
            difference_detectable: (factor + normal_quantile(POWER)) * error,
            reliability,
            correlation_detectable: raw(factor + normal_quantile(POWER)).and_then(true_one),
            correlation_halfwidth: raw(factor).and_then(true_one),
        })
    }

    /// Pairs per position of each map for an interval of the difference of the means of
    /// ± `halfwidth` Elo, over just these starts.
    ///
    /// # Errors
    /// Numbers that are not possible.
    pub fn pairs_for_difference(&self, halfwidth: f64) -> Result<f64, PrecisionError> {
        let mean = self.pairs_for_mean(halfwidth / std::f64::consts::SQRT_2, false)?;
        Ok(mean.unwrap_or(f64::INFINITY))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_needs_far_fewer_pairs_than_a_position() {
        let plan = PositionPlan::new(0.29, 4.0, 960, 15.0);
        let mean = plan.mean().expect("possible");
        let position = plan.halfwidth_elo().expect("possible");
        assert!((mean.halfwidth_these * 960.0_f64.sqrt() - position).abs() < 1e-9);
        assert!((mean.halfwidth_these - 6.5).abs() < 0.2, "{mean:?}");
        assert!(mean.halfwidth_all > mean.halfwidth_these);
        let pairs = plan
            .pairs_for_mean(mean.halfwidth_all, true)
            .expect("possible");
        assert!(pairs.is_some_and(|pairs| (pairs - 4.0).abs() < 1e-9));
        // Positions that differ by 15 Elo never tell the mean of all to ± 0.9 Elo.
        assert_eq!(plan.pairs_for_mean(0.9, true), Ok(None));
    }

    #[test]
    fn maps_of_noise_show_no_correlation() {
        let noisy = PositionPlan::new(0.5, 2.0, 960, 5.0)
            .two_maps()
            .expect("possible");
        assert_eq!(noisy.correlation_detectable, None);
        let clear = PositionPlan::new(0.5, 100.0, 960, 40.0)
            .two_maps()
            .expect("possible");
        assert!(clear.correlation_detectable.is_some_and(|rho| rho < 0.15));
        let pairs = PositionPlan::new(0.5, 100.0, 960, 40.0)
            .pairs_for_difference(clear.difference_halfwidth);
        assert!((pairs.expect("possible") - 100.0).abs() < 1e-6);
    }
}
