//! Whether the runner itself was stopped: by a signal (Ctrl-Z), by a debugger, or frozen
//! with the container it is in. The engines may have continued meanwhile, and nobody listened.
//!
//! The clock of the stamps continues as well, and nothing in `/proc` shows it. But a wait that lasts
//! far beyond its own timer does. Whether the whole machine was suspended shows as a jump between two of its clocks.

use std::time::Duration;

use tokio::time::Instant;

use crate::platform::machine;

/// A timer that fires later than this was not only slow.
pub(crate) const MIN_LATENESS: Duration = Duration::from_millis(20);

/// For how long nobody looked after a timer was due, where somebody had looked before, and looks
/// again now; `None` if that is within reason. From look to look: an engine that chatters without
/// end is looked at all the time, and gains nothing by it.
pub(crate) fn overslept(due: Instant, looked: Instant, now: Instant) -> Option<Duration> {
    let late = now.saturating_duration_since(due.max(looked));
    Some(late).filter(|late| *late >= MIN_LATENESS)
}

/// One clock that runs while the machine is suspended, and one that does not, read before and
/// after it: whatever comes between two readings, it is not taken for a suspension.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clocks([Duration; 3]);

impl Clocks {
    /// Reads them now.
    pub(crate) fn read() -> Clocks {
        Clocks(machine::clocks())
    }

    /// The least that the machine can have been suspended in between.
    pub(crate) fn suspended_since(&self, earlier: &Clocks) -> Duration {
        let ([_, now, after], [before, then, _]) = (self.0, earlier.0);
        let (least_now, most_then) = (now.saturating_sub(after), then.saturating_sub(before));
        least_now.saturating_sub(most_then)
    }
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

    #[test]
    fn a_suspension_is_a_jump_between_the_clocks_and_a_pause_is_not() {
        let ms = Duration::from_millis;
        let clocks = |before, with, after| Clocks([before, with, after].map(ms));
        let first = clocks(1000, 5000, 1000);
        let suspended = |now: Clocks| now.suspended_since(&first);
        assert_eq!(suspended(clocks(2000, 6000, 2000)), Duration::ZERO);
        assert_eq!(suspended(clocks(2000, 6700, 2000)), ms(700));
        // kept off the processor for 30 ms between two readings, either pair
        assert_eq!(suspended(clocks(2000, 6030, 2030)), Duration::ZERO);
        assert_eq!(suspended(clocks(2000, 6000, 2030)), Duration::ZERO);
        let late = clocks(1000, 5030, 1030);
        assert_eq!(
            clocks(2000, 6000, 2000).suspended_since(&late),
            Duration::ZERO
        );
    }
}
