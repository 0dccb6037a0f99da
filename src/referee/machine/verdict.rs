//! Deadlines that have passed, and faults: what ends a game other than a move.

use crate::chess::Color;
use crate::clock::Stamp;
use crate::referee::{DrawnBy, Fault, FaultKind, Outcome, VoidReason, WonBy};

use crate::text::duration;

use super::{FallenFlag, GamePhase, PendingMove, Referee};

impl Referee {
    /// A fault that only the driver can see, such as an engine that would not start. After a
    /// flag has fallen it comes too late: the game is lost already.
    pub fn fault(&mut self, side: Color, kind: FaultKind, detail: String, at: Stamp) {
        if !self.is_decided() {
            self.lose(side, kind, detail, at);
        }
    }

    /// A fault of this side for which the host may be to blame: the game is void, as often as the event allows that for
    /// one engine, and lost after that.
    pub(crate) fn excuse(&mut self, side: Color, kind: FaultKind, detail: String, at: Stamp) {
        if self.outcome.is_some() {
            return;
        }
        let what = format!("{side}: {detail}");
        self.lose(side, kind, detail, at);
        if self.settings.excused[side.index()] {
            self.outcome = Some(Outcome::Void(VoidReason::HostFault(what)));
        }
    }

    /// A side loses, and the game is over.
    pub(super) fn lose(&mut self, side: Color, kind: FaultKind, detail: String, at: Stamp) {
        let ply = u32::try_from(self.plies()).unwrap_or(u32::MAX);
        self.faults.push(Fault {
            side,
            kind,
            ply,
            at,
            detail,
            stderr: None,
            evidence: None,
        });
        let has_clock = self.players[side.index()].clock.allowed().is_some();
        let rule = (self.settings.adjudication.flag_fall, has_clock);
        let (way, position) = (self.settings.compatibility, self.game.position());
        let excused = way.draws_forfeit(kind, rule, position, !side);
        self.outcome = Some(if excused {
            Outcome::Drawn(DrawnBy::ForfeitAgainstNoMate(kind))
        } else {
            Outcome::Won {
                by: !side,
                how: WonBy::Forfeit(kind),
            }
        });
    }

    /// Whether the game is over, or a flag has fallen for good.
    pub(super) fn is_decided(&self) -> bool {
        self.outcome.is_some() || (self.fallen.is_some() && !self.deducts())
    }

    /// Whether the game is decided, either before or because the deadline has passed.
    pub(super) fn expired(&mut self, at: Stamp) -> bool {
        let deadline = match self.phase {
            _ if self.outcome.is_some() || self.fallen.is_some() || self.weighs().is_some() => None,
            GamePhase::Preparing(deadline) => Some(deadline),
            GamePhase::Running(turn) => Some(turn.end()),
            GamePhase::Checking(check) => check.deadline(),
            GamePhase::Due => None,
        };
        if deadline.is_some_and(|deadline| at > deadline) {
            match self.phase {
                GamePhase::Preparing(_) => self.not_ready(at),
                GamePhase::Checking(check) => self.unanswered(check, at),
                GamePhase::Running(turn) => {
                    if !self.judge_echo(at) {
                        self.out_of_time(turn, at);
                    }
                }
                GamePhase::Due => {}
            }
        }
        self.is_decided()
    }

    /// An engine that does not answer has lost. What the host took from it was given back before: two that do not
    /// answer are both at fault.
    fn not_ready(&mut self, at: Stamp) {
        let silent = Color::ALL.map(|side| !self.players[side.index()].is_ready());
        let within = duration(self.settings.timeouts.new_game);
        let host = self.words_of_the_host();
        if silent == [true, true] {
            let what = format!("neither engine said readyok within {within} of ucinewgame{host}");
            return self.both_at_fault(FaultKind::NotReady, &what, at);
        }
        let side = match silent[Color::White.index()] {
            true => Color::White,
            false => Color::Black,
        };
        let detail = format!("no readyok within {within} of ucinewgame{host}");
        self.fault(side, FaultKind::NotReady, detail, at);
    }

    /// Neither side can play. The side to move loses: in the second game of the pair that is the other engine.
    pub(crate) fn both_at_fault(&mut self, kind: FaultKind, what: &str, at: Stamp) {
        let detail = format!("{what}: both are at fault, and the side to move loses");
        self.fault(self.side_to_move(), kind, detail, at);
    }

    /// A search without a time limit has stalled. For any other search the flag has fallen, and who is to blame is
    /// decided now or after a while.
    pub(super) fn out_of_time(&mut self, turn: PendingMove, at: Stamp) {
        let side = self.side_to_move();
        if self.players[side.index()].clock.allowed().is_none() {
            let elapsed = duration(at.saturating_since(turn.sent));
            let host = self.words_of_the_host();
            let detail = format!("no move for {elapsed}{host}");
            return self.fault(side, FaultKind::Stall, detail, at);
        }
        let fallen = FallenFlag::new(turn, at);
        if self.watched {
            self.listen_on(fallen);
        } else {
            self.flag_fall(&fallen, at);
        }
    }

    pub(super) fn crash(&mut self, side: Color, at: Stamp) {
        let detail = "the engine closed its output".to_owned();
        self.fault(side, FaultKind::Crash, detail, at);
    }
}
