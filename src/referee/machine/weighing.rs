//! Where the event does not charge what the host has taken of a move (`host_faults = "deduct"`): an answer counts when
//! the evidence of its time is there. No clock runs until then.
//!
//! A move is charged with the time between its stamps less what the host is proven to have taken of that. Its deadline
//! is later by the same time. One that has passed is only a reason to look at the host: the flag falls when the host
//! cannot have taken what the move is late, or when the move has come and is late in spite of what was taken.

use std::time::Duration;

use crate::chess::Color;
use crate::clock::Stamp;
use crate::referee::HostEvidence;
use crate::referee::player::{Player, Turn};

use super::{FallenFlag, GamePhase, PendingMove, Referee};

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
    /// The end of a search on the opponent's time that was told to stop: `go` follows behind `isready`.
    Stopped,
    /// The end of such a search by itself: `go` follows.
    Ended,
}

impl DeferredAnswer {
    fn asks(&self) -> fn(&mut Player, Turn<'_>) {
        match self {
            DeferredAnswer::Stopped => Player::ask_after_stop,
            DeferredAnswer::Ended | DeferredAnswer::Move(..) => Player::ask,
        }
    }
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
    pub(super) fn weigh(&mut self, weighing: Weighing, seen: &HostEvidence) {
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
            DeferredAnswer::Stopped | DeferredAnswer::Ended => {
                self.stands = Some(at);
                self.ask_in(turn, at, weighing.what.asks());
            }
        }
    }

    /// A search on the opponent's time has ended: `go` follows, where the time until then is weighed after that.
    pub(super) fn ask_anew(&mut self, turn: PendingMove, at: Stamp, what: DeferredAnswer) {
        let asks = what.asks();
        if !self.defer_for_evidence(at, || what) {
            self.ask_in(turn, at, asks);
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
