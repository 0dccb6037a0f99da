//! Numbers and time controls as Qt and cutechess-cli read them: a text that is not a number is often read as 0.

use crate::front::common::settings::EngineLimits;

/// A whole number; 0 if the text is not one.
pub(super) fn whole(text: &str) -> i64 {
    text.trim().parse().unwrap_or(0)
}

/// The value of an option that takes a whole number of 32 bits: it is read with 64 bits, of which the lower half counts.
pub(super) fn signed(text: &str) -> Option<i32> {
    text.trim().parse::<i64>().ok().map(|number| number as i32)
}

/// The same for an option that takes no number below 0.
pub(super) fn unsigned(text: &str) -> Option<u32> {
    text.trim().parse::<u64>().ok().map(|number| number as u32)
}

/// A decimal number.
pub(super) fn real(text: &str) -> Option<f64> {
    text.trim().parse().ok()
}

/// Milliseconds of a number of seconds or minutes, truncated as cutechess-cli does; `unit` is one of them in
/// milliseconds.
fn milliseconds(text: &str, unit: f64) -> f64 {
    real(text).filter(|value| value.is_finite()).unwrap_or(0.0) * unit
}

/// The two parts of a text that has exactly one separator.
fn two(text: &str, at: char) -> Option<(&str, &str)> {
    text.split_once(at).filter(|(_, right)| !right.contains(at))
}

/// `inf`, `hg[minutes:]seconds`, or `[moves/][minutes:]seconds[+increment]`; `None` if it contains no time. If the number
/// of moves is missing, the time is for all moves; parts that cannot be read are 0.
pub(super) fn time_control(text: &str) -> Option<EngineLimits> {
    if text == "inf" {
        return Some(EngineLimits::default());
    }
    let increment = two(text, '+').map_or(0.0, |(_, increment)| milliseconds(increment, 1000.0));
    let rest = text.split('+').next().unwrap_or_default();
    let (moves, time) = match two(rest, '/') {
        Some((moves, time)) => (whole(moves), time),
        None => (0, rest.split('/').next().unwrap_or_default()),
    };
    let moves = i64::from(i32::try_from(moves).unwrap_or(0).max(0));
    let increment = (increment as i32).max(0);
    let is_hourglass = time.starts_with("hg");
    let time = time.replace("hg", "");
    let time = match two(&time, ':') {
        Some((minutes, seconds)) => milliseconds(minutes, 60_000.0) + milliseconds(seconds, 1000.0),
        None => milliseconds(time.split(':').next().unwrap_or_default(), 1000.0),
    };
    let time = time as i32;
    if time <= 0 || is_hourglass && (increment > 0 || moves > 0) {
        return None;
    }
    Some(EngineLimits {
        moves,
        time: i64::from(time),
        increment: i64::from(increment),
        is_hourglass,
        ..EngineLimits::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lower_half_of_a_number_counts() {
        assert_eq!(signed(" 4294967297 "), Some(1));
        assert_eq!(signed("-1"), Some(-1));
        assert_eq!(unsigned("4294967296"), Some(0));
        for text in ["", "x", "1.5", "9223372036854775808"] {
            assert_eq!(signed(text), None, "{text}");
        }
        assert_eq!(unsigned("-1"), None);
    }

    #[test]
    fn time_controls() {
        let clock = |text: &str| {
            let read = time_control(text);
            read.map(|clock| [clock.moves, clock.time, clock.increment])
        };
        for (text, read) in [
            ("0/60+1", [0, 60_000, 1000]),
            ("0/0:5+0.05", [0, 5000, 50]),
            ("0/1:30", [0, 90_000, 0]),
            ("40/5400", [40, 5_400_000, 0]),
            ("inf/8+0.08", [0, 8000, 80]),
            ("-3/8", [0, 8000, 0]),
            ("8+-1", [0, 8000, 0]),
            ("8+x", [0, 8000, 0]),
            ("8+1+2", [0, 8000, 0]),
            (" 8 ", [0, 8000, 0]),
            ("1e1", [0, 10_000, 0]),
            ("2/3/4", [0, 2000, 0]),
            ("1:2:3", [0, 1000, 0]),
            ("inf", [0, 0, 0]),
        ] {
            assert_eq!(clock(text), Some(read), "{text}");
        }
        for text in [
            "", "0", "x", "0+1", "-1", "infinite", "hg", "hg5+1", "3/hg5", "0.0001",
        ] {
            assert_eq!(clock(text), None, "{text}");
        }
        assert_eq!(clock("hg1:30"), Some([0, 90_000, 0]));
    }
}
