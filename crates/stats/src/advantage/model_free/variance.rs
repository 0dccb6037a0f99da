//! One-way random-effects analysis of variance of the pair values.

use serde::Serialize;

use crate::advantage::values::PositionValues;
use crate::numeric::distributions::fisher_tail;

use super::heterogeneity::{paule_mandel, weighted_mean};

/// The analysis; quantities the data do not determine are `None`: everything
/// about the spread between positions with one position, everything that
/// needs the spread within positions with one pair each.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OneWay {
    /// Positions P.
    pub positions: usize,
    /// Pairs N.
    pub pairs: usize,
    /// Mean over pairs.
    pub mean_pairs: f64,
    /// Mean over positions.
    pub mean_positions: f64,
    /// Mean square between positions.
    pub msb: Option<f64>,
    /// Mean square within positions: the variance of a pair's value.
    pub msw: Option<f64>,
    /// Effective number of pairs per position.
    pub n0: Option<f64>,
    /// MSB / MSW.
    #[serde(rename = "F")]
    pub f: Option<f64>,
    /// P − 1.
    pub df1: usize,
    /// N − P.
    pub df2: usize,
    /// `P(F(df1, df2) > F)`.
    pub p_value: Option<f64>,
    /// Variance between positions by the mean squares, not below 0.
    pub tau2_anova: Option<f64>,
    /// By Paule and Mandel.
    pub tau2_pm: Option<f64>,
    /// Lower end of the Q-profile interval.
    pub tau2_lo: Option<f64>,
    /// Upper end.
    pub tau2_hi: Option<f64>,
    /// Random-effects mean.
    pub mu_re: Option<f64>,
    /// Its error.
    pub mu_re_se: Option<f64>,
    /// Error of the mean over positions as a statement about *these*
    /// positions: `√(Σ MSW/n_p) / P`.
    pub se_fixed_positions: Option<f64>,
    /// Error as a statement about positions like these: `sd(m_p) / √P`.
    pub se_sampled_positions: Option<f64>,
}

/// A position's mean drawn towards the common one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shrunken {
    /// The shrunken mean.
    pub mean: f64,
    /// Its standard deviation.
    pub sd: f64,
    /// Share of the distance kept: τ² / (τ² + MSW/n), the reliability.
    pub reliability: f64,
}

impl OneWay {
    /// Analyses pair values; `None` without any.
    pub fn new(values: &[PositionValues], level: f64) -> Option<Self> {
        let positions = values.len();
        let pairs: f64 = values.iter().map(|v| v.pairs).sum();
        if positions == 0 {
            return None;
        }
        let (count, squares) = (
            positions as f64,
            values.iter().map(|v| v.pairs * v.pairs).sum::<f64>(),
        );
        let mean_pairs = values.iter().map(|v| v.sum).sum::<f64>() / pairs;
        let mean_positions = values.iter().map(PositionValues::mean).sum::<f64>() / count;
        let between: f64 = values
            .iter()
            .map(|v| v.pairs * (v.mean() - mean_pairs).powi(2))
            .sum();
        let within: f64 = values.iter().map(PositionValues::scatter).sum();
        let (df1, df2) = (positions - 1, pairs as usize - positions);
        let msb = (df1 > 0).then(|| between / df1 as f64);
        let msw = (df2 > 0).then(|| within / df2 as f64);
        let n0 = (df1 > 0).then(|| (pairs - squares / pairs) / df1 as f64);
        let f = msb
            .zip(msw)
            .filter(|(_, msw)| *msw > 0.0)
            .map(|(msb, msw)| msb / msw);
        let spread: f64 = values
            .iter()
            .map(|v| (v.mean() - mean_positions).powi(2))
            .sum();
        let mut analysis = Self {
            positions,
            pairs: pairs as usize,
            mean_pairs,
            mean_positions,
            msb,
            msw,
            n0,
            f,
            df1,
            df2,
            p_value: f.map(|f| fisher_tail(df1 as f64, df2 as f64, f)),
            tau2_anova: msb
                .zip(msw)
                .zip(n0)
                .map(|((msb, msw), n0)| ((msb - msw) / n0).max(0.0)),
            tau2_pm: None,
            tau2_lo: None,
            tau2_hi: None,
            mu_re: None,
            mu_re_se: None,
            se_fixed_positions: msw
                .map(|msw| values.iter().map(|v| msw / v.pairs).sum::<f64>().sqrt() / count),
            se_sampled_positions: (df1 > 0).then(|| (spread / df1 as f64 / count).sqrt()),
        };
        analysis.random_effects(values, level);
        Some(analysis)
    }

