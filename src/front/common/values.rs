//! Values that both runners print alike: moments, durations.

use std::time::Duration;

use crate::event::UnixMillis;

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
