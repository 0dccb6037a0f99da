//! Numbers, differences in Elo, probabilities and times in words: each has one form everywhere.

use std::time::Duration;

/// `1 game`, `2 games`.
pub(crate) fn count(number: impl TryInto<u64>, noun: &str) -> String {
    match number.try_into().unwrap_or(u64::MAX) {
        1 => format!("1 {noun}"),
        number => format!("{number} {noun}s"),
    }
}

/// `60 s`, `19.5 s`, `7.8 ms`, `25 ns`, `12 min`, `3 h 20 min`, `12.5 days`: rounded to what matters. Above two minutes
/// whole minutes.
pub(crate) fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    let (value, unit) = match seconds {
        0.0 => (0.0, "s"),
        259_200.0.. => (seconds / 86_400.0, "days"),
        5970.0.. => {
            let minutes = (seconds / 60.0).round() as u64;
            return format!("{} h {} min", minutes / 60, minutes % 60);
        }
        120.0.. => ((seconds / 60.0).round(), "min"),
        0.9995.. => (seconds, "s"),
        1e-5.. => (seconds * 1e3, "ms"),
        _ => ((seconds * 1e9).round(), "ns"),
    };
    let decimals = match value {
        99.5.. => 0,
        9.95.. => 1,
        _ => 2,
    };
    let text = format!("{value:.decimals$}");
    format!("{} {unit}", without_zeros(&text))
}

/// A number without the zeros at the end of its decimals.
pub(crate) fn without_zeros(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

/// The same of a number of seconds; `not known` of what is no time.
pub(crate) fn duration_of_seconds(value: f64) -> String {
    Duration::try_from_secs_f64(value).map_or_else(|_| "not known".to_owned(), duration)
}

/// The same for a forecast, which has no parts of a second.
pub(crate) fn about(seconds: f64) -> String {
    duration(Duration::from_secs(seconds.round() as u64))
}

pub(crate) fn clock(left: Duration) -> String {
    let seconds = left.as_secs();
    match seconds {
        0..10 => format!("{seconds}.{}", left.subsec_millis() / 100),
        10..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!(
            "{}:{:02}:{:02}",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        ),
    }
}

/// `2026-11-30 05:08:12 UTC` of milliseconds since 1970; nothing if that is out of range.
pub(crate) fn instant(milliseconds: i64) -> String {
    let moment = jiff::Timestamp::from_millisecond(milliseconds);
    let words = moment.map(|moment| moment.strftime("%Y-%m-%d %H:%M:%S UTC").to_string());
    words.unwrap_or_default()
}

/// A number with so many decimals, and never `-0.0`.
pub(crate) fn decimal(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(size) if !size.contains(|one| one != '0' && one != '.') => size.to_owned(),
        _ => text,
    }
}

/// The same with a sign.
pub(crate) fn signed(value: f64, decimals: usize) -> String {
    let text = decimal(value, decimals);
    if text.starts_with('-') {
        text
    } else {
        format!("+{text}")
    }
}

/// `+12.3`; infinite differences are `+inf` and `-inf`.
pub(crate) fn elo(value: f64) -> String {
    signed(value, 1)
}

/// `+12.3`, or `-` without a value.
pub(crate) fn elo_or_dash(value: Option<f64>) -> String {
    or_dash(value, elo)
}

/// A wider interval says nothing of a difference.
const MAX_INTERVAL_ELO: f64 = 800.0;

/// Whether an interval of Elo, of this width, says something.
pub(crate) fn is_narrow(width: f64) -> bool {
    width < MAX_INTERVAL_ELO
}

/// `[+2.3, +22.1]`, `at least +2.3`, `at most +22.1`.
pub(crate) fn interval(low: f64, high: f64) -> String {
    match [low, high].map(f64::is_finite) {
        [true, true] if !is_narrow(high - low) => "not known (wider than 800 Elo)".to_owned(),
        [true, true] => format!("[{}, {}]", elo(low), elo(high)),
        [true, false] => format!("at least {}", elo(low)),
        [false, true] => format!("at most {}", elo(high)),
        [false, false] => "not known".to_owned(),
    }
}

/// `+12.3  [+2.3, +22.1]`; an interval that is open has no value.
pub(crate) fn estimate(value: f64, low: f64, high: f64) -> String {
    let interval = interval(low, high);
    if value.is_finite() && is_narrow(high - low) {
        format!("{}  {interval}", elo(value))
    } else {
        interval
    }
}

pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A value written by `show`, or `-`.
pub(crate) fn or_dash(value: Option<f64>, show: impl Fn(f64) -> String) -> String {
    let value = value.filter(|value| !value.is_nan());
    value.map_or_else(|| "-".to_owned(), show)
}

pub(crate) fn probability(p: f64) -> String {
    match p {
        p if p < 0.0005 => "< 0.001".to_owned(),
        p => format!("{p:.3}"),
    }
}

pub(crate) fn p_value(p: f64) -> String {
    match p {
        p if p < 0.0005 => "p < 0.001".to_owned(),
        p => format!("p = {p:.3}"),
    }
}

/// Appends a whole number.
pub(crate) fn push_number(out: &mut String, number: u64) {
    let mut digits = [0u8; 20];
    let mut first = digits.len();
    let mut rest = number;
    loop {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend(digits[first..].iter().map(|&digit| char::from(digit)));
}

/// Appends a number with at least this many digits.
pub(crate) fn push_padded(out: &mut String, number: u64, width: u32) {
    let mut bound = 10u64.pow(width.saturating_sub(1));
    while bound > 1 && number < bound {
        out.push('0');
        bound /= 10;
    }
    push_number(out, number);
}

/// Appends hundredths as a decimal number with two places: `-31` is `-0.31`.
pub(crate) fn push_hundredths(out: &mut String, hundredths: i64) {
    if hundredths < 0 {
        out.push('-');
    }
    let size = hundredths.unsigned_abs();
    push_number(out, size / 100);
    out.push('.');
    push_padded(out, size % 100, 2);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_rounded_to_what_matters() {
        for (nanoseconds, words) in [
            (60_002_057_055, "60 s"),
            (19_500_000_000, "19.5 s"),
            (1_000_000_000, "1 s"),
            (999_999_999, "1 s"),
            (7_815_000, "7.82 ms"),
            (250_000_000, "250 ms"),
            (34_000, "0.03 ms"),
            (0, "0 s"),
            (119_900_000_000, "120 s"),
            (720_000_000_000, "12 min"),
            (12_061_000_000_000, "3 h 21 min"),
        ] {
            assert_eq!(duration(Duration::from_nanos(nanoseconds)), words);
        }
    }
    #[test]
    fn no_number_is_minus_nothing() {
        for (value, decimals, shown) in [
            (-0.01, 1, "+0.0"),
            (-0.4, 0, "+0"),
            (-0.06, 1, "-0.1"),
            (f64::NEG_INFINITY, 1, "-inf"),
            (-0.0, 2, "+0.00"),
            (12.34, 1, "+12.3"),
        ] {
            assert_eq!(signed(value, decimals), shown);
            assert_eq!(decimal(value, decimals), shown.trim_start_matches('+'));
        }
    }

    #[test]
    fn no_estimate_is_infinite() {
        let ends = [f64::NEG_INFINITY, -30.0, 0.0, 30.0, f64::INFINITY, f64::NAN];
        for value in ends {
            for low in ends {
                for high in ends {
                    let text = estimate(value, low, high);
                    assert!(!text.contains("inf") && !text.contains("NaN"), "{text}");
                }
            }
        }
        assert_eq!(
            estimate(f64::INFINITY, 304.2, f64::INFINITY),
            "at least +304.2"
        );
        let wide = estimate(12.0, -400.0, 424.0);
        assert_eq!(wide, "not known (wider than 800 Elo)");
    }

    #[test]
    fn clocks_are_short() {
        let text = |milliseconds| clock(Duration::from_millis(milliseconds));
        assert_eq!(
            [8_370, 10_000, 299_999, 3_723_000].map(text),
            ["8.3", "0:10", "4:59", "1:02:03"]
        );
    }

    #[test]
    fn digits_are_appended() {
        let text = |write: &dyn Fn(&mut String)| {
            let mut out = String::new();
            write(&mut out);
            out
        };
        assert_eq!(
            text(&|out| push_number(out, u64::MAX)),
            u64::MAX.to_string()
        );
        assert_eq!(text(&|out| push_padded(out, 7, 3)), "007");
        assert_eq!(text(&|out| push_padded(out, 0, 2)), "00");
        assert_eq!(text(&|out| push_hundredths(out, -5)), "-0.05");
        assert_eq!(text(&|out| push_hundredths(out, 1234)), "12.34");
    }
}
