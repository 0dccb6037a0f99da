//! How precisely a number of pairs measures White's advantage of each start position.
//!
//! Scores and Elo refer to one position; both games of a pair count for White.

use serde::{Deserialize, Serialize};

use crate::elo::elo_per_score;
use crate::numeric::distributions::{fisher_quantile, normal_quantile, two_sided_factor};
use crate::{StatisticsError, impossible, refused};

/// Chance of finding what is there, for the spread of all positions.
const POWER_OF_SPREAD: f64 = 0.90;
/// Chance of finding what is there, for one position among all, for a mean and for two maps.
const POWER_OF_ONE: f64 = 0.80;
/// Error rate of all.
const ALPHA: f64 = 0.05;

/// An experiment on the first-move advantage.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PositionPlan {
    /// Share of drawn games, in [0, 1).
    pub draw_ratio: f64,
    /// White's mean score, in (0, 1).
    pub white_score: f64,
    /// Pairs per position.
    pub pairs: f64,
    /// Number of positions.
    pub positions: u64,
    /// True standard deviation of the advantage over the positions, in Elo.
    pub tau_elo: f64,
    /// Dispersion of pairs against independent games; 1 if unknown.
    pub dispersion: f64,
}

/// What a plan achieves. Undefined parts (a spread to detect needs two positions and two
/// pairs) are `None`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PlanSummary {
    /// Standard deviation of White's score in one pair.
    pub sd_pair_score: f64,
    /// Half width of a position's 95 % interval in Elo.
    pub halfwidth_elo: f64,
    /// Pairs per position for ±20 Elo.
    pub pairs_for_20elo: f64,
    /// Share of the observed variance that is the positions'.
    pub reliability: f64,
    /// Pairs per position for a reliability of 0.8; `None` if the positions do not differ.
    pub pairs_for_reliability_0_8: Option<f64>,
    /// Smallest standard deviation over the positions that is found with 90 % power.
    pub mde_tau_elo: Option<f64>,
    /// Smallest difference of one position from the average found with 80 % power when
    /// all positions are looked at (Bonferroni).
    pub mde_one_vs_average_bonferroni: f64,
}

impl PositionPlan {
    /// A plan for equal chances and pairs of independent games.
    pub fn new(draw_ratio: f64, pairs: f64, positions: u64, tau_elo: f64) -> Self {
        Self {
            draw_ratio,
            white_score: 0.5,
            pairs,
            positions,
            tau_elo,
            dispersion: 1.0,
        }
    }

    /// Everything the plan achieves.
    pub fn summary(&self) -> Result<PlanSummary, StatisticsError> {
        Ok(PlanSummary {
            sd_pair_score: self.sd_pair_score()?,
            halfwidth_elo: self.halfwidth_elo()?,
            pairs_for_20elo: self.pairs_for_halfwidth(20.0)?,
            reliability: self.reliability()?,
            pairs_for_reliability_0_8: self.pairs_for_reliability(0.8)?,
            mde_tau_elo: self.detectable_tau_elo()?,
            mde_one_vs_average_bonferroni: self.detectable_difference_elo()?,
        })
    }

    /// Standard deviation of White's score in one pair:
    /// √([(1-D)/4 - (E-1/2)²]/2 · φ).
    pub fn sd_pair_score(&self) -> Result<f64, StatisticsError> {
        self.check()?;
        let game = (1.0 - self.draw_ratio) / 4.0 - (self.white_score - 0.5).powi(2);
        if game <= 0.0 {
            return refused("draws and White's score leave games without any variance");
        }
        Ok((0.5 * game * self.dispersion).sqrt())
    }

    /// Half width of a position's 95 % interval in Elo.
    pub fn halfwidth_elo(&self) -> Result<f64, StatisticsError> {
        Ok(two_sided_factor(1.0 - ALPHA) * self.standard_error_elo()?)
    }

    /// Pairs per position for a 95 % interval of ± `halfwidth` Elo.
    pub fn pairs_for_halfwidth(&self, halfwidth: f64) -> Result<f64, StatisticsError> {
        positive("half width", halfwidth)?;
        let one_pair = two_sided_factor(1.0 - ALPHA) * self.sd_pair_score()? * self.slope();
        Ok((one_pair / halfwidth).powi(2))
    }

