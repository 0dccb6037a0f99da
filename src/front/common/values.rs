//! Numbers and values as both runners read, compute and print them: moments, durations, clocks, ratings.

use std::f64::consts::{LN_10, SQRT_2};
use std::time::Duration;

use super::settings::EngineLimits;
use crate::event::UnixMillis;
use crate::stats::counts::{Pentanomial, Trinomial};
use crate::stats::numeric::distributions::normal_cdf;
use crate::text::without_zeros;

/// With `decimals` decimals; values that are not finite are `nan`, `-nan`, `inf`, `-inf`.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    match value {
        _ if value.is_finite() => format!("{value:.decimals$}"),
        _ if value.is_nan() => format!("{sign}nan"),
        _ => format!("{sign}inf"),
    }
}

/// With at most `digits` significant digits, like `%g` of C: 0.1, 10, 1e+02.
pub(crate) fn general(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return fixed(value, 0);
    }
    let scientific = format!("{value:.*e}", digits.saturating_sub(1));
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if exponent < -4 || exponent >= digits as i32 {
        return format!("{}e{exponent:+03}", without_zeros(mantissa));
    }
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    without_zeros(&format!("{value:.decimals$}")).to_owned()
}

/// The likelihood of superiority, per cent, of a lead of this many standard deviations.
pub(crate) fn superiority(deviations: f64) -> f64 {
    if deviations.is_nan() {
        return deviations;
    }
    100.0 * normal_cdf(deviations)
}

/// The whole number at the beginning of a text, as C++ reads it: what follows does not matter.
///
/// # Errors
/// All that fastchess says about a text that it cannot read: the name of its function.
pub(crate) fn whole<T: TryFrom<i128>>(text: &str) -> Result<T, String> {
    let text = text.trim_start();
    let sign = usize::from(text.starts_with(['-', '+']));
    let digits = text[sign..].find(|one: char| !one.is_ascii_digit());
    let number = &text[..digits.map_or(text.len(), |digits| sign + digits)];
    let value = number.parse::<i128>().ok();
    let value = value.and_then(|value| T::try_from(value).ok());
    value.ok_or_else(|| "stoi".to_owned())
}

/// The decimal number at the beginning of a text.
///
/// # Errors
/// As [`whole`].
pub(crate) fn real(text: &str) -> Result<f64, String> {
    let text = text.trim_start();
    let ends = text.char_indices().map(|(at, one)| at + one.len_utf8());
    let found = ends.rev().find_map(|end| text[..end].parse().ok());
    found.ok_or_else(|| "stod".to_owned())
}

/// A moment in this machine's time zone.
pub(crate) fn moment(at: UnixMillis, format: &str) -> String {
    let stamp = jiff::Timestamp::from_millisecond(at.0).unwrap_or_default();
    let zoned = stamp.to_zoned(jiff::tz::TimeZone::system());
    zoned.strftime(format).to_string()
}

pub(crate) fn hours(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}", seconds % 60)
}

/// Seconds in milliseconds, truncated as by both runners, except for the rounding error of binary fractions.
pub(crate) fn milliseconds(seconds: f64) -> i64 {
    (seconds * 1000.0 + seconds * 1e-12) as i64
}

/// `inf`, or `[hg][moves/][minutes:]seconds[+increment]`; `seconds` reads a number, and all times are truncated to milliseconds.
///
/// # Errors
/// Those of `seconds`.
pub(crate) fn time_control(
    text: &str,
    seconds: impl Fn(&str) -> Result<f64, String>,
) -> Result<EngineLimits, String> {
    let mut clock = EngineLimits::default();
    if matches!(text, "inf" | "infinite") {
        return Ok(clock);
    }
    let (rest, increment) = match text.split_once('+') {
        Some((rest, increment)) => (rest, seconds(increment)?),
        None => (text, 0.0),
    };
    clock.increment = milliseconds(increment);
    let (moves, time) = rest.split_once('/').unwrap_or(("0", rest));
    if !matches!(moves, "inf" | "infinite") {
        clock.moves = seconds(moves)? as i64;
    }
    clock.is_hourglass = time.starts_with("hg");
    let time = time.trim_start_matches("hg");
    clock.time = milliseconds(match time.split_once(':') {
        Some((minutes, rest)) => seconds(minutes)? * 60.0 + seconds(rest)?,
        None => seconds(time)?,
    });
    Ok(clock)
}

