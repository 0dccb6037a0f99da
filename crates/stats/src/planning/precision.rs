//! How precisely a number of pairs measures White's advantage of each start position.
//!
//! Scores and Elo refer to one position; both games of a pair count for White.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::elo::elo_per_score;
use crate::numeric::distributions::{fisher_quantile, normal_quantile, two_sided_factor};

/// Chance of finding what is there, for the spread of all positions.
const POWER_OF_SPREAD: f64 = 0.90;
/// Chance of finding what is there, for one position among all.
const POWER_OF_ONE: f64 = 0.80;
/// Error rate of both.
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

/// Why a plan is impossible.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum PrecisionError {
    /// A number lies outside its range.
    #[error("{name} = {value} is not possible")]
    Impossible {
        /// Which number.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// More draws than White's score leaves room for.
    #[error("draws and White's score leave games without any variance")]
    NoVariance,
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
    pub fn summary(&self) -> Result<PlanSummary, PrecisionError> {
        self.check()?;
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
    pub fn sd_pair_score(&self) -> Result<f64, PrecisionError> {
        self.check()?;
        let game = (1.0 - self.draw_ratio) / 4.0 - (self.white_score - 0.5).powi(2);
        if game <= 0.0 {
            return Err(PrecisionError::NoVariance);
        }
        Ok((0.5 * game * self.dispersion).sqrt())
    }

    /// Half width of a position's 95 % interval in Elo.
    pub fn halfwidth_elo(&self) -> Result<f64, PrecisionError> {
        Ok(two_sided_factor(1.0 - ALPHA) * self.standard_error_elo()?)
    }

    /// Pairs per position for a 95 % interval of ± `halfwidth` Elo.
    pub fn pairs_for_halfwidth(&self, halfwidth: f64) -> Result<f64, PrecisionError> {
        positive("half width", halfwidth)?;
        let one_pair = two_sided_factor(1.0 - ALPHA) * self.sd_pair_score()? * self.slope();
        Ok((one_pair / halfwidth).powi(2))
    }

    /// τ²/(τ² + sd²/n), the share of the observed variance that is the positions'.
    pub fn reliability(&self) -> Result<f64, PrecisionError> {
        let noise = self.standard_error_elo()?.powi(2);
        Ok(self.tau_elo * self.tau_elo / (self.tau_elo * self.tau_elo + noise))
    }

    /// Pairs per position for a reliability r in [0, 1): r/(1-r) (sd/τ)². `None` if the
    /// positions do not differ.
    pub fn pairs_for_reliability(&self, reliability: f64) -> Result<Option<f64>, PrecisionError> {
        if !(0.0..1.0).contains(&reliability) {
            return Err(PrecisionError::Impossible {
                name: "reliability",
                value: reliability,
            });
        }
        let ratio = self.sd_pair_score()? * self.slope() / self.tau_elo;
        let pairs = reliability / (1.0 - reliability) * ratio * ratio;
        Ok((self.tau_elo > 0.0).then_some(pairs))
    }

    /// Smallest τ in Elo that the F test of the positions finds with 90 % power:
    /// sd √((F.95/F.10 - 1)/n), exact for normal pair scores.
    pub fn detectable_tau_elo(&self) -> Result<Option<f64>, PrecisionError> {
        let standard_error = self.standard_error_elo()?;
        let positions = self.positions as f64;
        let (between, within) = (positions - 1.0, positions * (self.pairs - 1.0));
        let quantile = |p| fisher_quantile(p, between, within);
        let ratio = quantile(1.0 - ALPHA).zip(quantile(1.0 - POWER_OF_SPREAD));
        Ok(ratio.map(|(critical, missed)| standard_error * (critical / missed - 1.0).sqrt()))
    }

    /// Smallest difference in Elo of one position from the average that is found with
    /// 80 % power by a two-sided test of all positions (Bonferroni): 4.89 sd/√n for 960.
    pub fn detectable_difference_elo(&self) -> Result<f64, PrecisionError> {
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
    pub(super) fn standard_error_elo(&self) -> Result<f64, PrecisionError> {
        Ok(self.sd_pair_score()? * self.slope() / self.pairs.sqrt())
    }

    fn check(&self) -> Result<(), PrecisionError> {
        let impossible = |name, value| Err(PrecisionError::Impossible { name, value });
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

fn positive(name: &'static str, value: f64) -> Result<(), PrecisionError> {
    match value > 0.0 && value.is_finite() {
        true => Ok(()),
        false => Err(PrecisionError::Impossible { name, value }),
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
        assert_eq!(lopsided.summary(), Err(PrecisionError::NoVariance));
    }
}