    /// τ²/(τ² + sd²/n), the share of the observed variance that is the positions'.
    pub fn reliability(&self) -> Result<f64, StatisticsError> {
        let noise = self.standard_error_elo()?.powi(2);
        Ok(self.tau_elo * self.tau_elo / (self.tau_elo * self.tau_elo + noise))
    }

    /// Pairs per position for a reliability r in [0, 1): r/(1-r) (sd/τ)². `None` if the
    /// positions do not differ.
    pub fn pairs_for_reliability(&self, reliability: f64) -> Result<Option<f64>, StatisticsError> {
        if !(0.0..1.0).contains(&reliability) {
            return impossible("reliability", reliability);
        }
        let ratio = self.sd_pair_score()? * self.slope() / self.tau_elo;
        let pairs = reliability / (1.0 - reliability) * ratio * ratio;
        Ok((self.tau_elo > 0.0).then_some(pairs))
    }

    /// Smallest τ in Elo that the F test of the positions finds with 90 % power:
    /// sd √((F.95/F.10 - 1)/n), exact for normal pair scores.
    pub fn detectable_tau_elo(&self) -> Result<Option<f64>, StatisticsError> {
        let standard_error = self.standard_error_elo()?;
        let positions = self.positions as f64;
        let (between, within) = (positions - 1.0, positions * (self.pairs - 1.0));
        let quantile = |p| fisher_quantile(p, between, within);
        let ratio = quantile(1.0 - ALPHA).zip(quantile(1.0 - POWER_OF_SPREAD));
        Ok(ratio.map(|(critical, missed)| standard_error * (critical / missed - 1.0).sqrt()))
    }

    /// Smallest difference in Elo of one position from the average that is found with
    /// 80 % power by a two-sided test of all positions (Bonferroni): 4.89 sd/√n for 960.
    pub(crate) fn detectable_difference_elo(&self) -> Result<f64, StatisticsError> {
        let critical = -normal_quantile(0.5 * ALPHA / self.positions as f64);
        Ok((critical + normal_quantile(POWER_OF_ONE)) * self.standard_error_elo()?)
    }

    /// All games of the plan.
    pub fn games(&self) -> f64 {
        2.0 * self.pairs * self.positions as f64
    }

    fn slope(&self) -> f64 {
        elo_per_score(self.white_score)
    }

    /// Standard error of one position in Elo.
    pub(super) fn standard_error_elo(&self) -> Result<f64, StatisticsError> {
        Ok(self.sd_pair_score()? * self.slope() / self.pairs.sqrt())
    }

    fn check(&self) -> Result<(), StatisticsError> {
        if !(0.0..1.0).contains(&self.draw_ratio) {
            return impossible("draw ratio", self.draw_ratio);
        }
        if !(self.white_score > 0.0 && self.white_score < 1.0) {
            return impossible("White's score", self.white_score);
        }
        if !(self.tau_elo >= 0.0 && self.tau_elo.is_finite()) {
            return impossible("spread of the positions", self.tau_elo);
        }
        positive("number of positions", self.positions as f64)?;
        positive("number of pairs", self.pairs)?;
        positive("dispersion", self.dispersion)
    }
}

fn positive(name: &str, value: f64) -> Result<(), StatisticsError> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        impossible(name, value)
    }
}