/// `10+0.1`, `40/60+0.6`, `hg60`, `0.5/move`; `none` where there is no clock. The increment has at most this many digits.
pub(crate) fn clock(clock: &EngineLimits, digits: usize, none: &str) -> String {
    let seconds = |milliseconds: i64| milliseconds as f64 / 1000.0;
    if clock.fixed_time > 0 {
        return format!("{}/move", general(seconds(clock.fixed_time), 8));
    }
    if !clock.runs() {
        return none.to_owned();
    }
    let mut text = (if clock.is_hourglass { "hg" } else { "" }).to_owned();
    if clock.moves > 0 {
        text += &format!("{}/", clock.moves);
    }
    text += &general(seconds(clock.time), 8);
    if clock.increment > 0 {
        text += &format!("+{}", general(seconds(clock.increment), digits));
    }
    text
}

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
            let parts = parts
                .map(|(place, count)| *count as f64 / observations * value(place as f64 * step));
            parts.sum()
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
    fn significant_digits_as_c_has_them() {
        let texts = [0.1, 10.0, 100.0, 0.05, 0.125, 1.25, 0.00001].map(|value| general(value, 2));
        assert_eq!(
            texts,
            ["0.1", "10", "1e+02", "0.05", "0.12", "1.2", "1e-05"]
        );
        assert_eq!(general(600.0, 6), "600");
    }

    #[test]
    fn what_is_not_finite_has_a_word() {
        assert_eq!(fixed(f64::INFINITY, 2), "inf");
        assert_eq!(fixed(-f64::NAN, 2), "-nan");
        assert_eq!(fixed(-0.0, 2), "-0.00");
    }

    #[test]
    fn a_number_ends_where_it_cannot_go_on() {
        let texts = ["-5", " +7", "1x", "1.5", "0x2", "007"];
        assert_eq!(texts.map(whole::<i32>), [-5, 7, 1, 1, 0, 7].map(Ok));
        for text in ["", "x", "-", "+-1", "2147483648", "-99999999999"] {
            assert!(whole::<i32>(text).is_err(), "{text}");
        }
        let texts = ["0.1", "-.5", "5.s", "1e", "2e+1x", "0,5", "1+2"];
        let values = [0.1, -0.5, 5.0, 1.0, 20.0, 0.0, 1.0];
        assert_eq!(texts.map(real), values.map(Ok));
        for text in ["", "x", ".", "-", "e5"] {
            assert!(real(text).is_err(), "{text}");
        }
    }

    #[test]
    fn time_controls() {
        for (text, [moves, time, increment], written) in [
            ("10+0.1", [0, 10_000, 100], "10+0.1"),
            ("40/60+0.6s", [40, 60_000, 600], "40/60+0.6"),
            ("1:30.5", [0, 90_500, 0], "90.5"),
            ("inf/8.03+0.08", [0, 8030, 80], "8.03+0.08"),
            ("inf", [0, 0, 0], "-"),
            ("0/5s", [0, 5000, 0], "5"),
        ] {
            let read = time_control(text, real).unwrap();
            assert_eq!(
                [read.moves, read.time, read.increment],
                [moves, time, increment]
            );
            assert_eq!(clock(&read, 6, "-"), written);
        }
        for text in ["", "a", "1/", "/5", "+1", "10+", "1+x", "x/5"] {
            assert!(time_control(text, real).is_err(), "{text}");
        }
    }

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
