//! The evidence as JSON: an array for each watched move, an object for a flag fall. Times are nanoseconds.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Blame, EngineTimes, FlagEvidence, HostEvidence, Observation, ThreadState};
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

/// The members of a flag fall's evidence, in the order in which they are written.
#[derive(Serialize, Deserialize)]
pub(super) struct EvidenceJson {
    verdict: Blame,
    elapsed_ns: u64,
    late_ns: u64,
    answered: bool,
    reported_ms: Option<u64>,
    pending_ns: u64,
    standing: ThreadState,
    host: ObservationJson,
    answerer_wait_ns: Option<u64>,
    #[serde(default, skip_serializing_if = "is_zero")]
    own_ns: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    taken_ns: u64,
}

// serde hands over a reference.
fn is_zero(number: &u64) -> bool {
    *number == 0
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

impl From<FlagEvidence> for EvidenceJson {
    fn from(evidence: FlagEvidence) -> EvidenceJson {
        EvidenceJson {
            verdict: evidence.verdict,
            elapsed_ns: nanoseconds(evidence.elapsed),
            late_ns: nanoseconds(evidence.late),
            answered: evidence.answered,
            reported_ms: evidence.reported_ms,
            pending_ns: nanoseconds(evidence.seen.pending),
            standing: evidence.seen.standing,
            host: evidence.seen.host.into(),
            answerer_wait_ns: evidence.seen.answerer_wait.map(nanoseconds),
            own_ns: nanoseconds(evidence.seen.own),
            taken_ns: nanoseconds(evidence.seen.taken),
        }
    }
}

impl From<EvidenceJson> for FlagEvidence {
    /// The verdict is that of its time, which is not recomputed.
    fn from(row: EvidenceJson) -> FlagEvidence {
        FlagEvidence {
            verdict: row.verdict,
            elapsed: Duration::from_nanos(row.elapsed_ns),
            late: Duration::from_nanos(row.late_ns),
            answered: row.answered,
            reported_ms: row.reported_ms,
            seen: HostEvidence {
                host: row.host.into(),
                pending: Duration::from_nanos(row.pending_ns),
                standing: row.standing,
                answerer_wait: row.answerer_wait_ns.map(Duration::from_nanos),
                own: Duration::from_nanos(row.own_ns),
                taken: Duration::from_nanos(row.taken_ns),
            },
        }
    }
}
