//! Durations as people say them.

use std::time::Duration;

/// `60 s`, `19.5 s`, `7.8 ms`, `12 min`: rounded to what matters. Above two minutes whole minutes.
pub(crate) fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    let (value, unit) = match seconds {
        120.0.. => ((seconds / 60.0).round(), "min"),
        0.9995.. => (seconds, "s"),
        _ => (seconds * 1e3, "ms"),
    };
    let decimals = match value {
        99.5.. => 0,
        9.95.. => 1,
        _ => 2,
    };
    let text = format!("{value:.decimals$}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    format!("{text} {unit}")
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
            (0, "0 ms"),
            (119_900_000_000, "120 s"),
            (720_000_000_000, "12 min"),
        ] {
            assert_eq!(duration(Duration::from_nanos(nanoseconds)), words);
        }
    }
}
