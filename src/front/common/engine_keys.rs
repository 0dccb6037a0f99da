//! The keys of `-engine` and `-each`.

use super::number::{real, whole};
use super::settings::{EngineLimits, EngineSettings};

/// A key and its value.
pub(crate) type KeyValue = (String, String);

/// The message of fastchess about a key that it does not know.
pub(crate) fn unrecognized(option: &str, key: &str, value: &str) -> String {
    format!("Unrecognized {option} option \"{key}\" with value \"{value}\".")
}

/// Takes in a key of an engine.
///
/// # Errors
/// The reason, as fastchess words it.
pub(crate) fn set(engine: &mut EngineSettings, key: &str, value: &str) -> Result<(), String> {
    match key {
        "cmd" => engine.cmd = value.to_owned(),
        "name" => engine.name = value.to_owned(),
        // The margin is kept with the other limits that were given before.
        "tc" => engine.limit.tc = time_control(value)?,
        "st" => engine.limit.tc.fixed_time = duration(value, 1000.0)?,
        "timemargin" => {
            engine.limit.tc.timemargin = whole::<i32>(value)?.into();
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

/// A time in milliseconds, from a number of units; what follows the number does not matter.
fn duration(text: &str, unit: f64) -> Result<i64, String> {
    let scaled = real(text)? * unit;
    // Truncated as in fastchess, except for the rounding error of binary fractions.
    Ok((scaled + scaled * 1e-15) as i64)
}

/// `inf`, or `[moves/][minutes:]seconds[+increment]`; more parts than these do not matter.
fn time_control(text: &str) -> Result<EngineLimits, String> {
    if text.contains("hg") {
        return Err("Hourglass time control not supported.".to_owned());
    }
    let mut clock = EngineLimits::default();
    if matches!(text, "inf" | "infinite") {
        return Ok(clock);
    }
    // Where a part is missing, fastchess crashes.
    let two = |rest: &str, delimiter: char| {
        let mut parts = rest.split(delimiter).filter(|part| !part.is_empty());
        let parts = parts
            .next()
            .map(str::to_owned)
            .zip(parts.next().map(str::to_owned));
        parts.ok_or_else(|| format!("Invalid time control: \"{text}\""))
    };
    let mut rest = text.to_owned();
    if text.contains('/') {
        let (moves, behind) = two(&rest, '/')?;
        if !matches!(moves.as_str(), "inf" | "infinite") {
            clock.moves = whole::<i32>(&moves)?.into();
        }
        rest = behind;
    }
    if text.contains('+') {
        let (time, increment) = two(&rest, '+')?;
        clock.increment = duration(&increment, 1000.0)?;
        rest = time;
    }
    clock.time = match text.contains(':') {
        true => {
            let (minutes, seconds) = two(&rest, ':')?;
            duration(&minutes, 60_000.0)?.saturating_add(duration(&seconds, 1000.0)?)
        }
        false => duration(&rest, 1000.0)?,
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
        assert_eq!(clock("0/5s"), [0, 5000, 0]);
        assert_eq!(clock("2/1:2:3+4+5/6"), [2, 62_000, 4000]);
        assert_eq!(clock("-1+-0.5"), [0, -1000, -500]);
        for text in ["hg5", "", "a", "1/", "/5", "+1", "10+", "1+2:3", "x/5"] {
            assert!(time_control(text).is_err(), "{text}");
        }
    }

    #[test]
    fn unknown_keys_are_named() {
        let error = set(&mut EngineSettings::default(), "colour", "red").unwrap_err();
        assert_eq!(
            error,
            "Unrecognized engine option \"colour\" with value \"red\"."
        );
    }
}
