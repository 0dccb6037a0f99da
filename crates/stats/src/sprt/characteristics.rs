//! What to expect of a test before it is run.

use serde::Serialize;

use crate::elo::score_from_elo;
use crate::{StatisticsError, impossible, refused};

use super::brownian::{Brownian, time_until};
use super::hypotheses::{Hypotheses, drawelo_from_draw_ratio};
use super::llr::Model;
use super::stagewise::hypothetical_scores;

/// Chance and duration of a test, the ratio taken as a Brownian motion.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Characteristics {
    /// Probability that H1 is accepted.
    pub pass_prob: f64,
    /// Expected number of games.
    pub games: f64,
}

/// The path of the ratio over games at a true difference of `elo` (logistic Elo), with this share of
/// drawn games and this root mean square of White's edge in Elo.
///
/// A game's variance is (1-D)/4 - (L(bias)-1/2)², the part that pairing removes taken off.
fn motion(
    hypotheses: &Hypotheses,
    elo: f64,
    draw_ratio: f64,
    rms_bias_elo: f64,
) -> Result<Brownian, StatisticsError> {
    if !elo.is_finite() {
        return impossible("elo", elo);
    }
    if !(0.0..1.0).contains(&draw_ratio) {
        return impossible("draw ratio", draw_ratio);
    }
    if !rms_bias_elo.is_finite() {
        return impossible("RMS bias", rms_bias_elo);
    }
    let variance = (1.0 - draw_ratio) / 4.0 - (score_from_elo(rms_bias_elo) - 0.5).powi(2);
    if variance <= 0.0 {
        return refused(
            "with these draws and this bias of the positions no game differs from another",
        );
    }
    if draw_ratio == 0.0 && hypotheses.model() == Model::Bayesian {
        return impossible("draw ratio", draw_ratio);
    }
    let bounds = hypotheses.resolved_at(|| drawelo_from_draw_ratio(draw_ratio));
    let scores = hypothetical_scores(bounds, variance.sqrt());
    let (bounds, score) = (hypotheses.bounds(), score_from_elo(elo));
    Ok(Brownian::of_ratio(bounds, scores, score, variance))
}

/// Chance and duration at a true difference of `elo` (logistic Elo), with this share of
/// drawn games and this root mean square of White's edge in Elo.
pub fn characteristics(
    hypotheses: &Hypotheses,
    elo: f64,
    draw_ratio: f64,
    rms_bias_elo: f64,
) -> Result<Characteristics, StatisticsError> {
    let motion = motion(hypotheses, elo, draw_ratio, rms_bias_elo)?;
    Ok(match hypotheses.truncation() {
        None => Characteristics {
            pass_prob: motion.absorbed_above(),
            games: motion.expected_time(),
        },
        Some(last) => {
            let games = 2.0 * last.pairs as f64;
            let middle = |step: u32| (f64::from(step) + 0.5) / f64::from(STEPS);
            let running = (0..STEPS).map(|step| motion.still_running(middle(step) * games));
            Characteristics {
                pass_prob: 1.0 - motion.worse_outcome(games, last.cutoff),
                games: running.sum::<f64>() / f64::from(STEPS) * games,
            }
        }
    })
}

/// Steps of the integral over the time until the last pair.
const STEPS: u32 = 400;

/// The games that 99 of 100 such tests do not exceed; of a test with a last pair those until it.
pub fn most_games(
    hypotheses: &Hypotheses,
    elo: f64,
    draw_ratio: f64,
    rms_bias_elo: f64,
) -> Result<f64, StatisticsError> {
    if let Some(last) = hypotheses.truncation() {
        return Ok(2.0 * last.pairs as f64);
    }
    let motion = motion(hypotheses, elo, draw_ratio, rms_bias_elo)?;
    Ok(time_until(|games| motion.still_running(games) > 0.01))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_rates_hold_at_the_hypotheses() {
        let hypotheses = Hypotheses::new(Model::Logistic, 0.0, 10.0, 0.05, 0.1).unwrap();
        let pass = |elo| {
            characteristics(&hypotheses, elo, 0.5, 0.0)
                .unwrap()
                .pass_prob
        };
        assert!((pass(0.0) - 0.05).abs() < 1e-12 && (pass(10.0) - 0.9).abs() < 1e-12);
    }

    #[test]
    fn a_test_with_an_end_is_longer_on_average_and_shorter_at_most() {
        let endless = Hypotheses::new(Model::Normalized, 0.0, 10.0, 0.05, 0.05).unwrap();
        let ends = endless.truncated_at(8000).unwrap();
        let at = |test: &Hypotheses| {
            let games = characteristics(test, 0.0, 0.5, 0.0).unwrap().games;
            [games, most_games(test, 0.0, 0.5, 0.0).unwrap()]
        };
        let ([usual, longest], [expected, most]) = (at(&endless), at(&ends));
        assert!(
            usual < expected && expected < most && most < longest,
            "{usual} {expected} {most} {longest}"
        );
        assert_eq!(most, 16_000.0);
    }

    #[test]
    fn impossible_games_are_refused() {
        let hypotheses = Hypotheses::new(Model::Normalized, 0.0, 10.0, 0.05, 0.05).unwrap();
        assert!(characteristics(&hypotheses, 0.0, 1.0, 0.0).is_err());
        let error = characteristics(&hypotheses, 0.0, 0.9, 400.0);
        assert!(error.unwrap_err().to_string().contains("no game differs"));
    }
}
