//! The numbers about the results of an engine, by the formulas of both runners: the standard errors come from the plain
//! counts, so they are undefined if all results are the same. `arbiter960 stats` has better ones.

use std::f64::consts::{LN_10, SQRT_2};

use super::values::{fixed, superiority};
use crate::stats::counts::{Pentanomial, Trinomial};

/// The quantile of the normal law for 95 %; cutechess-cli has an approximation of it.
const QUANTILE: f64 = 1.959_963_984_540_054;
const CUTECHESS_QUANTILE: f64 = 1.957_161_931_656_024_5;

/// A difference of strength.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ScoreRating {
    pub(crate) elo: f64,
    pub(crate) error: f64,
    pub(crate) nelo: f64,
    pub(crate) nelo_error: f64,
    /// The likelihood of superiority, per cent.
    pub(crate) los: f64,
    /// From 0 to 1.
    pub(crate) score: f64,
}

impl ScoreRating {
    /// From pairs, as fastchess has it.
    pub(crate) fn of_pairs(pairs: &Pentanomial) -> ScoreRating {
        ScoreRating::new(&pairs.0, QUANTILE, SQRT_2)
    }

    /// From games, as fastchess has it.
    pub(crate) fn of_games(games: &Trinomial) -> ScoreRating {
        ScoreRating::new(&games.0, QUANTILE, 1.0)
    }

    /// From games, as cutechess-cli has it.
    pub(crate) fn of_cutechess(games: &Trinomial) -> ScoreRating {
        let [losses, _, wins] = games.0.map(|count| count as f64);
        ScoreRating {
            los: superiority((wins - losses) / (wins + losses).sqrt()),
            ..ScoreRating::new(&games.0, CUTECHESS_QUANTILE, 1.0)
        }
    }

    /// From the numbers of observations whose scores go in equal steps from 0 to 1; `spread` is the ratio of a game's standard
    /// deviation to that of an observation.
    fn new(cells: &[u64], quantile: f64, spread: f64) -> ScoreRating {
        let observations = cells.iter().sum::<u64>() as f64;
        let step = 1.0 / (cells.len() - 1) as f64;
        let weighted = |value: &dyn Fn(f64) -> f64| -> f64 {
            let parts = cells.iter().enumerate().rev();
            parts
                .map(|(place, count)| *count as f64 / observations * value(place as f64 * step))
                .sum()
        };
        let score = weighted(&|score| score);
        let variance = weighted(&|value| (value - score) * (value - score));
        let deviation = (variance / observations).sqrt();
        let [lower, upper] = [-quantile, quantile].map(|times| score + times * deviation);
        let elo = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
        let nelo = |score: f64| (score - 0.5) / (spread * variance.sqrt()) * (800.0 / LN_10);
        ScoreRating {
            elo: elo(score),
            error: (elo(upper) - elo(lower)) / 2.0,
            nelo: nelo(score),
            nelo_error: (nelo(upper) - nelo(lower)) / 2.0,
            los: superiority((score - 0.5) / deviation),
            score,
        }
    }
}

/// A number with `decimals` decimals, as Qt writes it: halves are rounded away from zero; 0 and NaN have no sign.
pub(crate) fn away_from_zero(value: f64, decimals: i32) -> String {
    let scale = 10_f64.powi(decimals);
    let rounded = (value * scale).round() / scale;
    let signless = value == 0.0 || value.is_nan();
    let shown = if signless { rounded.abs() } else { rounded };
    fixed(shown, decimals.unsigned_abs() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_the_example_in_the_manual_of_fastchess() {
        let rating = ScoreRating::of_pairs(&Pentanomial([43, 61, 144, 55, 37]));
        let numbers = [
            rating.elo,
            rating.error,
            rating.nelo,
            rating.nelo_error,
            rating.los,
        ];
        let texts = numbers.map(|value| fixed(value, 2));
        assert_eq!(texts, ["-9.20", "20.93", "-11.50", "26.11", "19.41"]);
    }

    #[test]
    fn an_even_score_is_minus_zero_and_a_clean_one_infinite() {
        let even = ScoreRating::of_pairs(&Pentanomial([0, 0, 1, 0, 0]));
        assert_eq!(fixed(even.elo, 2), "-0.00");
        assert!(even.los.is_nan());
        let clean = ScoreRating::of_games(&Trinomial([0, 0, 1]));
        assert_eq!(fixed(clean.elo, 2), "inf");
        assert!(clean.error.is_nan());
    }

    #[test]
    fn numbers_are_those_that_qt_writes() {
        for (value, decimals, text) in [
            (56.25, 1, "56.3"),
            (0.125, 2, "0.13"),
            (2.5, 0, "3"),
            (-0.5, 0, "-1"),
            (-0.3, 0, "-0"),
            (-0.0, 1, "0.0"),
            (-f64::NAN, 1, "nan"),
            (f64::NEG_INFINITY, 0, "-inf"),
        ] {
            assert_eq!(away_from_zero(value, decimals), text, "{value}");
        }
    }
}
