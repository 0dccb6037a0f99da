//! What the host did, as JSON with the names of `docs/store.md`.

use serde::Serialize;
use serde_json::{Value, json};

use crate::clock::nanoseconds;
use crate::referee::{FlagEvidence, Observation};
use crate::store::EvidenceRow;

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
    let mut members = serde_json::Map::new();
    if let Value::Object(stored) = json!(EvidenceRow::from(evidence)) {
        members = stored;
    }
    members["host"] = json!(HostFields::from(&evidence.seen.host));
    if evidence.seen.own.is_zero() {
        members.remove("own_ns");
    }
    Value::Object(members)
}
