//! The always-valid interval: may be watched after every pair.
//!
//! A classical 95 % interval that is recomputed after every pair excludes the truth
//! at some time in half of all matches. This one is a confidence *sequence*
//! (Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas, "Time-uniform central limit
//! theory", Ann. Statist. 2024, arXiv:2103.06476): it covers at all times at once.

use serde::Serialize;

use super::elo::elo_from_score;
use super::sample::Sample;

/// Planned number of observations unless the event says otherwise; the interval is
/// tightest there.
pub const DEFAULT_PLANNED: u64 = 500;

/// A running interval of the mean score, within [0, 1].
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AnytimeInterval {
    /// Number of observations for which the width is optimised.
    pub n_star: u64,
    /// Lower end, a mean score.
    pub score_lo: f64,
    /// Upper end, a mean score.
    pub score_hi: f64,
}

impl AnytimeInterval {
    /// Both ends in Elo; infinite where a score of 0 or 1 is not excluded.
    pub fn elo(&self) -> [f64; 2] {
        [self.score_lo, self.score_hi].map(elo_from_score)
    }
}

/// The interval at `level`, tightest at `planned` observations; `None` for an empty sample.
///
/// One pseudo-observation at distance 1/2 enters the variance, so that a match of
/// draws alone does not get an interval of no width.
pub fn anytime_interval(sample: &Sample, planned: u64, level: f64) -> Option<AnytimeInterval> {
    let moments = sample.moments()?;
    let n = moments.n;
    let alpha = (1.0 - level).clamp(f64::MIN_POSITIVE, 1.0);
    let tail = -2.0 * alpha.ln();
    let rate = (tail + (tail + 1.0).ln()) / planned.max(1) as f64;
    let variance = (n * moments.variance + 0.25) / (n + 1.0);
    let scaled = n * rate + 1.0;
    let boundary = 2.0 * scaled / (n * n * rate) * (scaled.sqrt() / alpha).ln();
    let margin = (variance * boundary).sqrt();
    Some(AnytimeInterval {
        n_star: planned,
        score_lo: (moments.mean - margin).max(0.0),
        score_hi: (moments.mean + margin).min(1.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Pentanomial;

    #[test]
    fn is_finite_from_the_first_pair_and_narrows() {
        let width = |counts| {
            let interval = anytime_interval(&Pentanomial(counts).into(), 500, 0.95).unwrap();
            interval.score_hi - interval.score_lo
        };
        assert!(width([0, 0, 1, 0, 0]).is_finite());
        assert!(width([0, 0, 10, 0, 0]) > width([0, 0, 100, 0, 0]));
        assert!(anytime_interval(&Pentanomial::default().into(), 500, 0.95).is_none());
    }

    #[test]
    fn no_end_is_a_score_that_does_not_exist() {
        for counts in [[0, 0, 0, 0, 3], [3, 0, 0, 0, 0], [1, 0, 0, 0, 1]] {
            let interval = anytime_interval(&Pentanomial(counts).into(), 500, 0.95).unwrap();
            assert!(
                interval.score_lo >= 0.0 && interval.score_hi <= 1.0,
                "{interval:?}"
            );
        }
    }
}
