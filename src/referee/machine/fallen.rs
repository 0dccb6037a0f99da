//! After a flag fall the question is whose fault it was. Nothing is sent to the engine, and the conversation continues as
//! if the flag had not fallen, until no later event can change the answer. Only then is an engine that has not moved
//! asked (`isready`) whether it answers at all: what comes after that is no evidence any more, but says what became of
//! the move.

use std::time::Duration;

use crate::chess::Color;
use crate::clock::Stamp;
use crate::referee::{
    Blame, FaultKind, FlagEvidence, HostEvidence, HostFaults, Outcome, SearchState, ThreadState,
    VoidReason,
};
use crate::text::duration;

use super::{GamePhase, PendingMove, Referee};

/// The longest time between two looks at the host before that, and the time from the first look to the second: an answer
/// that was on its way at the first is there at the second.
const LOOK: Duration = Duration::from_millis(50);
const SECOND_LOOK: Duration = Duration::from_millis(1);

/// A flag that has fallen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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
    /// What the engine was doing at the first look, if its move had not come; at the second, if it slept at the first.
    standing: Option<ThreadState>,
    /// When it was decided who is to blame, though the move had not come.
    pub(super) decided: Option<Stamp>,
    /// It has said something since.
    pub(super) spoke: bool,
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
            next_look: at,
            ..FallenFlag::default()
        }
    }

    /// Adds what is known now. Who is to blame remains as it was decided.
    pub(super) fn judge(&mut self, seen: &HostEvidence, now: Stamp) -> FlagEvidence {
        let end = self.answered.unwrap_or(now);
        let elapsed = end.saturating_since(self.sent);
        let late = end.saturating_since(self.deadline);
        let wanted = self.standing.filter(|first| *first != ThreadState::Asleep);
        let standing = wanted.unwrap_or(seen.standing);
        let seen = HostEvidence { standing, ..*seen };
        let mut evidence = FlagEvidence::judge(elapsed, late, self.answered.is_some(), seen);
        if let Some(before) = self.evidence.filter(|_| self.decided.is_some()) {
            evidence.verdict = before.verdict;
        }
        *self.evidence.insert(evidence)
    }

    /// Whether the move has come, and not only because the engine was asked again.
    fn is_late_by_itself(&self) -> bool {
        let slept = self.evidence.is_some_and(|evidence| evidence.slept());
        self.answered.is_some() && !(self.decided.is_some() && slept)
    }

    /// What became of the move, as a part of a sentence.
    fn sequel(&self, silence: Option<&str>, unfinished: &str) -> String {
        if !unfinished.is_empty() {
            let begun: String = unfinished.chars().take(40).collect();
            format!("; it wrote a line without an end: {begun:?}")
        } else if let Some(at) = self.answered.filter(|_| !self.is_late_by_itself()) {
            let after = duration(at.saturating_since(self.sent));
            format!("; it moved only when asked again, after {after}")
        } else {
            let silence = silence.map(|answer| format!("; and no {answer} since its flag fell"));
            silence.unwrap_or_default()
        }
    }
}

impl Referee {
    /// Whether a flag has fallen, or an answer is weighed, and the host is to be looked at now; and if so,
    /// whether the answer has come.
    pub fn awaits_testimony(&self) -> Option<bool> {
        let fallen = self.fallen.filter(|_| self.outcome.is_none());
        let fallen = fallen.map(|fallen| fallen.answered.is_some());
        self.weighs().map(|_| true).or(fallen)
    }

    /// Whether this side still has to answer.
    fn is_to_answer(&self, side: Color) -> bool {
        let player = &self.players[side.index()];
        (player.dialog.owes() || !player.outbox.is_empty()) && player.gone.is_none()
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
        let is_over = match fallen.decided {
            None => self.look(&mut fallen, seen, now),
            Some(decided) => now >= decided + self.longest_silence(),
        };
        if fallen.is_late_by_itself() {
            fallen.judge(seen, now);
        }
        if fallen.answered.is_some() || is_over || !self.is_to_answer(side) {
            self.flag_fall(fallen, now)
        } else {
            self.fallen = Some(fallen)
        }
    }