// How precisely an experiment measures the mean advantage over its positions, and how well two
// maps of the advantage can be compared.

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
    pub fn mean(&self) -> Result<MeanSummary, StatisticsError> {
        let these = self.mean_error(false)?;
        let factor = two_sided_factor(1.0 - ALPHA);
        Ok(MeanSummary {
            halfwidth_these: factor * these,
            halfwidth_all: factor * self.mean_error(true)?,
            detectable_these: (factor + normal_quantile(POWER_OF_ONE)) * these,
        })
    }

    /// Pairs per position for a 95 % interval of the mean of ± `halfwidth` Elo: for just these
    /// positions, or, with `all`, for positions like these. `None` where their spread alone makes
    /// the interval wider, whatever is played.
    ///
    /// # Errors
    /// Numbers that are not possible.
    pub fn pairs_for_mean(
        &self,
        halfwidth: f64,
        all: bool,
    ) -> Result<Option<f64>, StatisticsError> {
        let noise = self.pairs * self.mean_error(false)?.powi(2);
        let spread = if all { self.tau_elo.powi(2) } else { 0.0 } / self.positions as f64;
        let room = (halfwidth / two_sided_factor(1.0 - ALPHA)).powi(2) - spread;
        Ok((room > 0.0).then(|| noise / room))
    }

    /// Standard error of the mean in Elo.
    fn mean_error(&self, all: bool) -> Result<f64, StatisticsError> {
        let noise = self.standard_error_elo()?.powi(2);
        let spread = if all { self.tau_elo.powi(2) } else { 0.0 };
        Ok(((noise + spread) / self.positions as f64).sqrt())
    }

    /// What a comparison of two maps of this plan, by two engines or at two limits, can show.
    ///
    /// # Errors
    /// Numbers that are not possible.
    pub fn two_maps(&self) -> Result<MapsSummary, StatisticsError> {
        let error = std::f64::consts::SQRT_2 * self.mean_error(false)?;
        let factor = two_sided_factor(1.0 - ALPHA);
        let reliability = self.reliability()?;
        // Noise draws the observed correlation towards 0 by the reliability; Fisher's z.
        let freedom = self.positions as f64 - 3.0;
        let raw = |z: f64| (freedom > 0.0).then(|| (z / freedom.sqrt()).tanh());
        let true_one = |raw: f64| Some(raw / reliability).filter(|rho| *rho <= 1.0);
        Ok(MapsSummary {
            difference_halfwidth: factor * error,
            difference_detectable: (factor + normal_quantile(POWER_OF_ONE)) * error,
            reliability,
            correlation_detectable: raw(factor + normal_quantile(POWER_OF_ONE)).and_then(true_one),
            correlation_halfwidth: raw(factor).and_then(true_one),
        })
    }

    /// Pairs per position of each map for an interval of the difference of the means of
    /// ± `halfwidth` Elo, over just these starts.
    ///
    /// # Errors
    /// Numbers that are not possible.
    pub fn pairs_for_difference(&self, halfwidth: f64) -> Result<f64, StatisticsError> {
        let mean = self.pairs_for_mean(halfwidth / std::f64::consts::SQRT_2, false)?;
        Ok(mean.unwrap_or(f64::INFINITY))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_published_planning_table() {
        // draw rate 0.85: pairs for ±20 Elo, half width at 10 pairs, pairs for reliability 0.8
        let plan = PositionPlan::new(0.85, 10.0, 960, 10.0);
        assert_eq!(plan.pairs_for_halfwidth(20.0).unwrap().round(), 87.0);
        assert_eq!(plan.halfwidth_elo().unwrap().round(), 59.0);
        assert_eq!(
            plan.pairs_for_reliability(0.8).unwrap().unwrap().round(),
            362.0
        );
        assert_eq!(plan.detectable_tau_elo().unwrap().unwrap().round(), 12.0);
    }

    #[test]
    fn one_pair_or_one_position_cannot_show_a_spread() {
        let tau = |pairs, positions| {
            PositionPlan::new(0.5, pairs, positions, 10.0)
                .detectable_tau_elo()
                .unwrap()
        };
        assert_eq!((tau(1.0, 960), tau(10.0, 1)), (None, None));
    }

    #[test]
    fn impossible_plans_are_refused_by_name() {
        assert!(PositionPlan::new(1.0, 10.0, 960, 10.0).summary().is_err());
        assert!(PositionPlan::new(0.5, 0.0, 960, 10.0).summary().is_err());
        let mut lopsided = PositionPlan::new(0.9, 10.0, 960, 10.0);
        lopsided.white_score = 0.9;
        let error = lopsided.summary().unwrap_err().to_string();
        assert!(error.contains("without any variance"), "{error}");
    }
}

#[cfg(test)]
mod mean_tests {
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
