//! Elo intervals as other programs print them, for comparison.
//!
//! The headline is the profile likelihood; these assume that the mean score is
//! normally distributed, which fails for short matches (25 drawn pairs: 0 ± 1.4 Elo).

use serde::Serialize;

use crate::counts::{Moments, Sample};
use crate::elo::{elo_from_score, elo_per_score};
use crate::numeric::distributions::{
    fisher_quantile, normal_cdf, student_quantile, two_sided_factor,
};
use crate::numeric::root::find_root;
use crate::sprt::llr::log_likelihood_of_mean;

/// Distance from 0 and 1 at which Fishtest and OpenBench cut scores off.
const SCORE_MARGIN: f64 = 1e-3;

/// The interval of Fishtest's `get_elo`: zero counts become 1e-3, the ends of the
/// score interval are transformed, half its width is printed as the error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FishtestInterval {
    /// Elo difference.
    pub elo: f64,
    /// Half the width of the interval.
    pub elo_error: f64,
    /// Lower end in Elo.
    pub elo_lo: f64,
    /// Upper end in Elo.
    pub elo_hi: f64,
    /// Likelihood of superiority, Φ((μ-1/2)/SE).
    pub los: f64,
}

/// fastchess' interval: as Fishtest's without regularisation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FastchessInterval {
    /// Elo difference; infinite where the mean rounds to 0 or 1.
    #[serde(serialize_with = "super::elo::serialize_extended")]
    pub elo: f64,
    /// Half the width of the interval; `None` where an end leaves (0, 1), for which
    /// fastchess prints `nan`.
    #[serde(serialize_with = "super::elo::serialize_undefined")]
    pub elo_error: Option<f64>,
    /// Likelihood of superiority, Φ((μ-1/2)/SE).
    pub los: f64,
}

/// OpenBench's interval: Student's t, scores cut off at 0.001 and 0.999.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StudentInterval {
    /// Elo difference.
    pub elo: f64,
    /// Lower end in Elo.
    pub elo_lo: f64,
    /// Upper end in Elo.
    pub elo_hi: f64,
}

/// The delta method: the standard error of the score times the slope of Elo.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DeltaInterval {
    /// Half the width of the interval; infinite where the mean rounds to 0 or 1.
    #[serde(serialize_with = "super::elo::serialize_extended")]
    pub elo_error: f64,
}

/// Likelihood of superiority Φ((μ-1/2)/SE); `None` without variance.
pub fn likelihood_of_superiority(moments: &Moments) -> Option<f64> {
    (moments.variance > 0.0).then(|| normal_cdf((moments.mean - 0.5) / moments.standard_error()))
}

/// See [`FishtestInterval`]; `None` for an empty sample.
pub fn fishtest(sample: &Sample, level: f64) -> Option<FishtestInterval> {
    if sample.is_empty() {
        return None;
    }
    let moments = sample.regularized().moments()?;
    let [elo, elo_lo, elo_hi] = within_margins(&moments, two_sided_factor(level));
    let los = likelihood_of_superiority(&moments)?;
    Some(FishtestInterval {
        elo,
        elo_error: (elo_hi - elo_lo) / 2.0,
        elo_lo,
        elo_hi,
        los,
    })
}

/// See [`FastchessInterval`]; `None` without variance.
pub fn fastchess(sample: &Sample, level: f64) -> Option<FastchessInterval> {
    let moments = sample.moments()?;
    let los = likelihood_of_superiority(&moments)?;
    let margin = two_sided_factor(level) * moments.standard_error();
    let ends = [moments.mean - margin, moments.mean + margin];
    let inside = ends.iter().all(|&end| 0.0 < end && end < 1.0);
    let elo_error = inside.then(|| (elo_from_score(ends[1]) - elo_from_score(ends[0])) / 2.0);
    Some(FastchessInterval {
        elo: elo_from_score(moments.mean),
        elo_error,
        los,
    })
}

/// See [`StudentInterval`]; `None` without variance.
pub fn student(sample: &Sample, level: f64) -> Option<StudentInterval> {
    let moments = sample.moments().filter(|moments| moments.variance > 0.0)?;
    let factor = student_quantile(0.5 + 0.5 * level, moments.n - 1.0)?;
    let [elo, elo_lo, elo_hi] = within_margins(&moments, factor);
    Some(StudentInterval {
        elo,
        elo_lo,
        elo_hi,
    })
}

/// See [`DeltaInterval`]; `None` without variance.
pub fn delta(sample: &Sample, level: f64) -> Option<DeltaInterval> {
    let moments = sample.moments().filter(|moments| moments.variance > 0.0)?;
    let elo_se = moments.standard_error() * elo_per_score(moments.mean);
    Some(DeltaInterval {
        elo_error: two_sided_factor(level) * elo_se,
    })
}

/// Elo of the mean, and of this many standard errors below and above it.
fn within_margins(moments: &Moments, factor: f64) -> [f64; 3] {
    let margin = factor * moments.standard_error();
    [0.0, -margin, margin].map(|distance| {
        let score = moments.mean + distance;
        elo_from_score(score.clamp(SCORE_MARGIN, 1.0 - SCORE_MARGIN))
    })
}

/// The upper end of the exact interval for a share of which `found` of `of` cases were seen: with
/// probability `certainty` the share is at most this. `None` without cases. Clopper and Pearson,
/// Biometrika 26 (1934), 404–413.
pub fn share_at_most(found: u64, of: u64, certainty: f64) -> Option<f64> {
    if of == 0 || found > of {
        return None;
    }
    if found == of {
        return Some(1.0);
    }
    let (hits, rest) = ((found + 1) as f64, (of - found) as f64);
    let ratio = hits / rest * fisher_quantile(certainty, 2.0 * hits, 2.0 * rest)?;
    Some(ratio / (1.0 + ratio))
}

