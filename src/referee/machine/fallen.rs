//! After a flag fall the game is lost, and the question is whose fault it was. The conversation continues as if the
//! flag had not fallen, until every command has been answered: how late the move is, is known only when it comes. An
//! engine that owes no answer is not waited for. An engine that thinks also gets `isready`: one that answers nothing
//! has not lost on time, but stalled.

use std::time::Duration;

use crate::chess::Color;
use crate::clock::Stamp;
use crate::referee::{
    Blame, FaultKind, FlagEvidence, HostEvidence, HostFaults, Outcome, SearchState, VoidReason,
};
use crate::text::duration;

use super::{PendingMove, Referee};

/// The longest time for which a late move is listened for.
const LISTENING: Duration = Duration::from_secs(5);

/// An engine that the host has not held up has stalled if it answers nothing for this long.
const SILENCE: Duration = Duration::from_secs(1);

/// The longest time between two looks at the host meanwhile.
const LOOK: Duration = Duration::from_millis(50);

/// A flag that has fallen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FallenFlag {
    /// When its clock was started.
    sent: Stamp,
    /// The last moment at which it was in time.
    deadline: Stamp,
    /// What of the time was not charged.
    pub(super) taken: Duration,
    /// When it was noticed.
    pub(super) at: Stamp,
    /// When the late move came.
    pub(super) answered: Option<Stamp>,
    /// It has answered something since.
    pub(super) spoke: bool,
    /// The time has come to ask whether it answers at all.
    asked: bool,
    /// `isready` was sent for that: not to an engine that has been told to stop.
    probed: bool,
    /// When the host is to be looked at.
    pub(super) next_look: Stamp,
    /// What was known at the last look.
    evidence: Option<FlagEvidence>,
}

impl FallenFlag {
    pub(super) fn new(turn: PendingMove, at: Stamp) -> FallenFlag {
        FallenFlag {
            sent: turn.sent,
            deadline: turn.end(),
            taken: turn.taken,
            at,
            answered: None,
            spoke: false,
            asked: false,
            probed: false,
            next_look: at,
            evidence: None,
        }
    }

    /// Whether it has stalled: it owes answers, gives none, and the host does not keep it from that.
    fn is_silent(&self) -> bool {
        let judged = self.evidence.map(|evidence| evidence.verdict);
        !self.spoke && self.answered.is_none() && judged == Some(Blame::Engine)
    }

    fn judge(&self, seen: &HostEvidence, now: Stamp) -> FlagEvidence {
        let end = self.answered.unwrap_or(now);
        let elapsed = end.saturating_since(self.sent);
        let late = end.saturating_since(self.deadline);
        FlagEvidence::judge(elapsed, late, self.answered.is_some(), *seen)
    }
}

impl Referee {
    /// Whether a flag has fallen, or an answer is weighed, and the host is to be looked at now; and if so,
    /// whether the answer has come.
    pub fn awaits_testimony(&self) -> Option<bool> {
        let fallen = self.fallen.as_ref().filter(|_| self.outcome.is_none());
        let fallen = fallen.map(|fallen| fallen.answered.is_some());
        fallen.or(self.weighs().map(|_| true))
    }

    /// Whether this side still has to answer.
    fn is_to_answer(&self, side: Color) -> bool {
        let player = &self.players[side.index()];
        (player.dialog.owes() || !player.outbox.is_empty()) && !player.closed
    }

    /// What the host did during the move that was too late, or that is weighed.
    pub fn testify(&mut self, seen: &HostEvidence, now: Stamp) {
        if let Some(weighing) = self.weighing.take() {
            return self.weigh(weighing, seen);
        }
        let Some(mut fallen) = self.fallen.filter(|_| self.outcome.is_none()) else {
            return;
        };
        let side = self.side_to_move();
        let more = self.judge(&mut fallen, seen, now).min(LOOK);
        let listening = match more.is_zero() {
            false if self.deducts() => self.settings.timeouts.stall,
            true if !fallen.spoke => SILENCE,
            _ => LISTENING,
        };
        if more.is_zero() && !std::mem::replace(&mut fallen.asked, true) {
            fallen.at = now;
            fallen.probed = self.ask_for_life(side);
        }
        let heard_out = now >= fallen.at + listening || !self.is_to_answer(side);
        if fallen.answered.is_some() || heard_out {
            self.flag_fall(&fallen, now);
        } else {
            fallen.next_look = now + if more.is_zero() { LOOK } else { more };
            self.fallen = Some(fallen);
        }
    }

