//! The evidence as JSON: an array for each watched move, an object for a flag fall. Times are nanoseconds.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{EngineTimes, Observation};
use crate::clock::nanoseconds;

/// Watched, wake-up, lane's waits, engine's processor time, engine's waits, its
/// longest wait, whether its threads could all be followed (1 or 0), pressure,
/// suspended.
#[derive(Serialize, Deserialize)]
pub(super) struct ObservationJson(
    u64,
    Option<u64>,
    Option<u64>,
    Option<u64>,
    Option<u64>,
    Option<u64>,
    Option<u8>,
    Option<u64>,
    u64,
);

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
        let engine = seen.engine.as_ref();
        ObservationJson(
            nanoseconds(seen.watched),
            seen.wakeup.map(nanoseconds),
            seen.lane_wait.map(nanoseconds),
            engine.map(|engine| nanoseconds(engine.cpu)),
            engine.map(|engine| nanoseconds(engine.wait)),
            engine.map(|engine| nanoseconds(engine.longest_wait)),
            engine.map(|engine| u8::from(engine.complete)),
            seen.pressure.map(nanoseconds),
            nanoseconds(seen.suspended),
        )
    }
}

impl From<ObservationJson> for Observation {
    fn from(row: ObservationJson) -> Observation {
        let time = Duration::from_nanos;
        let engine = || {
            Some(EngineTimes {
                cpu: time(row.3?),
                wait: time(row.4?),
                longest_wait: time(row.5?),
                complete: row.6? > 0,
            })
        };
        Observation {
            watched: time(row.0),
            wakeup: row.1.map(time),
            lane_wait: row.2.map(time),
            engine: engine(),
            pressure: row.7.map(time),
            suspended: time(row.8),
        }
    }
}
