//! The numbers of cutechess-cli about the results of one engine, and how Qt writes numbers.

use crate::front::common::number::{elo, fixed, superiority};
use crate::stats::counts::Trinomial;

/// Difference, error and superiority, as cutechess-cli computes them.
#[derive(Debug, Clone, Copy)]
pub(super) struct CutechessRating {
    /// Points divided by games, 0 to 1.
    pub(super) score: f64,
    /// Draws divided by games, 0 to 1.
    pub(super) draws: f64,
    deviation: f64,
    wins: f64,
    losses: f64,
}

impl CutechessRating {
    /// The numbers of these results.
    pub(super) fn of(results: &Trinomial) -> CutechessRating {
        let [losses, draws, wins] = results.0.map(|count| count as f64);
        let games = losses + draws + wins;
        let score = (wins + 0.5 * draws) / games;
        let squares = [(wins, 1.0), (losses, 0.0), (draws, 0.5)];
        let sum: f64 = squares
            .iter()
            .map(|(count, points)| count / games * (points - score) * (points - score))
            .sum();
        CutechessRating {
            score,
            draws: draws / games,
            deviation: sum.sqrt() / games.sqrt(),
            wins,
            losses,
        }
    }

    /// The difference in Elo.
    pub(super) fn elo(&self) -> f64 {
        elo(self.score)
    }

    /// Half the width of the 95 % interval of the difference.
    pub(super) fn error(&self) -> f64 {
        let edge = |part: f64| elo(self.score + quantile(part) * self.deviation);
        (edge(0.975) - edge(0.025)) / 2.0
    }

    /// The likelihood of superiority, per cent.
    pub(super) fn superiority(&self) -> f64 {
        superiority((self.wins - self.losses) / (self.wins + self.losses).sqrt())
    }
}

/// The quantile of the normal distribution, by the approximation that cutechess-cli uses: S. Winitzki, A handy
/// approximation for the error function and its inverse (2008).
fn quantile(part: f64) -> f64 {
    #[expect(clippy::approx_constant, reason = "as many digits as there")]
    let pi: f64 = 3.141_592_653_589_7;
    let value: f64 = 2.0 * part - 1.0;
    let a = 8.0 * (pi - 3.0) / (3.0 * pi * (4.0 - pi));
    let y = (1.0 - value * value).ln();
    let z = 2.0 / (pi * a) + y / 2.0;
    let inverse = ((z * z - y / a).sqrt() - z).sqrt();
    std::f64::consts::SQRT_2 * inverse.copysign(value)
}

/// A number with `decimals` decimals, as Qt writes it: halves are rounded away from zero; 0 and NaN have no sign.
pub(super) fn qt(value: f64, decimals: usize) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value == 0.0 || !value.is_finite() {
        return fixed(value + 0.0, decimals);
    }
    // Enough digits to see whether the rest is exactly one half.
    let digits = format!("{:.60}", value.abs());
    let behind = digits.find('.').map_or("", |point| &digits[point + 1..]);
    let rest = behind.get(decimals..).unwrap_or_default();
    let is_half = rest
        .strip_prefix('5')
        .is_some_and(|rest| rest.bytes().all(|digit| digit == b'0'));
    let away = match is_half {
        true => 0.1 * 0.1_f64.powi(i32::try_from(decimals).unwrap_or(0)),
        false => 0.0,
    };
    fixed(value + away.copysign(value), decimals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_that_qt_writes() {
        for (value, decimals, text) in [
            (56.25, 1, "56.3"),
            (0.125, 2, "0.13"),
            (2.5, 0, "3"),
            (-0.5, 0, "-1"),
            (-0.3, 0, "-0"),
            (-0.0, 1, "0.0"),
            (0.15, 1, "0.1"),
            (33.35, 1, "33.4"),
            (f64::NAN, 1, "nan"),
            (f64::NEG_INFINITY, 0, "-inf"),
        ] {
            assert_eq!(qt(value, decimals), text, "{value}");
        }
    }
}
