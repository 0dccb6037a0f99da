//! The headline interval: profile (empirical) likelihood of the mean score.

use serde::Serialize;

use super::elo::elo_from_score;
use super::numeric::distributions::two_sided_factor;
use super::numeric::root::find_root;
use super::numeric::secular::secular_root;
use super::sample::Sample;

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
        elo_lo: elo_from_score(score_lo),
        elo_hi: elo_from_score(score_hi),
    }
}

/// -2 ln R(s): twice the log-likelihood lost by forcing the mean score to `score`.
pub fn deviance(sample: &Sample, score: f64) -> f64 {
    let frequencies = sample.frequencies();
    let lattice = sample.lattice();
    let mut distances = [0.0; 5];
    for (distance, a) in distances.iter_mut().zip(lattice) {
        *distance = a - score;
    }
    let cells = lattice.len();
    let Some(theta) = secular_root(&frequencies[..cells], &distances[..cells]) else {
        // 0 and 1 allow a single law, that of nothing but losses or wins.
        let observed_there = sample
            .moments()
            .is_some_and(|moments| moments.mean == score);
        return if observed_there { 0.0 } else { f64::INFINITY };
    };
    let observed = frequencies
        .iter()
        .zip(&distances)
        .filter(|(p, _)| **p > 0.0);
    let loss: f64 = observed
        .map(|(p, d)| p * (theta * d).max(-1.0).ln_1p())
        .sum();
    (2.0 * sample.observations() * loss).max(0.0)
}

/// The score below the mean at which the deviance reaches `drop`.
fn lower_end(sample: &Sample, drop: f64) -> f64 {
    let mean = sample.moments().map_or(0.0, |moments| moments.mean);
    if mean <= 0.0 {
        return 0.0;
    }
    // Near 0 the deviance exceeds every bound, so the signs differ.
    find_root(
        |score| deviance(sample, score) - drop,
        f64::MIN_POSITIVE,
        mean,
        1e-16,
    )
    .unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
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
