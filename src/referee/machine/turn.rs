//! What starts a clock, until when an answer is waited for, and when a search on the opponent's time is ended.

use std::time::Duration;

use crate::chess::Color;
use crate::clock::Stamp;
use crate::referee::player;
use crate::referee::search::SearchState;
use crate::text::duration;

use super::{GamePhase, PendingMove, Referee};

/// However lively a search without a clock looks, it ends after this many stall
/// times: an engine cannot stop a tournament by inventing progress.
const MAX_STALLS: u32 = 60;

impl Referee {
    /// Puts what starts its clock into the outbox of the side to move: `go`; `ponderhit` if it
    /// ponders on the move that was made; `stop` if it ponders on another one. These two wait
    /// until that search has begun, when the clock runs already.
    pub(super) fn ask(&mut self, at: Stamp) {
        let mover = self.side_to_move();
        self.phase = GamePhase::Due;
        self.unbegun = self.begins_until(mover, at);
        match self.players[mover.index()].dialog.search {
            SearchState::Pondering(_) if self.unbegun.is_some() => {}
            SearchState::Pondering(_) => self.end_pondering(),
            _ => {
                self.players[mover.index()].pondered = None;
                if !self.checks_before_go(mover) {
                    self.ask_for_move(mover);
                }
            }
        }
    }

    /// `go` waits to be written to the side to move.
    pub(super) fn ask_for_move(&mut self, mover: Color) {
        self.phase = GamePhase::Due;
        self.search_for(mover, Duration::ZERO, player::Player::ask);
    }

    /// A search on the opponent's time has ended by itself, so its move does not count. The command that waits to be
    /// written refers to a search that no longer runs: the engine is asked again with `go`.
    pub(super) fn ended_early(&mut self, side: Color, at: Stamp) {
        self.players[side.index()].breaches.unasked_bestmoves += 1;
        if self.side_to_move() != side {
            return;
        }
        match self.phase {
            GamePhase::Due => self.ask(at),
            GamePhase::Running(turn) if self.unbegun.take().is_some() => {
                self.players[side.index()].pondered = None;
                self.ask_anew(turn, at, false);
            }
            _ => {}
        }
    }

    /// The search on the opponent's time has ended, and the clock runs: `go`, with what is left of it.
    pub(super) fn ask_in(&mut self, turn: PendingMove, at: Stamp, was_stopped: bool) {
        let spent = at.saturating_since(turn.sent).saturating_sub(turn.taken);
        self.search_for(self.side_to_move(), spent, |player, search| {
            player.ask(search);
            if was_stopped {
                player.ask_ready_before();
            }
        });
    }

    /// Lets an engine that may ponder search on, in case its opponent makes this move.
    pub(super) fn let_ponder(&mut self, side: Color, text: &str) {
        let position = self.game.position();
        if !self.players[side.index()].ponders || self.players[side.index()].gone.is_some() {
            return;
        }
        let Ok(reply) = position.parse_uci(text, self.settings.dialect) else {
            return;
        };
        if !position.after(reply).has_legal_move() {
            return;
        }
        let text = position.uci(reply, self.settings.dialect).to_string();
        self.search_for(side, Duration::ZERO, |player, mut turn| {
            turn.plies += 1;
            player.ponder(turn, reply, &text);
        });
    }