    fn random_effects(&mut self, values: &[PositionValues], level: f64) {
        let Some(msw) = self.msw else { return };
        let means: Vec<(f64, f64)> = values.iter().map(|v| (v.mean(), msw / v.pairs)).collect();
        let Some(tau2) = paule_mandel(&means, level) else {
            return;
        };
        (self.tau2_pm, self.tau2_lo, self.tau2_hi) =
            (Some(tau2.estimate), Some(tau2.low), Some(tau2.high));
        let (mean, weights) = weighted_mean(&means, tau2.estimate);
        if weights.is_finite() {
            (self.mu_re, self.mu_re_se) = (Some(mean), Some(1.0 / weights.sqrt()));
        }
    }

    /// The position's mean, drawn towards the random-effects mean by as much
    /// as its own sampling error commands.
    pub fn shrink(&self, position: &PositionValues) -> Option<Shrunken> {
        let (msw, tau2) = (self.msw?, self.tau2_pm?);
        let (mean, mean_se) = (self.mu_re?, self.mu_re_se?);
        let sampling = msw / position.pairs;
        let reliability = if sampling > 0.0 {
            tau2 / (tau2 + sampling)
        } else {
            1.0
        };
        let variance = reliability * sampling + (1.0 - reliability).powi(2) * mean_se * mean_se;
        let mean = mean + reliability * (position.mean() - mean);
        Some(Shrunken {
            mean,
            sd: variance.sqrt(),
            reliability,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(start: u32, values: &[f64]) -> PositionValues {
        PositionValues {
            start,
            pairs: values.len() as f64,
            sum: values.iter().sum(),
            squares: values.iter().map(|v| v * v).sum(),
        }
    }

    #[test]
    fn mean_squares_agree_with_hand_computation() {
        let values = [
            position(1, &[0.5, 1.0]),
            position(2, &[0.25, 0.25]),
            position(3, &[0.5, 0.0]),
        ];
        let analysis = OneWay::new(&values, 0.95).expect("values");
        assert!((analysis.msw.expect("two pairs each") - 0.25 / 3.0).abs() < 1e-15);
        assert!((analysis.msb.expect("three positions") - 1.0 / 6.0).abs() < 1e-14);
        assert_eq!((analysis.df1, analysis.df2, analysis.n0), (2, 3, Some(2.0)));
    }

    #[test]
    fn what_the_data_do_not_determine_is_absent() {
        let single =
            OneWay::new(&[position(1, &[0.5]), position(2, &[1.0])], 0.95).expect("values");
        assert!(
            single.msw.is_none() && single.tau2_pm.is_none() && single.se_fixed_positions.is_none()
        );
        assert!(single.se_sampled_positions.is_some());
        let alone = OneWay::new(&[position(1, &[0.5, 1.0])], 0.95).expect("values");
        assert!(alone.msb.is_none() && alone.p_value.is_none() && alone.msw.is_some());
        let constant = OneWay::new(&[position(1, &[0.5, 0.5]), position(2, &[0.5, 0.5])], 0.95);
        assert_eq!(constant.expect("values").f, None);
        assert_eq!(OneWay::new(&[], 0.95), None);
    }
}
