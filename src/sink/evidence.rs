//! What the host did, as JSON with the names of `docs/store.md`.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use crate::referee::{FlagEvidence, Observation};

/// What was seen of the host during a move.
#[derive(Serialize)]
pub(crate) struct HostFields {
    watched_ns: u64,
    wakeup_ns: Option<u64>,
    lane_wait_ns: Option<u64>,
    engine_cpu_ns: Option<u64>,
    engine_wait_ns: Option<u64>,
    engine_longest_wait_ns: Option<u64>,
    engine_complete: Option<bool>,
    pressure_ns: Option<u64>,
    suspended_ns: u64,
}

impl From<&Observation> for HostFields {
    fn from(host: &Observation) -> Self {
        let engine = host.engine.as_ref();
        HostFields {
            watched_ns: nanoseconds(host.watched),
            wakeup_ns: host.wakeup.map(nanoseconds),
            lane_wait_ns: host.lane_wait.map(nanoseconds),
            engine_cpu_ns: engine.map(|engine| nanoseconds(engine.cpu)),
            engine_wait_ns: engine.map(|engine| nanoseconds(engine.wait)),
            engine_longest_wait_ns: engine.map(|engine| nanoseconds(engine.longest_wait)),
            engine_complete: engine.map(|engine| engine.complete),
            pressure_ns: host.pressure.map(nanoseconds),
            suspended_ns: nanoseconds(host.suspended),
        }
    }
}

/// Who is to blame for a flag fall, with the evidence.
pub(crate) fn evidence_json(evidence: &FlagEvidence) -> Value {
    let mut value = json!({
        "verdict": evidence.verdict.word(),
        "elapsed_ns": nanoseconds(evidence.elapsed),
        "late_ns": nanoseconds(evidence.late),
        "answered": evidence.answered,
        "reported_ms": evidence.reported_ms,
        "pending_ns": nanoseconds(evidence.seen.pending),
        "standing": evidence.seen.standing.word(),
        "answerer_wait_ns": evidence.seen.answerer_wait.map(nanoseconds),
        "host": HostFields::from(&evidence.seen.host),
    });
    if !evidence.seen.own.is_zero() {
        value["own_ns"] = nanoseconds(evidence.seen.own).into();
    }
    if !evidence.seen.taken.is_zero() {
        value["taken_ns"] = nanoseconds(evidence.seen.taken).into();
    }
    value
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