    /// A look at an engine whose flag has fallen, and whose move may still show who is to blame. Returns whether there is
    /// nothing more to wait for.
    fn look(&mut self, fallen: &mut FallenFlag, seen: &HostEvidence, now: Stamp) -> bool {
        if fallen.answered.is_some() {
            return true;
        }
        let is_first = fallen.standing.is_none();
        let evidence = fallen.judge(seen, now);
        fallen.standing = Some(evidence.seen.standing);
        let more = evidence.worth_waiting();
        let waits = now < fallen.at + self.settings.timeouts.stall;
        if is_first || (!more.is_zero() && waits) {
            let pause = if is_first {
                SECOND_LOOK
            } else {
                more.min(LOOK)
            };
            fallen.next_look = now + pause;
            return false;
        }
        fallen.decided = Some(now);
        fallen.next_look = now + self.longest_silence();
        let asks = waits && self.unfinished.is_empty();
        if asks {
            self.ask_for_life();
        }
        !asks
    }

    /// How long an engine that has lost may take to answer, before it is ended.
    fn longest_silence(&self) -> Duration {
        let each_move = self.settings.timeouts.each_move;
        self.settings.compatibility.longest_silence(each_move)
    }

    /// The engine whose flag has fallen has written the beginning of a line.
    pub fn unfinished_line(&mut self, text: &str) {
        text.clone_into(&mut self.unfinished);
    }

    /// `isready` is sent to an engine that thinks: not to one that has been told to stop.
    fn ask_for_life(&mut self) {
        let mover = self.side_to_move();
        let player = &mut self.players[mover.index()];
        let thinks = player.dialog.search == SearchState::Thinking && !player.dialog.is_stopping();
        if thinks && player.outbox.is_empty() {
            player.probe();
        }
    }

    /// Whether a flag of this side that falls by the host's fault does not count.
    pub(super) fn excuses_host(&self, side: Color) -> bool {
        self.settings.excused[side.index()]
            && self.settings.adjudication.host_faults != HostFaults::Count
    }

    /// The side to move loses on time, unless the host is to blame and the event
    /// does not count that.
    pub(super) fn flag_fall(&mut self, fallen: FallenFlag, now: Stamp) {
        let side = self.side_to_move();
        let silence = self.longest_silence();
        let waited = fallen.decided.is_some_and(|at| now >= at + silence);
        let is_silent = waited && !fallen.spoke && fallen.answered.is_none();
        let player = &self.players[side.index()];
        let mut detail = detail(&fallen, player.clock.allowed(), player.margin, now);
        let answer = if player.dialog.is_stopping() {
            "answer to stop"
        } else {
            "readyok"
        };
        let silence = Some(answer).filter(|_| is_silent);
        detail.push_str(&fallen.sequel(silence, &self.unfinished));
        let evidence = fallen.evidence.map(|evidence| FlagEvidence {
            reported_ms: player.thinking().time_ms,
            ..evidence
        });
        let kind = self.settings.compatibility.kind_of_flag_fall(is_silent);
        self.judge_failures(side, kind, detail, fallen.at);
        let is_void = evidence.is_some_and(|evidence| evidence.verdict == Blame::Host);
        if let Some(evidence) = evidence.filter(|_| is_void && self.excuses_host(side)) {
            let what = format!("{side} {}: {evidence}", FaultKind::FlagFall.deed());
            self.outcome = Some(Outcome::Void(VoidReason::HostFault(what)));
        }
        let mut faults = self.faults.iter_mut();
        if let Some(fault) = faults.find(|fault| fault.side == side) {
            fault.evidence = evidence;
        }
    }
}

fn detail(fallen: &FallenFlag, allowed: Option<Duration>, margin: Duration, now: Stamp) -> String {
    let evidence = fallen.evidence.as_ref();
    let end = fallen.answered.unwrap_or(now);
    let elapsed = evidence.map_or(end.saturating_since(fallen.sent), |seen| seen.elapsed);
    let what = if evidence.map_or(fallen.answered.is_some(), |seen| seen.answered) {
        "the move came"
    } else {
        "no move"
    };
    let allowed = allowed.unwrap_or_default();
    let words = |time: Duration| Some(time).filter(|time| !time.is_zero()).map(duration);
    let taken = words(fallen.taken).map(|taken| format!(", {taken} of it not charged"));
    let taken = taken.unwrap_or_default();
    // The evidence has it, where there is any.
    let late = match evidence {
        Some(_) => String::new(),
        None => {
            let charged = elapsed.saturating_sub(fallen.taken);
            let late = charged.saturating_sub(allowed.saturating_add(margin));
            format!(", {} late", duration(late))
        }
    };
    let margin = words(margin).map(|margin| format!(" and a margin of {margin}"));
    let margin = margin.unwrap_or_default();
    let [elapsed, allowed] = [elapsed, allowed].map(duration);
    format!("{what} after {elapsed}{taken}; allowed {allowed}{margin}{late}")
}

