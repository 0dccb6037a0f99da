//! Whether the machine was suspended: a jump between two of its clocks.

use std::time::Duration;

use crate::platform::machine;

/// One clock that runs while the machine is suspended, and one that does not, read before and
/// after it: whatever comes between two readings, it is not taken for a suspension.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clocks {
    before: Duration,
    with_suspension: Duration,
    after: Duration,
}

impl Clocks {
    /// Reads them now.
    pub(crate) fn read() -> Clocks {
        let [before, with_suspension, after] = machine::clocks();
        Clocks {
            before,
            with_suspension,
            after,
        }
    }

    /// The least that the machine can have been suspended in between.
    pub(crate) fn suspended_since(&self, earlier: &Clocks) -> Duration {
        let least_now = self.with_suspension.saturating_sub(self.after);
        let most_then = earlier.with_suspension.saturating_sub(earlier.before);
        least_now.saturating_sub(most_then)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suspension_is_a_jump_between_the_clocks_and_a_pause_is_not() {
        let ms = Duration::from_millis;
        let clocks = |before, with, after| Clocks {
            before: ms(before),
            with_suspension: ms(with),
            after: ms(after),
        };
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
