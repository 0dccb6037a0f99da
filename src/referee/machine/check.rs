//! `readyok` around each move, where the event asks for it: before `position` and `go`, and after
//! `bestmove`. No clock runs meanwhile. The move counts, and is judged by the stamp of its
//! `bestmove`, when its engine has answered; an engine that does not has lost. A move that ends the game
//! counts at once.

use std::time::Duration;

use crate::chess::Color;
use crate::clock::Stamp;
use crate::referee::FaultKind;
use crate::text::duration;

use super::{GamePhase, PendingMove, Referee};

/// An answer that is awaited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PendingAnswer {
    /// How long, from when it was asked for.
    limit: Duration,
    /// When it is too late; `None` before `isready` is sent.
    deadline: Option<Stamp>,
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
    fn new(limit: Duration) -> PendingAnswer {
        PendingAnswer {
            limit,
            deadline: None,
        }
    }

    /// The answers to what is sent when a game begins.
    pub(super) fn since(now: Stamp, limit: Duration) -> PendingAnswer {
        PendingAnswer {
            limit,
            deadline: Some(now + limit),
        }
    }

    /// `isready` is written.
    pub(super) fn sent(&mut self, now: Stamp) {
        self.deadline.get_or_insert(now + self.limit);
    }

    /// When it is too late.
    pub(super) fn deadline(&self) -> Option<Stamp> {
        self.deadline
    }

    /// The time that the host took is given back.
    pub(super) fn extend(&mut self, by: Duration) {
        self.deadline = self.deadline.map(|deadline| deadline + by);
    }

    /// The full time to wait starts again.
    pub(super) fn restart(&mut self, now: Stamp) {
        self.deadline = self.deadline.map(|_| now + self.limit);
    }
}

impl Referee {
    /// Whether `isready` is sent to the side to move before `go`.
    pub(super) fn checks_before_go(&mut self, mover: Color) -> bool {
        let Some(limit) = self.settings.timeouts.each_move else {
            return false;
        };
        self.phase = GamePhase::Checking(PendingAnswer::new(limit));
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
        self.phase = GamePhase::Checking(PendingAnswer::new(limit));
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