    /// Adds what is known now. Returns for how long more may still show something.
    pub(super) fn judge(
        &self,
        fallen: &mut FallenFlag,
        seen: &HostEvidence,
        now: Stamp,
    ) -> Duration {
        let mut evidence = fallen.judge(seen, now);
        evidence.reported_ms = self.players[self.side_to_move().index()].thinking().time_ms;
        fallen.evidence = Some(evidence);
        evidence.worth_waiting()
    }

    /// A flag has fallen while the host is watched, or seems to have where that is found out first.
    pub(super) fn listen_on(&mut self, mut fallen: FallenFlag) {
        fallen.asked = !self.deducts();
        fallen.probed = fallen.asked && self.ask_for_life(self.side_to_move());
        self.fallen = Some(fallen);
    }

    /// `isready` is sent to an engine that thinks; whether it was.
    fn ask_for_life(&mut self, side: Color) -> bool {
        let player = &mut self.players[side.index()];
        let thinks =
            player.dialog.search() == SearchState::Thinking && !player.dialog.is_stopping();
        let is_asked = thinks && player.outbox.is_empty() && !player.closed;
        if is_asked {
            player.probe();
        }
        is_asked
    }

    /// Whether a flag of this side that falls by the host's fault does not count.
    pub(super) fn excuses_host(&self, side: Color) -> bool {
        self.settings.excused[side.index()]
            && self.settings.adjudication.host_faults != HostFaults::Count
    }

    /// The side to move loses on time, unless the host is to blame and the event
    /// does not count that.
    pub(super) fn flag_fall(&mut self, fallen: &FallenFlag, now: Stamp) {
        let evidence = fallen.evidence;
        let side = self.side_to_move();
        let player = &self.players[side.index()];
        let mut detail = detail(fallen, player.clock.allowed(), player.margin, now);
        let silent = fallen.is_silent() && self.is_to_answer(side);
        let kind = if silent {
            detail.push_str(match fallen.probed {
                true => "; and no readyok since its flag fell",
                false => "; and no answer to stop since its flag fell",
            });
            FaultKind::Stall
        } else {
            FaultKind::FlagFall
        };
        self.lose(side, kind, detail, fallen.at);
        let excused = self.excuses_host(side);
        if let Some(evidence) = evidence.filter(|_| excused)
            && evidence.verdict == Blame::Host
        {
            let what = format!("{side} lost on time: {evidence}");
            self.outcome = Some(Outcome::Void(VoidReason::HostFault(what)));
        }
        if let Some(fault) = self.faults.last_mut() {
            fault.evidence = evidence;
        }
    }
}

fn detail(fallen: &FallenFlag, allowed: Option<Duration>, margin: Duration, now: Stamp) -> String {
    let elapsed = fallen.answered.unwrap_or(now).saturating_since(fallen.sent);
    let what = match fallen.answered {
        Some(_) => "the move came",
        None => "no move",
    };
    let allowed = allowed.unwrap_or_default();
    let taken = match fallen.taken.is_zero() {
        true => String::new(),
        false => format!(", {} of it not charged", duration(fallen.taken)),
    };
    // The evidence has it, where there is any.
    let late = match fallen.evidence {
        Some(_) => String::new(),
        None => {
            let charged = elapsed.saturating_sub(fallen.taken);
            let late = charged.saturating_sub(allowed.saturating_add(margin));
            format!(", {} late", duration(late))
        }
    };
    let margin = match margin.is_zero() {
        true => String::new(),
        false => format!(" and a margin of {}", duration(margin)),
    };
    let [elapsed, allowed] = [elapsed, allowed].map(duration);
    format!("{what} after {elapsed}{taken}; allowed {allowed}{margin}{late}")
}
