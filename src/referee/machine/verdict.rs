//! Deadlines that have passed, and faults: what ends a game other than a move; and what comes after the end.

use std::time::Duration;

use crate::chess::Color;
use crate::clock::Stamp;
use crate::referee::player::Player;
use crate::referee::search::Heard;
use crate::referee::{DrawnBy, Exit, Fault, FaultKind, Outcome, VoidReason, WonBy};
use crate::text::duration;

use super::{FallenFlag, GamePhase, PendingMove, Referee};

impl Referee {
    /// A fault that only the driver can see, such as an engine that would not start. After a
    /// flag has fallen it comes too late: the game is lost already.
    pub fn fault(&mut self, side: Color, kind: FaultKind, detail: String, at: Stamp) {
        if !self.is_decided() {
            self.judge_failures(side, kind, detail, at);
        }
    }

    /// A fault of this side for which the host may be to blame: the game is void, as often as the event allows that for
    /// one engine, and lost after that.
    pub(crate) fn excuse(&mut self, side: Color, kind: FaultKind, detail: String, at: Stamp) {
        if self.outcome.is_some() {
            return;
        }
        let what = format!("{side}: {detail}");
        self.judge_failures(side, kind, detail, at);
        if self.settings.excused[side.index()] {
            self.outcome = Some(Outcome::Void(VoidReason::HostFault(what)));
        }
    }

    /// An engine's process has ended by itself, in this way; `None`: it lives on, and has closed its input or output. If it has
    /// made its move, that counts: the loss comes at its next turn. In preparation its opponent keeps its time to answer.
    pub fn ended(&mut self, side: Color, exit: Option<Exit>, at: Stamp) {
        self.players[side.index()].gone = Some(match exit {
            Some(exit) => format!("the process {exit}"),
            None => "the engine lives on, but closed its input or output".to_owned(),
        });
        self.expired(at);
        if self.outcome.is_some() || self.is_lost() {
            return;
        }
        if matches!(self.phase, GamePhase::Preparing(_)) {
            self.prepared(false, at);
        } else if self.side_to_move() == side {
            // Nobody kept it from a move that will not come.
            self.fallen = None;
            self.crash(side, at);
        }
    }

    /// A side cannot play on; its opponent may have ended before.
    pub(super) fn judge_failures(
        &mut self,
        side: Color,
        kind: FaultKind,
        detail: String,
        at: Stamp,
    ) {
        let gone = |other: Color| self.players[other.index()].gone.clone();
        let failures = Color::ALL.map(|one| {
            if one == side {
                Some((kind, detail.clone()))
            } else {
                gone(one).map(|words| (FaultKind::Crash, words))
            }
        });
        self.fail(failures, at);
    }

    /// The one judge of engines that cannot play, by what each did wrong. If both did, both faults are kept, and the side
    /// to move loses: in the second game of the pair that is the other engine.
    pub(crate) fn fail(&mut self, failures: [Option<(FaultKind, String)>; 2], at: Stamp) {
        let mover = self.side_to_move();
        let are_both = failures.iter().all(Option::is_some);
        let mut failures = failures;
        // The fault that decides comes first.
        for side in [mover, !mover] {
            let Some((kind, mut detail)) = failures[side.index()].take() else {
                continue;
            };
            if are_both {
                detail.push_str("; both are at fault, and the side to move loses");
            }
            if self.faults.is_empty() {
                self.outcome = Some(self.forfeit(side, kind));
            }
            self.faults.push(Fault {
                side,
                kind,
                ply: u32::try_from(self.plies()).unwrap_or(u32::MAX),
                at,
                detail,
                stderr: None,
                evidence: None,
            });
        }
    }

    fn forfeit(&self, side: Color, kind: FaultKind) -> Outcome {
        let rule = self.settings.adjudication.flag_fall;
        let (way, position) = (self.settings.compatibility, self.game.position());
        if way.draws_forfeit(kind, rule, position, !side) {
            Outcome::Drawn(DrawnBy::ForfeitAgainstNoMate(kind))
        } else {
            Outcome::Won {
                by: !side,
                how: WonBy::Forfeit(kind),
            }
        }
    }

