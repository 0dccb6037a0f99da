//! A game whose engines are not all there.

use crate::chess::Color;
use crate::clock::Stamp;
use crate::engine::start::StartError;
use crate::referee::{FaultKind, Referee, VoidReason};

/// Ends it: an engine that does not come up loses; if neither does, or the system would not run
/// it, the host is to blame; a stop is a stop.
pub(crate) fn judge(referee: &mut Referee, failures: &[(Color, StartError)], now: Stamp) {
    let is = |kind: fn(&StartError) -> bool| failures.iter().any(|(_, error)| kind(error));
    let all = || {
        let texts = failures
            .iter()
            .map(|(side, error)| format!("{side}: {error}"));
        texts.collect::<Vec<_>>().join("; ")
    };
    match failures {
        _ if is(|error| matches!(error, StartError::Interrupted)) => {
            referee.interrupt(VoidReason::Interrupted);
        }
        _ if is(StartError::is_the_hosts) => {
            referee.interrupt(VoidReason::HostFault(all()));
        }
        [(side, error)] => {
            referee.fault(*side, FaultKind::StartFailure, error.to_string(), now);
        }
        _ => {
            let what = format!("neither engine could be started: {}", all());
            referee.interrupt(VoidReason::HostFault(what));
        }
    }
}
