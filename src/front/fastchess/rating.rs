//! The numbers of the result blocks, by the formulas of fastchess: the standard errors come from the plain counts, so
//! they are undefined if all results are the same. docs/statistics.md says how far these numbers can be trusted;
//! `arbiter960 stats` has better ones.

use std::f64::consts::{LN_10, SQRT_2};

use crate::front::common::number::{elo, superiority};
use crate::front::common::settings::Stats;

/// The quantile of the normal law for 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// A difference of strength.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FastchessRating {
    pub(crate) elo: f64,
    pub(crate) error: f64,
    pub(crate) nelo: f64,
    pub(crate) nelo_error: f64,
    /// The likelihood of superiority, per cent.
    pub(crate) los: f64,
    /// From 0 to 1.
    pub(crate) score: f64,
}

impl FastchessRating {
    /// From pairs or from games.
    pub(crate) fn new(stats: &Stats, of_pairs: bool) -> FastchessRating {
        match of_pairs {
            true => {
                let cells = stats.pentanomial().map(|count| count as f64);
                FastchessRating::of(&cells, &[0.0, 0.25, 0.5, 0.75, 1.0], SQRT_2)
            }
            false => {
                let cells = [stats.losses, stats.draws, stats.wins].map(|count| count as f64);
                FastchessRating::of(&cells, &[0.0, 0.5, 1.0], 1.0)
            }
        }
    }

    /// From observations with these scores; `spread` is the ratio of a game's standard deviation to that of an
    /// observation.
    fn of(cells: &[f64], scores: &[f64], spread: f64) -> FastchessRating {
        let observations: f64 = cells.iter().sum();
        let weighted = |value: &dyn Fn(f64) -> f64| -> f64 {
            let parts = cells.iter().zip(scores).rev();
            parts
                .map(|(count, score)| count / observations * value(*score))
                .sum()
        };
        let score = weighted(&|score| score);
        let variance = weighted(&|value| (value - score) * (value - score));
        let deviation = (variance / observations).sqrt();
        let [lower, upper] = [score - Z * deviation, score + Z * deviation];
        let nelo = |score: f64| (score - 0.5) / (spread * variance.sqrt()) * (800.0 / LN_10);
        FastchessRating {
            elo: elo(score),
            error: (elo(upper) - elo(lower)) / 2.0,
            nelo: nelo(score),
            nelo_error: (nelo(upper) - nelo(lower)) / 2.0,
            los: superiority((score - 0.5) / deviation),
            score,
        }
    }
}

/// Pairs by the points of both games, as a list.
pub(crate) fn pentanomial(stats: &Stats) -> String {
    format!("{:?}", stats.pentanomial())
}

/// Drawn pairs, or games, per cent.
pub(crate) fn draw_ratio(stats: &Stats, of_pairs: bool) -> f64 {
    match of_pairs {
        true => (stats.penta_WL + stats.penta_DD) as f64 / stats.pairs() as f64 * 100.0,
        false => 100.0 * stats.draws as f64 / stats.games() as f64,
    }
}

/// Points, per cent of the games.
pub(crate) fn points_ratio(stats: &Stats) -> f64 {
    stats.points() / stats.games() as f64 * 100.0
}

/// The results of the example in fastchess's manual.
#[cfg(test)]
pub(crate) fn example() -> Stats {
    Stats {
        wins: 248,
        losses: 266,
        draws: 166,
        penta_LL: 43,
        penta_LD: 61,
        penta_WL: 119,
        penta_DD: 25,
        penta_WD: 55,
        penta_WW: 37,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::common::number::fixed;

    #[test]
    fn the_numbers_of_a_block() {
        let rating = FastchessRating::new(&example(), true);
        let texts = [
            rating.elo,
            rating.error,
            rating.nelo,
            rating.nelo_error,
            rating.los,
        ];
        let texts = texts.map(|value| fixed(value, 2));
        assert_eq!(texts, ["-9.20", "20.93", "-11.50", "26.11", "19.41"]);
    }

    #[test]
    fn an_even_score_is_minus_zero_and_a_clean_one_infinite() {
        let even = FastchessRating::new(
            &Stats {
                draws: 2,
                penta_DD: 1,
                ..Stats::default()
            },
            true,
        );
        assert_eq!(fixed(even.elo, 2), "-0.00");
        assert!(even.los.is_nan());
        let clean = FastchessRating::new(
            &Stats {
                wins: 1,
                ..Stats::default()
            },
            false,
        );
        assert_eq!(fixed(clean.elo, 2), "inf");
        assert!(clean.error.is_nan());
    }
}
