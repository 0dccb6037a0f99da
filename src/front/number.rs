//! Numbers as the C++ programs write and read them.

/// With `decimals` decimals; values that are not finite are `nan`, `-nan`, `inf`, `-inf`.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    if value.is_finite() {
        return format!("{value:.decimals$}");
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let word = if value.is_nan() { "nan" } else { "inf" };
    format!("{sign}{word}")
}

/// With at most `digits` significant digits, like `%g` of C: 0.1, 10, 1e+02.
pub(super) fn general(value: f64, digits: usize) -> String {
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

/// The message that a text is not a number.
fn invalid(text: &str) -> String {
    format!("Invalid numeric value: \"{text}\"")
}

/// A whole number of a type, as `stoll` reads it: a sign and digits, nothing else.
///
/// # Errors
/// The reason, as fastchess words it.
pub(super) fn whole<T: TryFrom<i128>>(text: &str) -> Result<T, String> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let value = is_number.then(|| text.parse::<i128>().ok()).flatten();
    let fitting = value.and_then(|value| T::try_from(value).ok());
    fitting.ok_or_else(|| invalid(text))
}

/// A number as `stold` reads it, decimal or hexadecimal, finite and with nothing after it.
///
/// # Errors
/// As [`whole`].
pub(super) fn real(text: &str) -> Result<f64, String> {
    let plain = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    let decimal = || text.parse().ok().filter(|_| text.bytes().all(plain));
    let value = hexadecimal(text).or_else(decimal);
    let finite = value.filter(|value: &f64| value.is_finite());
    finite.ok_or_else(|| invalid(text))
}

/// A sign, `0x`, digits with or without a point, and a power of two after `p`.
fn hexadecimal(text: &str) -> Option<f64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let digits = digits.strip_prefix("0x").or(digits.strip_prefix("0X"))?;
    let (digits, power) = match digits.split_once(['p', 'P']) {
        Some((digits, power)) => (digits, power.parse::<i32>().ok()?),
        None => (digits, 0),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let mut all = whole.chars().chain(part.chars()).peekable();
    all.peek()?;
    let value = all.try_fold(0.0, |value, digit| {
        Some(value * 16.0 + f64::from(digit.to_digit(16)?))
    })?;
    let power = power.checked_sub(i32::try_from(part.len()).ok()?.checked_mul(4)?)?;
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    Some(sign * value * 2_f64.powi(power))
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
    fn numbers_are_strict() {
        assert_eq!(whole::<i32>("-5"), Ok(-5));
        assert_eq!(real("0.1"), Ok(0.1));
        let values = ["0x5", "-0X1.8p1", "0x.8p-1"].map(real);
        assert_eq!(values, [5.0, -3.0, 0.25].map(Ok));
        for text in ["", " 1", "1x", "1.5", "99999999999"] {
            assert!(whole::<i32>(text).is_err(), "{text}");
        }
        for text in [
            "",
            "inf",
            "nan",
            "1s",
            "1e999",
            "0x",
            "0x1g",
            "0x1p",
            "0x1p99999",
        ] {
            assert!(real(text).is_err(), "{text}");
        }
    }
}
