//! The one clock of a run: from the monotonic clock to stamps, and back.

use std::time::Duration;

use tokio::time::Instant;

use crate::clock::Stamp;

/// The moment from which all stamps of a run are counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Epoch(Instant);

impl Epoch {
    /// An epoch that begins now.
    pub(crate) fn begin() -> Epoch {
        Epoch(Instant::now())
    }

    /// The stamp of this moment.
    pub(crate) fn now(self) -> Stamp {
        self.stamp(Instant::now())
    }

    /// The stamp of a moment.
    pub(crate) fn stamp(self, moment: Instant) -> Stamp {
        let nanoseconds = moment.saturating_duration_since(self.0).as_nanos();
        Stamp(u64::try_from(nanoseconds).unwrap_or(u64::MAX))
    }

    /// The moment of a stamp, for timers. A timer may fire up to a millisecond
    /// early or late; that decides nothing.
    pub(crate) fn instant(self, stamp: Stamp) -> Instant {
        // A stamp beyond the range of the clock is as good as never.
        let never = self.0 + Duration::from_secs(86_400 * 365 * 30);
        self.0
            .checked_add(Duration::from_nanos(stamp.0))
            .unwrap_or(never)
    }
}