// The headline interval: profile (empirical) likelihood of the mean score.

/// All mean scores that the results do not contradict at the level asked for.
///
/// { s : -2 ln R(s) ≤ χ²₁ } over all laws on the full lattice, unobserved cells
/// included (Owen 1988). No regularisation; covers 93–100 % from 8 pairs on where
/// the normal approximation covers 70–90 %.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ProfileInterval {
    /// Lower end, a mean score.
    pub score_lo: f64,
    /// Upper end, a mean score.
    pub score_hi: f64,
    /// Lower end in Elo; `-inf` if every game was lost.
    #[serde(serialize_with = "super::elo::serialize_extended")]
    pub elo_lo: f64,
    /// Upper end in Elo; `inf` if every game was won.
    #[serde(serialize_with = "super::elo::serialize_extended")]
    pub elo_hi: f64,
}

/// The interval at `level`; everything is possible for an empty sample.
pub fn profile_interval(sample: &Sample, level: f64) -> ProfileInterval {
    let drop = two_sided_factor(level).powi(2);
    let score_hi = 1.0 - lower_end(&sample.reversed(), drop);
    let score_lo = lower_end(sample, drop);
    ProfileInterval {
        score_lo,
        score_hi,
        elo_lo: sample.elo(score_lo),
        elo_hi: sample.elo(score_hi),
    }
}

/// -2 ln R(s): twice the log-likelihood lost by forcing the mean score to `score`.
pub fn deviance(sample: &Sample, score: f64) -> f64 {
    let Some(likelihood) = log_likelihood_of_mean(sample, score) else {
        // 0 and 1 allow a single law, that of nothing but losses or wins.
        let is_there = |moments: Moments| moments.mean == score;
        let observed_there = sample.moments().is_some_and(is_there);
        return if observed_there { 0.0 } else { f64::INFINITY };
    };
    (-2.0 * sample.observations() * likelihood).max(0.0)
}

/// The score below the mean at which the deviance reaches `drop`.
fn lower_end(sample: &Sample, drop: f64) -> f64 {
    let mean = sample.moments().map_or(0.0, |moments| moments.mean);
    if mean <= 0.0 {
        return 0.0;
    }
    // Near 0 the deviance exceeds every bound, so the signs differ.
    let excess = |score| deviance(sample, score) - drop;
    find_root(excess, f64::MIN_POSITIVE, mean, 1e-16).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Pentanomial;

    #[test]
    fn the_upper_end_of_a_share_is_exact() {
        // Of n cases none: 1 − (1 − certainty)^(1/n); 1 of 10 from published tables.
        for (found, of, expected) in [
            (0, 30, 1.0 - 0.05_f64.powf(1.0 / 30.0)),
            (0, 1, 0.95),
            (1, 10, 0.394_163),
            (10, 10, 1.0),
        ] {
            let upper = share_at_most(found, of, 0.95).unwrap();
            assert!((upper - expected).abs() < 1e-6, "{found} of {of}: {upper}");
        }
        assert_eq!(share_at_most(0, 0, 0.95), None);
        // At this share, 3 or fewer hits have exactly the probability that is allowed.
        let share = share_at_most(3, 50, 0.95).unwrap();
        let mut term = (1.0 - share).powi(50);
        let mut chance = 0.0;
        for hits in 0..=3 {
            chance += term;
            term *= f64::from(50 - hits) / f64::from(hits + 1) * share / (1.0 - share);
        }
        assert!((chance - 0.05).abs() < 1e-9, "{chance}");
    }

    #[test]
    fn drawn_pairs_show_why_these_are_not_the_headline() {
        let drawn = Sample::from(Pentanomial([0, 0, 25, 0, 0]));
        assert!(fishtest(&drawn, 0.95).unwrap().elo_error < 1.4);
        assert!(fastchess(&drawn, 0.95).is_none() && delta(&drawn, 0.95).is_none());
    }

    #[test]
    fn ends_beyond_a_perfect_score_are_not_numbers_in_fastchess() {
        let nearly_perfect = Sample::from(Pentanomial([0, 0, 0, 1, 3]));
        assert_eq!(fastchess(&nearly_perfect, 0.95).unwrap().elo_error, None);
        assert!(student(&nearly_perfect, 0.95).unwrap().elo_hi < 1200.0);
    }
}

#[cfg(test)]
mod profile_tests {
    use super::*;
    use crate::counts::{Pentanomial, Trinomial};

    #[test]
    fn drawn_pairs_leave_room_on_both_sides() {
        let interval = profile_interval(&Pentanomial([0, 0, 25, 0, 0]).into(), 0.95);
        assert!((interval.elo_lo + 25.740538389).abs() < 1e-6);
        assert!((interval.elo_hi - 25.740538389).abs() < 1e-6);
    }

    #[test]
    fn a_clean_sweep_is_bounded_on_one_side() {
        let interval = profile_interval(&Trinomial([0, 0, 10]).into(), 0.95);
        assert_eq!((interval.score_hi, interval.elo_hi), (1.0, f64::INFINITY));
        // exp(-χ²/2N): the score at which ten wins in a row are still plausible
        assert!((interval.score_lo - (-3.841458820694124f64 / 20.0).exp()).abs() < 1e-9);
    }

    #[test]
    fn no_games_exclude_nothing() {
        let interval = profile_interval(&Pentanomial::default().into(), 0.95);
        assert_eq!((interval.score_lo, interval.score_hi), (0.0, 1.0));
    }
}
