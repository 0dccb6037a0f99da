//! Whether the runner itself was stopped: by a signal (Ctrl-Z), by a debugger, or frozen
//! with the container it is in. The engines may have continued meanwhile, and nobody listened.
//!
//! The clock of the stamps continues as well, and nothing in `/proc` shows it. But a wait that lasts
//! far beyond its own timer does.

use std::time::Duration;

use tokio::time::Instant;

/// A timer that fires later than this was not only slow.
pub(crate) const MIN_LATENESS: Duration = Duration::from_millis(20);

/// For how long nobody looked after a timer was due, where somebody had looked before, and looks
/// again now; `None` if that is within reason. From look to look: an engine that chatters without
/// end is looked at all the time, and gains nothing by it.
pub(crate) fn overslept(due: Instant, looked: Instant, now: Instant) -> Option<Duration> {
    let late = now.saturating_duration_since(due.max(looked));
    Some(late).filter(|late| *late >= MIN_LATENESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_beyond_the_timer_and_the_last_look_counts() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let table = [
            ("in time", 500, 0, 400, None),
            ("a slow timer", 500, 0, 519, None),
            ("stopped", 500, 0, 2500, Some(2000)),
            ("looked at since it was due", 500, 2490, 2500, None),
            ("the same, and stopped", 500, 2000, 2500, Some(500)),
        ];
        for (name, due, looked, now, expected) in table {
            let expected = expected.map(Duration::from_millis);
            assert_eq!(overslept(at(due), at(looked), at(now)), expected, "{name}");
        }
    }
}
