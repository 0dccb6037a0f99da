//! Values that both runners print alike: scores, moments, durations.

use std::time::Duration;

use super::number::fixed;
use crate::event::UnixMillis;
use crate::uci::Score;

/// `+0.42`, `0.00`, and mates in half-moves: `+M5`, `-M6`.
pub(crate) fn score(score: Score) -> String {
    match score {
        Score::Centipawns(points) => {
            let sign = match points {
                1.. => "+",
                0 => "",
                _ => "-",
            };
            format!(
                "{sign}{}",
                fixed(f64::from(points.unsigned_abs()) / 100.0, 2)
            )
        }
        Score::Mate(moves) if moves > 0 => format!("+M{}", i64::from(moves) * 2 - 1),
        Score::Mate(moves) => format!("-M{}", i64::from(moves) * -2),
    }
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
    format!(
        "{:02}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}
