//! Numbers as the C++ programs compute, write and read them.

use crate::stats::numeric::distributions::normal_cdf;

/// With `decimals` decimals; values that are not finite are `nan`, `-nan`, `inf`, `-inf`.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    if value.is_finite() {
        return format!("{value:.decimals$}");
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let word = if value.is_nan() { "nan" } else { "inf" };
    format!("{sign}{word}")
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
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs());
    }
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    trimmed(&format!("{value:.decimals$}")).to_owned()
}

/// Removes zeros at the end of the decimals.
fn trimmed(text: &str) -> &str {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    }
}

/// The difference in Elo of a score from 0 to 1.
pub(crate) fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The likelihood of superiority, per cent, of a lead of this many standard deviations.
pub(crate) fn superiority(deviations: f64) -> f64 {
    match deviations.is_nan() {
        true => deviations,
        false => 100.0 * normal_cdf(deviations),
    }
}

/// A type of whole numbers.
pub(crate) trait Whole: TryFrom<i128> {
    /// The function of C++ that reads one; its name is all that fastchess says about a text that it cannot read.
    const READER: &'static str;

    /// The number, if it is in range.
    fn of(value: i128) -> Option<Self> {
        Self::try_from(value).ok()
    }
}

impl Whole for i32 {
    const READER: &'static str = "stoi";
}

impl Whole for i64 {
    const READER: &'static str = "stoll";
}

impl Whole for u64 {
    const READER: &'static str = "stoull";

    /// Negative numbers wrap around.
    fn of(value: i128) -> Option<Self> {
        let size = Self::try_from(value.unsigned_abs()).ok()?;
        Some(if value < 0 { size.wrapping_neg() } else { size })
    }
}

/// The text without blanks before it.
fn begun(text: &str) -> &str {
    text.trim_start_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r'])
}

/// Number of bytes of digits at the beginning of a text.
fn digits(text: &str, radix: u32) -> usize {
    let rest = text.trim_start_matches(|character: char| character.is_digit(radix));
    text.len() - rest.len()
}

/// The whole number at the beginning of a text, as `stoi` reads it: what follows does not matter.
///
/// # Errors
/// The reason, as fastchess words it.
pub(crate) fn whole<T: Whole>(text: &str) -> Result<T, String> {
    let text = begun(text);
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let end = text.len() - unsigned.len() + digits(unsigned, 10);
    let value = text[..end].parse::<i128>().ok().and_then(T::of);
    value.ok_or_else(|| T::READER.to_owned())
}

/// The number at the beginning of a text, as `stod` reads it: decimal, hexadecimal, `inf` or `nan`.
///
/// # Errors
/// As [`whole`].
pub(crate) fn real(text: &str) -> Result<f64, String> {
    let text = begun(text);
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    let begins = |word: &str| {
        let start = unsigned.get(..word.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    let finite = match unsigned.get(2..) {
        _ if begins("inf") => return Ok(sign * f64::INFINITY),
        _ if begins("nan") => return Ok(sign * f64::NAN),
        Some(rest) if begins("0x") && length(rest, 16) > 0 => {
            hexadecimal(&rest[..length(rest, 16)])
        }
        _ => unsigned[..length(unsigned, 10)].parse::<f64>().ok(),
    };
    let finite = finite.filter(|value| value.is_finite());
    finite
        .map(|value| sign * value)
        .ok_or_else(|| "stod".to_owned())
}

/// Number of bytes of the number without a sign at the beginning of a text: digits, perhaps with a point, and a power.
fn length(text: &str, radix: u32) -> usize {
    let whole = digits(text, radix);
    let part = text[whole..].strip_prefix('.');
    let part = part.map_or(0, |part| 1 + digits(part, radix));
    let end = whole + part;
    if end - part.min(1) == 0 {
        return 0;
    }
    let powers = if radix == 16 { ['p', 'P'] } else { ['e', 'E'] };
    let power = text[end..].strip_prefix(powers).map_or(0, |power| {
        let unsigned = power.strip_prefix(['-', '+']).unwrap_or(power);
        match digits(unsigned, 10) {
            0 => 0,
            digits => 1 + power.len() - unsigned.len() + digits,
        }
    });
    end + power
}

/// Hexadecimal digits with or without a point, and a power of two after `p`.
fn hexadecimal(digits: &str) -> Option<f64> {
    let (digits, power) = match digits.split_once(['p', 'P']) {
        Some((digits, power)) => (digits, power.parse::<i32>().ok()?),
        None => (digits, 0),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let mut all = whole.chars().chain(part.chars());
    let value = all.try_fold(0.0, |value, digit| {
        Some(value * 16.0 + f64::from(digit.to_digit(16)?))
    })?;
    let power = power.checked_sub(i32::try_from(part.len()).ok()?.checked_mul(4)?)?;
    Some(value * 2_f64.powi(power))
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
        assert_eq!(general(10.1, 6), "10.1");
        assert_eq!(general(0.1, 8), "0.1");
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
            assert_eq!(whole::<i32>(text), Err("stoi".to_owned()), "{text}");
        }
        assert_eq!(whole::<u64>("-1"), Ok(u64::MAX));
        assert_eq!(whole::<i64>("9e9"), Ok(9));
        let long = "9".repeat(60);
        assert_eq!(whole::<u64>(&long), Err("stoull".to_owned()));

        let texts = ["0.1", "-.5", "5.s", "1e", "2e+1x", "0,5", "1+2", "0x"];
        let values = [0.1, -0.5, 5.0, 1.0, 20.0, 0.0, 1.0, 0.0];
        assert_eq!(texts.map(real), values.map(Ok));
        let values = ["0x5", "-0X1.8p1", "0x.8p-1", "0x1g", "0x1p"].map(real);
        assert_eq!(values, [5.0, -3.0, 0.25, 1.0, 1.0].map(Ok));
        assert_eq!(real("-Infinity"), Ok(f64::NEG_INFINITY));
        assert!(real("nan").is_ok_and(f64::is_nan));
        for text in ["", "x", ".", "-", "e5", "1e999", "0x1p99999"] {
            assert_eq!(real(text), Err("stod".to_owned()), "{text}");
        }
    }
}