// Where the event does not charge what the host has taken of a move (`host_faults = "deduct"`): an answer counts when
// the evidence of its time is there. No clock runs until then.
//
// A move is charged with the time between its stamps less what the host is proven to have taken of that. Its deadline
// is later by the same time. One that has passed is only a reason to look at the host: the flag falls when the host
// cannot have taken what the move is late, or when the move has come and is late in spite of what was taken.

/// An answer that waits for the evidence of its time.
#[derive(Debug)]
pub(super) struct Weighing {
    /// When it came.
    at: Stamp,
    what: DeferredAnswer,
}

/// What came, and what follows.
#[derive(Debug)]
pub(super) enum DeferredAnswer {
    /// A move, and the reply that it expects.
    Move(String, Option<String>),
    /// The end of a search on the opponent's time: `go` follows, behind `isready` if it was told to stop.
    Ended { was_stopped: bool },
}

impl Referee {
    /// Whether what the host takes of the moves of the side to move is not charged.
    pub(super) fn deducts(&self) -> bool {
        let limited = self.players[self.side_to_move().index()].clock.allowed();
        self.watched && self.settings.adjudication.deducts() && limited.is_some()
    }

    /// The time of an answer that waits for [`testify`](Self::testify): no clock runs.
    pub fn weighs(&self) -> Option<Duration> {
        let weighing = self.weighing.as_ref()?;
        match self.phase {
            GamePhase::Running(turn) => Some(weighing.at.saturating_since(turn.since)),
            _ => Some(Duration::ZERO),
        }
    }

    /// Keeps an answer of the side to move until it is weighed. Returns whether that is to be done.
    pub(super) fn defer_for_evidence(
        &mut self,
        at: Stamp,
        what: impl FnOnce() -> DeferredAnswer,
    ) -> bool {
        let weighs =
            self.deducts() && !self.is_lost() && matches!(self.phase, GamePhase::Running(_));
        if weighs {
            let what = what();
            self.weighing = Some(Weighing { at, what });
        }
        weighs
    }

    /// The answer counts, with what the host has taken of its time.
    fn weigh(&mut self, weighing: Weighing, seen: &HostEvidence) {
        let GamePhase::Running(mut turn) = self.phase else {
            return;
        };
        let (side, at) = (self.side_to_move(), weighing.at);
        let mut fallen = FallenFlag::new(turn, at);
        fallen.answered = Some(at);
        let taken = fallen.judge(seen, at).taken;
        turn.taken += taken.min(at.saturating_since(turn.since));
        self.phase = GamePhase::Running(turn);
        if at > turn.end() {
            fallen.taken = turn.taken;
            return self.flag_fall(fallen, at);
        }
        self.fallen = None;
        match weighing.what {
            DeferredAnswer::Move(text, reply) => {
                self.seen = Some(Box::new(seen.host));
                if !self.hold_until_ready(side, &text, reply.as_deref(), at) {
                    self.take_answer(side, &text, reply.as_deref(), at);
                }
            }
            DeferredAnswer::Ended { was_stopped } => {
                self.stands = Some(at);
                self.ask_in(turn, at, was_stopped);
            }
        }
    }

    /// A search on the opponent's time has ended: `go` follows, where the time until then is weighed after that.
    pub(super) fn ask_anew(&mut self, turn: PendingMove, at: Stamp, was_stopped: bool) {
        if !self.defer_for_evidence(at, || DeferredAnswer::Ended { was_stopped }) {
            self.ask_in(turn, at, was_stopped);
        }
    }

    /// The clock of the side to move stands until `go` is written, and whether that is to come.
    pub fn resumes(&self) -> Option<(Color, Option<Duration>)> {
        let side = self.side_to_move();
        let stands = self.stands.is_some() && self.outcome.is_none();
        stands.then(|| (side, self.players[side.index()].clock.allowed()))
    }

    /// `go` is written: the clock runs again.
    pub(super) fn resume(&mut self, now: Stamp) {
        if let (Some(since), GamePhase::Running(turn)) = (self.stands.take(), &mut self.phase) {
            turn.taken += now.saturating_since(since);
            turn.since = now;
        }
    }
}