    /// Whether the game is over, or a flag has fallen for good.
    pub(super) fn is_decided(&self) -> bool {
        self.outcome.is_some() || (self.fallen.is_some() && (self.is_lost() || !self.deducts()))
    }

    /// Whether a flag has fallen, and it is decided by whose fault.
    pub(super) fn is_lost(&self) -> bool {
        self.fallen.is_some_and(|fallen| fallen.decided.is_some())
    }

    /// Whether the game is decided, either before or because the deadline has passed.
    pub(super) fn expired(&mut self, at: Stamp) -> bool {
        let deadline = match self.phase {
            _ if self.outcome.is_some() || self.fallen.is_some() || self.weighs().is_some() => None,
            GamePhase::Preparing(check) | GamePhase::Checking(check) => check.deadline,
            GamePhase::Running(turn) => Some(turn.end()),
            GamePhase::Due => None,
        };
        if deadline.is_some_and(|deadline| at > deadline) {
            match self.phase {
                GamePhase::Preparing(_) => self.prepared(true, at),
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

    /// What each side did wrong in preparation, where the time for that is over if it `is_late`: then an engine that does
    /// not answer has lost. What the host took from it was given back before.
    pub(super) fn prepared(&mut self, is_late: bool, at: Stamp) {
        let settled = |player: &Player| player.gone.is_some() || player.is_ready();
        if !is_late && !self.players.iter().all(settled) {
            return;
        }
        let within = duration(self.settings.timeouts.new_game);
        let host = self.words_of_the_host();
        let failures = self.players.each_ref().map(|player| match &player.gone {
            Some(words) => Some((FaultKind::Crash, words.clone())),
            None if player.is_ready() => None,
            None => {
                let detail = format!("no readyok within {within} of ucinewgame{host}");
                Some((FaultKind::NotReady, detail))
            }
        });
        match failures {
            [None, None] => self.ask(at),
            failures => self.fail(failures, at),
        }
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
            self.unfinished.clear();
            self.fallen = Some(fallen);
        } else {
            self.flag_fall(fallen, at);
        }
    }

    /// An engine is gone, and it is its turn.
    pub(super) fn crash(&mut self, side: Color, at: Stamp) {
        if let Some(words) = self.players[side.index()].gone.clone() {
            self.judge_failures(side, FaultKind::Crash, words, at);
        }
    }
}

// After the game: engines that still search get `stop`, and the answers that they owe are read. Only an engine that is
// idle then can play another game; otherwise an answer that it still owes would be taken for one that the next game
// awaits.

impl Referee {
    /// How long a search on the opponent's time may take to begin before `stop` is sent.
    pub(crate) const BEGINNING: Duration = super::turn::BEGINNING;

    /// The game is over and its record has been taken: `stop` waits to be sent to every engine whose search has begun.
    /// From here on lines are only counted.
    pub fn wind_up(&mut self) {
        self.winding_up = true;
        for player in &mut self.players {
            player.wind_up();
            if !player.is_to_begin() {
                player.stop_search();
            }
        }
    }

    /// Sends `stop` to every engine that searches and has not yet got it.
    pub fn stop_now(&mut self) {
        self.players.iter_mut().for_each(Player::stop_search);
    }

    /// A line after the end: `stop` is sent to a search that has begun.
    pub(super) fn hear_after_the_end(&mut self, side: Color, heard: Heard<'_>) {
        if self.winding_up && matches!(heard, Heard::Report(_)) {
            self.players[side.index()].stop_search();
        }
    }

    /// Whether an answer of this engine is to be waited for before it can play again.
    pub fn owes(&self, side: Color) -> bool {
        let player = &self.players[side.index()];
        player.dialog.owes() && player.gone.is_none()
    }

    /// Whether this engine can play another game: it has answered all that it was asked, and
    /// said `readyok` no oftener than it was asked.
    pub fn is_idle(&self, side: Color) -> bool {
        let player = &self.players[side.index()];
        player.dialog.is_idle() && player.gone.is_none() && player.outbox.is_empty()
    }
}
