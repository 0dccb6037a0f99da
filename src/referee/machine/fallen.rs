//! After a flag fall the game is lost, and the question is by whose fault. The
//! referee listens on while the late move can still show it: how late it is is
//! known only when it comes.

use std::time::Duration;

use crate::chess::Color;
use crate::clock::Stamp;
use crate::referee::{
    FaultKind, FlagEvidence, HostFaults, Outcome, Testimony, Verdict, VoidReason,
};
use crate::uci::Message;

use super::{Phase, Referee};

/// The longest time for which a late move is listened for.
const LISTENING: Duration = Duration::from_secs(5);

/// The longest time between two looks at the host meanwhile.
const LOOK: Duration = Duration::from_millis(50);

/// A flag that has fallen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fallen {
    /// When its clock was started.
    sent: Stamp,
    /// The last moment at which it was in time.
    deadline: Stamp,
    /// When it was noticed.
    at: Stamp,
    /// When the late move came.
    answered: Option<Stamp>,
    /// When the host is to be looked at.
    pub(super) next_look: Stamp,
}

impl Fallen {
    pub(super) fn new(sent: Stamp, deadline: Stamp, at: Stamp) -> Fallen {
        Fallen {
            sent,
            deadline,
            at,
            answered: None,
            next_look: at,
        }
    }

    fn judge(&self, seen: &Testimony, now: Stamp) -> FlagEvidence {
        let end = self.answered.unwrap_or(now);
        let elapsed = end.saturating_since(self.sent);
        let late = end.saturating_since(self.deadline);
        FlagEvidence::judge(elapsed, late, self.answered.is_some(), *seen)
    }
}

impl Referee {
    /// Whether a flag has fallen and the host is to be looked at now; and if so,
    /// whether the late move has come.
    pub fn awaits_testimony(&self) -> Option<bool> {
        match &self.phase {
            Phase::Fallen(fallen) if self.outcome.is_none() => Some(fallen.answered.is_some()),
            _ => None,
        }
    }

    /// What the host did during the move that was too late.
    pub fn testify(&mut self, seen: &Testimony, now: Stamp) {
        let Phase::Fallen(mut fallen) = self.phase else {
            return;
        };
        if self.outcome.is_some() {
            return;
        }
        let side = self.side_to_move();
        let mut evidence = fallen.judge(seen, now);
        evidence.reported_ms = self.players[side.index()].thinking().time_ms;
        let more = evidence.worth_waiting().min(LOOK);
        let heard_out = now >= fallen.at + LISTENING || self.players[side.index()].closed;
        if more.is_zero() || heard_out {
            self.flag_fall(&fallen, Some(evidence), now);
        } else {
            fallen.next_look = now + more;
            self.phase = Phase::Fallen(fallen);
        }
    }

    /// A line after the flag has fallen: nothing in it changes the result.
    pub(super) fn hear_late(&mut self, side: Color, line: &str, at: Stamp) {
        let mover = self.side_to_move();
        let Phase::Fallen(fallen) = &mut self.phase else {
            return;
        };
        match Message::parse(line) {
            Message::BestMove { .. } if side == mover => {
                fallen.answered.get_or_insert(at);
            }
            Message::Info(info) if side == mover && fallen.answered.is_none() => {
                self.players[side.index()].note(info);
            }
            _ => {}
        }
    }

    /// The side to move loses on time, unless the host is to blame and the event
    /// does not count that.
    pub(super) fn flag_fall(
        &mut self,
        fallen: &Fallen,
        evidence: Option<FlagEvidence>,
        now: Stamp,
    ) {
        let side = self.side_to_move();
        let player = &self.players[side.index()];
        let detail = detail(fallen, player.clock.allowed(), player.margin, now);
        self.fault(side, FaultKind::FlagFall, detail, fallen.at);
        let excused = self.settings.adjudication.host_faults != HostFaults::Count;
        if let Some(evidence) = evidence.filter(|_| excused)
            && evidence.verdict == Verdict::Host
        {
            let what = format!("{side} lost on time: {evidence}");
            self.outcome = Some(Outcome::Void(VoidReason::HostFault(what)));
        }
        if let Some(fault) = self.faults.last_mut() {
            fault.evidence = evidence;
        }
    }
}

fn detail(fallen: &Fallen, allowed: Option<Duration>, margin: Duration, now: Stamp) -> String {
    let elapsed = fallen.answered.unwrap_or(now).saturating_since(fallen.sent);
    let what = match fallen.answered {
        Some(_) => "the move came",
        None => "no move",
    };
    let allowed = allowed.unwrap_or_default();
    format!("{what} after {elapsed:?}; allowed {allowed:?}, margin {margin:?}")
}
