//! What the host did, as JSON: an array for each watched move, an object for a
//! flag fall. Times are nanoseconds.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::clock::nanoseconds;
use crate::referee::{Blame, EngineTimes, FlagEvidence, HostEvidence, Observation, ThreadState};

/// Watched, wake-up, lane's waits, engine's processor time, engine's waits, its
/// longest wait, whether its threads could all be followed (1 or 0), pressure,
/// suspended.
#[derive(Serialize, Deserialize)]
pub(crate) struct ObservationRow(
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
pub(crate) struct EvidenceRow {
    verdict: Blame,
    elapsed_ns: u64,
    late_ns: u64,
    answered: bool,
    reported_ms: Option<u64>,
    pending_ns: u64,
    standing: ThreadState,
    host: ObservationRow,
    /// Missing in games of versions that recorded the longest wait of any thread.
    #[serde(default)]
    answerer_wait_ns: Option<u64>,
    /// Missing before version 4.
    #[serde(default)]
    own_ns: u64,
    /// Missing before version 8, and if nothing was taken.
    #[serde(default, skip_serializing_if = "is_zero")]
    taken_ns: u64,
}

// serde hands over a reference.
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl From<&Observation> for ObservationRow {
    fn from(seen: &Observation) -> ObservationRow {
        let engine = seen.engine.as_ref();
        ObservationRow(
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

impl From<&ObservationRow> for Observation {
    fn from(row: &ObservationRow) -> Observation {
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

impl From<&FlagEvidence> for EvidenceRow {
    fn from(evidence: &FlagEvidence) -> EvidenceRow {
        EvidenceRow {
            verdict: evidence.verdict,
            elapsed_ns: nanoseconds(evidence.elapsed),
            late_ns: nanoseconds(evidence.late),
            answered: evidence.answered,
            reported_ms: evidence.reported_ms,
            pending_ns: nanoseconds(evidence.seen.pending),
            standing: evidence.seen.standing,
            host: ObservationRow::from(&evidence.seen.host),
            answerer_wait_ns: evidence.seen.answerer_wait.map(nanoseconds),
            own_ns: nanoseconds(evidence.seen.own),
            taken_ns: nanoseconds(evidence.seen.taken),
        }
    }
}

impl From<&EvidenceRow> for FlagEvidence {
    /// The verdict is that of its time, which is not recomputed.
    fn from(row: &EvidenceRow) -> FlagEvidence {
        FlagEvidence {
            verdict: row.verdict,
            elapsed: Duration::from_nanos(row.elapsed_ns),
            late: Duration::from_nanos(row.late_ns),
            answered: row.answered,
            reported_ms: row.reported_ms,
            seen: HostEvidence {
                host: Observation::from(&row.host),
                pending: Duration::from_nanos(row.pending_ns),
                standing: row.standing,
                answerer_wait: row.answerer_wait_ns.map(Duration::from_nanos),
                own: Duration::from_nanos(row.own_ns),
                taken: Duration::from_nanos(row.taken_ns),
            },
        }
    }
}
