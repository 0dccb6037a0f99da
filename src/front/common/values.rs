//! Numbers and values as both runners read, compute and print them: moments, durations, clocks.

use std::time::Duration;

use super::settings::EngineLimits;
use crate::event::UnixMillis;
use crate::stats::numeric::distributions::normal_cdf;

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
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if exponent < -4 || exponent >= digits as i32 {
        return format!("{}e{exponent:+03}", trimmed(mantissa));
    }
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    trimmed(&format!("{value:.decimals$}"))
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

/// `00:01:02`.
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
}