    /// Gives a player all the data of the next search.
    fn search_for(
        &mut self,
        side: Color,
        spent: Duration,
        begin: impl FnOnce(&mut player::Player, player::Turn<'_>),
    ) {
        let plies = u32::try_from(self.plies()).unwrap_or(u32::MAX);
        let [asked, other] = side.own_and_other(&mut self.players);
        let turn = player::Turn {
            mover: side,
            opponent: &other.clock,
            plies,
            spent,
        };
        begin(asked, turn);
    }

    pub(super) fn start_clock(&mut self, now: Stamp) {
        let player = &self.players[self.side_to_move().index()];
        let stall = self.settings.timeouts.stall;
        let deadline = player.clock.deadline(now, player.margin);
        self.given_back = Duration::ZERO;
        self.echo = None;
        self.phase = GamePhase::Running(PendingMove {
            sent: now,
            deadline: deadline.unwrap_or(now + stall),
            since: now,
            taken: Duration::ZERO,
            latest: now + stall * MAX_STALLS,
            standstills: 0,
        });
    }

    pub(super) fn extend_stall(&mut self, at: Stamp) {
        if let GamePhase::Running(turn) = &mut self.phase {
            turn.extend(at + self.settings.timeouts.stall);
        }
    }

    /// The sides that are waited for without a clock, until when, and how long they have in all.
    pub(crate) fn unclocked(&self) -> Option<([bool; 2], Stamp, Duration)> {
        let timeouts = self.settings.timeouts;
        let mover = self.side_to_move();
        let waits = Color::ALL.map(|side| side == mover);
        match self.phase {
            _ if self.outcome.is_some() => None,
            GamePhase::Preparing(check) => {
                let silent = Color::ALL.map(|side| !self.players[side.index()].is_ready());
                Some((silent, check.deadline?, timeouts.new_game))
            }
            GamePhase::Checking(check) => Some((waits, check.deadline?, timeouts.each_move?)),
            GamePhase::Running(turn) if self.players[mover.index()].clock.allowed().is_none() => {
                Some((waits, turn.deadline, timeouts.stall))
            }
            _ => None,
        }
    }

    /// The host has kept the engine that owes an answer without a clock from running for this long. It gets that time
    /// back, at most as often as an engine may show progress.
    pub(crate) fn kept_waiting(&mut self, waited: Duration) {
        let new_game = self.settings.timeouts.new_game;
        let left = (new_game * MAX_STALLS).saturating_sub(self.given_back);
        match &mut self.phase {
            GamePhase::Preparing(check) | GamePhase::Checking(check) => {
                let waited = waited.min(left);
                check.deadline = check.deadline.map(|deadline| deadline + waited);
                self.given_back += waited;
            }
            GamePhase::Running(turn) => {
                turn.extend(turn.deadline + waited);
                self.given_back += waited;
            }
            GamePhase::Due => {}
        }
    }

    /// What the host took and was given back, as a part of a sentence.
    pub(super) fn words_of_the_host(&self) -> String {
        match duration(self.given_back) {
            _ if self.given_back.is_zero() => String::new(),
            given => format!("; the host kept it from running for {given} of that"),
        }
    }

    /// The runner itself did not run for this long, and read nothing. An answer without a clock gets its full time
    /// again; a search is extended beyond its latest end by at most this time, and at most sixty times. A clock keeps
    /// running, and a flag that falls has its evidence.
    pub fn stood_still(&mut self, still: Duration, now: Stamp) {
        let timeouts = self.settings.timeouts;
        let limited = self.players[self.side_to_move().index()].clock.allowed();
        match &mut self.phase {
            GamePhase::Preparing(check) | GamePhase::Checking(check) => {
                check.deadline = check.deadline.map(|_| now + check.limit);
            }
            GamePhase::Running(turn) if limited.is_none() && turn.standstills < MAX_STALLS => {
                turn.standstills += 1;
                turn.latest = turn.latest + still;
                turn.extend(now + timeouts.stall);
            }
            GamePhase::Due | GamePhase::Running(_) => {}
        }
    }
}

impl PendingMove {
    /// The last moment at which an answer is in time, as far as is known.
    pub(super) fn end(&self) -> Stamp {
        self.deadline + self.taken
    }

    /// Never beyond the latest, and never earlier than before.
    fn extend(&mut self, deadline: Stamp) {
        self.deadline = deadline.min(self.latest).max(self.deadline);
    }
}

// The command that ends a search on the opponent's time is sent once, when that search has begun.
//
// An engine that begins its search on a new thread may read `stop` or `ponderhit` before that thread has started. The
// thread then never sees the command, and searches without end. Seen with Ethereal 12.00, where a thread may start
// hundreds of milliseconds late on a busy machine; after a forgotten `stop` it reads nothing more. `isready` does not
// help: another thread says `readyok`, and Glaurung 2.2 no longer reads `stop` once it has read `isready` in a search.
// A report shows that a search has begun. So a report is waited for, but only from an engine that reports at once
// after `go` and did not keep silent when it pondered; on its own clock, and not for long.

/// How long a report is waited for after `go ponder`.
pub(super) const BEGINNING: Duration = Duration::from_millis(500);

/// No longer than this part of the clock.
const PART: u32 = 4;

impl Referee {
    /// Until when the command that ends this side's search waits for a report; `None` if it need not wait.
    fn begins_until(&self, side: Color, at: Stamp) -> Option<Stamp> {
        let player = &self.players[side.index()];
        if !player.is_to_begin() {
            return None;
        }
        let part = player.clock.allowed()? / PART;
        let until = (player.since + BEGINNING).min(at + part);
        (at < until).then_some(until)
    }

    /// Sends the command for the opponent's move to the side to move, which ponders.
    pub(super) fn end_pondering(&mut self) {
        let mover = self.side_to_move();
        let player = &mut self.players[mover.index()];
        self.unbegun = None;
        match player.dialog.search {
            SearchState::Pondering(reply) if self.game.moves().last() == Some(&reply) => {
                player.hit()
            }
            SearchState::Pondering(_) => player.miss(),
            _ => {}
        }
    }

    /// No report has come in time: nothing is waited for any more.
    pub(super) fn waited_to_begin(&mut self, at: Stamp) {
        let running = matches!(self.phase, GamePhase::Running(_));
        if running && self.unbegun.is_some_and(|until| at >= until) {
            let mover = self.side_to_move();
            self.players[mover.index()].ponders_silently = true;
            self.end_pondering();
        }
    }
}
