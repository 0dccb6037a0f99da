//! What the host did, as JSON: an array for each watched move, an object for a
//! flag fall. Times are nanoseconds.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::referee::{EngineTimes, FlagEvidence, HostEvidence, Observation, ThreadState};

use super::words;

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
    verdict: String,
    elapsed_ns: u64,
    late_ns: u64,
    answered: bool,
    reported_ms: Option<u64>,
    pending_ns: u64,
    standing: String,
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
            verdict: evidence.verdict.word().to_owned(),
            elapsed_ns: nanoseconds(evidence.elapsed),
            late_ns: nanoseconds(evidence.late),
            answered: evidence.answered,
            reported_ms: evidence.reported_ms,
            pending_ns: nanoseconds(evidence.seen.pending),
            standing: evidence.seen.standing.word().to_owned(),
            host: ObservationRow::from(&evidence.seen.host),
            answerer_wait_ns: evidence.seen.answerer_wait.map(nanoseconds),
            own_ns: nanoseconds(evidence.seen.own),
            taken_ns: nanoseconds(evidence.seen.taken),
        }
    }
}

impl EvidenceRow {
    /// The evidence with the verdict of its time, which is not recomputed.
    pub(crate) fn evidence(&self) -> Result<FlagEvidence, String> {
        let mut standings = ThreadState::ALL.into_iter();
        let standing = standings.find(|standing| standing.word() == self.standing);
        Ok(FlagEvidence {
            verdict: words::verdict(&self.verdict).ok_or("unknown verdict")?,
            elapsed: Duration::from_nanos(self.elapsed_ns),
            late: Duration::from_nanos(self.late_ns),
            answered: self.answered,
            reported_ms: self.reported_ms,
            seen: HostEvidence {
                host: Observation::from(&self.host),
                pending: Duration::from_nanos(self.pending_ns),
                standing: standing.ok_or("unknown standing")?,
                answerer_wait: self.answerer_wait_ns.map(Duration::from_nanos),
                own: Duration::from_nanos(self.own_ns),
                taken: Duration::from_nanos(self.taken_ns),
            },
        })
    }
}

/// Durations of more than 584 years do not occur; they would be cut to that.
pub(crate) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
