//! The keys of `-engine` and `-each`.

use super::number::{real, whole};
use super::settings::{Clock, Engine};

/// A key and its value.
pub(super) type KeyValue = (String, String);

/// The message of fastchess about a key that it does not know.
pub(super) fn unrecognized(option: &str, key: &str, value: &str) -> String {
    format!("Unrecognized {option} option \"{key}\" with value \"{value}\".")
}

/// Takes in a key of an engine.
///
/// # Errors
/// The reason, as fastchess words it.
pub(super) fn set(engine: &mut Engine, key: &str, value: &str) -> Result<(), String> {
    match key {
        "cmd" => engine.cmd = value.to_owned(),
        "name" => engine.name = value.to_owned(),
        // The margin is kept with the other limits that were given before.
        "tc" => engine.limit.tc = time_control(value)?,
        "st" => engine.limit.tc.fixed_time = duration(value, 1000)?,
        "timemargin" => {
            engine.limit.tc.timemargin = whole(value)?;
            if engine.limit.tc.timemargin < 0 {
                return Err("The value for timemargin cannot be a negative number.".to_owned());
            }
        }
        // In fastchess, negative numbers wrap around to large ones.
        "nodes" => engine.limit.nodes = whole::<i64>(value)?.cast_unsigned(),
        "plies" | "depth" => engine.limit.plies = whole::<i64>(value)?.cast_unsigned(),
        "dir" => engine.dir = value.to_owned(),
        "args" => engine.args = value.to_owned(),
        "restart" => match value {
            "on" | "off" => engine.restart = value == "on",
            _ => {
                let text = "Invalid parameter (must be either \"on\" or \"off\")";
                return Err(format!("{text}: {value}"));
            }
        },
        "proto" if value == "uci" => {}
        "proto" => return Err("Unsupported protocol.".to_owned()),
        _ => match key.strip_prefix("option.") {
            Some(name) => engine.options.push((name.to_owned(), value.to_owned())),
            None => return Err(unrecognized("engine", key, value)),
        },
    }
    Ok(())
}

/// The two sides of a delimiter that occurs exactly once in a time control; neither side is empty.
fn split(text: &str, delimiter: char) -> Result<(&str, &str), String> {
    let parts = text.split_once(delimiter);
    let fine = |(left, right): &(&str, &str)| {
        !left.is_empty() && !right.is_empty() && !right.contains(delimiter)
    };
    let invalid = || format!("Invalid time control: \"{text}\"");
    parts.filter(fine).ok_or_else(invalid)
}

/// A time in milliseconds, from a number of seconds (with or without an `s`) or of a longer unit.
fn duration(text: &str, milliseconds: i64) -> Result<i64, String> {
    let text = match text.strip_suffix('s') {
        Some(number) if milliseconds == 1000 && !number.is_empty() => number,
        _ => text,
    };
    let scaled = real(text)? * milliseconds as f64;
    match (0.0..9.2e18).contains(&scaled) {
        // Truncated as in fastchess, except for the rounding error of binary fractions.
        true => Ok((scaled + scaled * 1e-15) as i64),
        false => Err(format!("Invalid time control duration: \"{text}\"")),
    }
}

/// `inf`, or `[moves/][minutes:]seconds[+increment]`.
fn time_control(text: &str) -> Result<Clock, String> {
    if text.contains("hg") {
        return Err("Hourglass time control not supported.".to_owned());
    }
    let mut clock = Clock::default();
    if matches!(text, "inf" | "infinite") {
        return Ok(clock);
    }
    if text.is_empty() {
        return Err("Invalid time control: empty value".to_owned());
    }
    let mut rest = text;
    if rest.contains('/') {
        let (moves, behind) = split(rest, '/')?;
        if !matches!(moves, "inf" | "infinite") {
            clock.moves = whole(moves)?;
            if clock.moves <= 0 {
                return Err("Time control move count must be positive".to_owned());
            }
        }
        rest = behind;
    }
    if rest.contains('+') {
        let (time, increment) = split(rest, '+')?;
        clock.increment = duration(increment, 1000)?;
        rest = time;
    }
    clock.time = match rest.contains(':') {
        true => {
            let (minutes, seconds) = split(rest, ':')?;
            let minutes = duration(minutes, 60_000)?;
            minutes
                .checked_add(duration(seconds, 1000)?)
                .ok_or_else(|| format!("Invalid time control duration: \"{rest}\""))?
        }
        false => duration(rest, 1000)?,
    };
    Ok(clock)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> [i64; 3] {
        let clock = time_control(text).unwrap();
        [clock.moves, clock.time, clock.increment]
    }

    #[test]
    fn time_controls() {
        assert_eq!(clock("10+0.1"), [0, 10_000, 100]);
        assert_eq!(clock("40/60+0.6s"), [40, 60_000, 600]);
        assert_eq!(clock("1:30.5"), [0, 90_500, 0]);
        assert_eq!(clock("inf/8.03+0.08"), [0, 8030, 80]);
        assert_eq!(clock("inf"), [0, 0, 0]);
        for text in ["hg5", "", "a", "1/", "0/5", "1+2+3", "-1", "1:2:3"] {
            assert!(time_control(text).is_err(), "{text}");
        }
    }

    #[test]
    fn unknown_keys_are_named() {
        let error = set(&mut Engine::default(), "colour", "red").unwrap_err();
        assert_eq!(
            error,
            "Unrecognized engine option \"colour\" with value \"red\"."
        );
    }
}
