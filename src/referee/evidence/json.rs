//! The evidence as JSON: an array for each watched move, an object for a flag fall. Times are nanoseconds.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{EngineTimes, Observation};
use crate::clock::nanoseconds;

/// Watched, wake-up, lane's waits, engine's processor time, engine's waits, its
/// longest wait, whether its threads could all be followed (1 or 0), pressure,
/// suspended.
pub(super) type ObservationJson = [Option<u64>; 9];

/// A time as nanoseconds.
pub(super) mod time {
    use super::{Deserialize, Deserializer, Duration, Serializer, nanoseconds};

    pub(in super::super) fn serialize<S: Serializer>(
        time: &Duration,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(nanoseconds(*time))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_nanos)
    }
}

/// A time as nanoseconds, or `null`.
pub(super) mod time_if_known {
    use super::{Deserialize, Deserializer, Duration, Serialize, Serializer, nanoseconds};

    pub(in super::super) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(nanoseconds).serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::deserialize(deserializer)?.map(Duration::from_nanos))
    }
}

impl From<Observation> for ObservationJson {
    fn from(seen: Observation) -> ObservationJson {
        let engine = |time: fn(&EngineTimes) -> u64| seen.engine.as_ref().map(time);
        [
            Some(nanoseconds(seen.watched)),
            seen.wakeup.map(nanoseconds),
            seen.lane_wait.map(nanoseconds),
            engine(|times| nanoseconds(times.cpu)),
            engine(|times| nanoseconds(times.wait)),
            engine(|times| nanoseconds(times.longest_wait)),
            engine(|times| u64::from(times.complete)),
            seen.pressure.map(nanoseconds),
            Some(nanoseconds(seen.suspended)),
        ]
    }
}

impl From<ObservationJson> for Observation {
    fn from(row: ObservationJson) -> Observation {
        let time = |place: usize| row[place].map(Duration::from_nanos);
        let engine = || {
            Some(EngineTimes {
                cpu: time(3)?,
                wait: time(4)?,
                longest_wait: time(5)?,
                complete: row[6]? > 0,
            })
        };
        Observation {
            watched: time(0).unwrap_or_default(),
            wakeup: time(1),
            lane_wait: time(2),
            engine: engine(),
            pressure: time(7),
            suspended: time(8).unwrap_or_default(),
        }
    }
}
