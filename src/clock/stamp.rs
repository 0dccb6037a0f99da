//! When something happened.

use std::ops::Add;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Nanoseconds since the run's epoch, of a monotonic clock. Enough for 584 years.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Stamp(pub u64);

impl Stamp {
    /// The time from `earlier` to this stamp; zero if it is not earlier.
    pub fn saturating_since(self, earlier: Stamp) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for Stamp {
    type Output = Stamp;

    /// The stamp this much later; the last possible one where that cannot be represented.
    fn add(self, time: Duration) -> Stamp {
        Stamp(self.0.saturating_add(nanoseconds(time)))
    }
}

/// Durations of more than 584 years do not occur; they would be cut to that.
pub(crate) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_never_overflow() {
        assert_eq!(Stamp(5) + Duration::from_nanos(7), Stamp(12));
        assert_eq!(Stamp(1) + Duration::MAX, Stamp(u64::MAX));
        assert_eq!(Stamp(3).saturating_since(Stamp(1)), Duration::from_nanos(2));
        assert_eq!(Stamp(1).saturating_since(Stamp(3)), Duration::ZERO);
    }
}
