//! A game whose engines are not all there.

use crate::chess::Color;
use crate::clock::Stamp;
use crate::engine::originals::StartBlame;
use crate::engine::start::EngineStartError;
use crate::referee::{FaultKind, Referee, VoidReason};

/// An engine that did not come up.
#[derive(Debug)]
pub(crate) struct Absence {
    /// Whose it is.
    pub side: Color,
    /// Why.
    pub error: EngineStartError,
    /// Whether it has changed or deleted its own files.
    pub blame: StartBlame,
}

/// Ends it: an engine that does not come up loses; if neither does, or the system would not run
/// it, the host is to blame; a stop is a stop. An engine that has seen to it itself that the system
/// would not run it has nobody else to blame, and one that may have is excused a number of times.
pub(crate) fn judge(referee: &mut Referee, absent: &[Absence], now: Stamp) {
    let all = || {
        let texts = absent
            .iter()
            .map(|Absence { side, error, .. }| format!("{side}: {error}"));
        texts.collect::<Vec<_>>().join("; ")
    };
    let mut errors = absent.iter().map(|one| &one.error);
    if errors.any(|error| matches!(error, EngineStartError::Interrupted)) {
        return referee.interrupt(VoidReason::Interrupted);
    }
    match absent {
        [one] => alone(referee, one, now),
        _ if absent.iter().any(|one| one.error.is_the_hosts()) => {
            referee.interrupt(VoidReason::HostFault(all()));
        }
        _ => {
            let what = format!("neither engine could be started: {}", all());
            referee.interrupt(VoidReason::HostFault(what));
        }
    }
}

fn alone(referee: &mut Referee, Absence { side, error, blame }: &Absence, now: Stamp) {
    let (side, kind) = (*side, FaultKind::StartFailure);
    let what = error.to_string();
    match (error.is_the_hosts(), blame) {
        (true, StartBlame::None) => {
            referee.interrupt(VoidReason::HostFault(format!("{side}: {what}")));
        }
        (true, StartBlame::Possible) => referee.excuse(side, kind, what, now),
        (true, StartBlame::Certain) => {
            let detail = format!("{what}; its files had changed when it ended by itself");
            referee.fault(side, kind, detail, now);
        }
        (false, _) => referee.fault(side, kind, what, now),
    }
}
