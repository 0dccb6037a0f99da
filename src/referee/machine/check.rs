//! `readyok` around each move, where the event asks for it: before `position` and `go`, and after
//! `bestmove`. No clock runs meanwhile. The move counts, and is judged by the stamp of its
//! `bestmove`, when its engine has answered; an engine that does not has lost. A move that ends the game
//! counts at once.

use std::time::Duration;

use crate::chess::Color;
use crate::clock::Stamp;
use crate::referee::FaultKind;
use crate::referee::search::SearchState;
use crate::text::duration;

use super::{GamePhase, PendingMove, Referee};

/// An answer that is awaited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PendingAnswer {
    /// How long, from when it was asked for.
    pub(super) limit: Duration,
    /// When it is too late; `None` before `isready` is sent.
    pub(super) deadline: Option<Stamp>,
}

/// A `bestmove` whose engine has not said yet that it is ready.
#[derive(Debug)]
pub(super) struct HeldAnswer {
    turn: PendingMove,
    at: Stamp,
    text: String,
    reply: Option<String>,
}

impl PendingAnswer {
    /// One that is awaited from this moment on; `None`: from when `isready` is written.
    pub(super) fn since(now: Option<Stamp>, limit: Duration) -> PendingAnswer {
        let deadline = now.map(|now| now + limit);
        PendingAnswer { limit, deadline }
    }
}

impl Referee {
    /// Whether `isready` is sent to the side to move before `go`.
    pub(super) fn checks_before_go(&mut self, mover: Color) -> bool {
        let Some(limit) = self.settings.timeouts.each_move else {
            return false;
        };
        self.phase = GamePhase::Checking(PendingAnswer::since(None, limit));
        let player = &mut self.players[mover.index()];
        player.outbox.clear();
        player.ask_ready();
        true
    }

    /// Whether an answer waits until its engine has said that it is ready.
    pub(super) fn hold_until_ready(
        &mut self,
        side: Color,
        text: &str,
        reply: Option<&str>,
        at: Stamp,
    ) -> bool {
        let (Some(limit), GamePhase::Running(turn)) =
            (self.settings.timeouts.each_move, self.phase)
        else {
            return false;
        };
        if self.ends_the_game(text) {
            return false;
        }
        self.held = Some(HeldAnswer {
            turn,
            at,
            text: text.to_owned(),
            reply: reply.map(str::to_owned),
        });
        self.phase = GamePhase::Checking(PendingAnswer::since(None, limit));
        self.players[side.index()].ask_ready();
        true
    }

    /// Whether this is a move after which the board has ended the game.
    fn ends_the_game(&self, text: &str) -> bool {
        let chess_move = self.game.position().parse_uci(text, self.settings.dialect);
        chess_move.is_ok_and(|chess_move| {
            let mut game = self.game.clone();
            game.play(chess_move);
            game.ending().is_some()
        })
    }

    /// The engine has answered `isready`: its move is taken, or `go` is sent.
    pub(super) fn checked(&mut self, side: Color) {
        match self.held.take() {
            Some(held) => {
                self.phase = GamePhase::Running(held.turn);
                self.take_answer(side, &held.text, held.reply.as_deref(), held.at);
            }
            None => self.ask_for_move(side),
        }
    }

    /// The engine has not answered in time.
    pub(super) fn unanswered(&mut self, check: PendingAnswer, at: Stamp) {
        let side = self.side_to_move();
        let moment = match self.held {
            Some(_) => "after its move",
            None => "before its move",
        };
        let host = self.words_of_the_host();
        let limit = check.limit;
        let detail = format!("no readyok within {} {moment}{host}", duration(limit));
        self.fault(side, FaultKind::NotReady, detail, at);
    }
}

// An engine that thinks repeats its last move, in a position in which that move is illegal.
//
// Its last answer may have come twice, or it ignores `moves` and this is its whole answer: it depends on whether a
// search still runs. So the line is held back. A report or another `bestmove` shows that a search runs. After
// `readyok`, `stop` is sent to the engine; if it says nothing more within a second, the line was its answer.

/// How long the output of a search is still read after `stop`.
const MAX_ECHO_DELAY: Duration = Duration::from_secs(1);

/// Added to the message about a move that was judged in this way.
const ECHOED_ANSWER_NOTE: &str = "; these were the words of its move before, and it said nothing else when it was \
                     told to stop";

/// A line that is held back.
#[derive(Debug)]
pub(super) struct Echo {
    at: Stamp,
    text: String,
    /// When it is judged; `None` before `readyok`.
    pub(super) until: Option<Stamp>,
}

impl Referee {
    /// Whether an engine that searches repeats its last move. In the position of the current search the same text is
    /// hardly ever a legal move; where it is, it is the answer.
    pub(super) fn is_echo(&self, side: Color, text: &str) -> bool {
        let player = &self.players[side.index()];
        let position = self.game.position();
        let illegal = || position.parse_uci(text, self.settings.dialect).is_err();
        player.dialog.owes_move()
            && !text.is_empty()
            && player.answered == text
            && match player.dialog.search {
                SearchState::Thinking => !player.dialog.is_stopping() && illegal(),
                SearchState::Pondering(_) => true,
                // Output of a search after `stop` is its answer, however old.
                SearchState::Idle | SearchState::Preparing | SearchState::Stopping => false,
            }
    }

    /// Holds it back, where it may be an answer.
    pub(super) fn hold_echo(&mut self, side: Color, text: &str, at: Stamp) {
        let player = &mut self.players[side.index()];
        player.answered.clear();
        player.breaches.unasked_bestmoves += 1;
        if player.dialog.search == SearchState::Thinking {
            player.probe();
            self.echo = Some(Echo {
                at,
                text: text.to_owned(),
                until: None,
            });
        }
    }

    /// The engine is ready: `stop` is sent to a search that runs.
    pub(super) fn ready_after_echo(&mut self, side: Color, at: Stamp) {
        if let Some(echo) = self.echo.as_mut().filter(|echo| echo.until.is_none()) {
            echo.until = Some(at + MAX_ECHO_DELAY);
            self.players[side.index()].hurry();
        }
    }

    /// Nothing else has come: the line is the answer, when either the time of the search or the time to wait for more
    /// output is over. Returns whether the game is over by it.
    pub(super) fn judge_echo(&mut self, at: Stamp) -> bool {
        let GamePhase::Running(turn) = self.phase else {
            return false;
        };
        // A search that the host has kept from running may answer after the end of its time.
        let end = if self.deducts() {
            Stamp(u64::MAX)
        } else {
            turn.end()
        };
        let until = self.echo.as_ref().and_then(|echo| echo.until);
        if until.is_none_or(|until| at < until.min(end)) {
            return false;
        }
        let Some(echo) = self.echo.take() else {
            return false;
        };
        let side = self.side_to_move();
        self.players[side.index()].dialog.concede();
        self.take_answer(side, &echo.text, None, echo.at);
        if let Some(fault) = self.faults.first_mut() {
            fault.detail.push_str(ECHOED_ANSWER_NOTE);
        }
        true
    }
}
