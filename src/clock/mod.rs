//! Time controls and clocks, in virtual time: nothing here asks what time it is.
//!
//! | file | what |
//! |---|---|
//! | this one | [`Stamp`]: when something happened, in nanoseconds of the run |
//! | `control` | [`TimeControl`]: periods as PGN writes them, `40/5400+30:1800+30` |
//! | `limits` | [`Limits`]: what bounds a search: a clock, a time, nodes, depth |
//! | `running` | [`Clock`]: the time of one player in one game, and the fall of the flag |

mod control;
mod limits;
mod running;

use std::ops::Add;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub(crate) use control::MAX_SECONDS;
pub use control::{Stage, TimeControl, TimeControlError, TimeControlProblem};
pub(crate) use limits::both_limits;
pub use limits::{FirstIncrement, GivenTime, Limits, LimitsError, NODES_OBEYED, TimeLimit};
pub use running::{Charge, Clock, FlagFall};

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

/// Times in files, for serde's `with`: nanoseconds, and `null` where they are not known.
pub(crate) mod as_nanoseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        time: &(impl Copy + Into<Option<Duration>>),
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let time: Option<Duration> = (*time).into();
        time.map(super::nanoseconds).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_nanos)
    }

    pub(crate) fn if_known<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::deserialize(deserializer)?.map(Duration::from_nanos))
    }
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
