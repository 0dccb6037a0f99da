//! The evidence as JSON: an array for each watched move, an object for a flag fall. Times are nanoseconds.

use std::time::Duration;

use super::{EngineTimes, Observation};
use crate::clock::nanoseconds;

/// Watched, wake-up, lane's waits, engine's processor time, engine's waits, whether its threads could all be followed (1
/// or 0), pressure, suspended.
pub(super) type ObservationJson = [Option<u64>; 8];

impl From<Observation> for ObservationJson {
    fn from(seen: Observation) -> ObservationJson {
        let engine = |time: fn(&EngineTimes) -> u64| seen.engine.as_ref().map(time);
        [
            Some(nanoseconds(seen.watched)),
            seen.wakeup.map(nanoseconds),
            seen.lane_wait.map(nanoseconds),
            engine(|times| nanoseconds(times.cpu)),
            engine(|times| nanoseconds(times.wait)),
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
                complete: row[5]? > 0,
            })
        };
        Observation {
            watched: time(0).unwrap_or_default(),
            wakeup: time(1),
            lane_wait: time(2),
            engine: engine(),
            pressure: time(6),
            suspended: time(7).unwrap_or_default(),
        }
    }
}
