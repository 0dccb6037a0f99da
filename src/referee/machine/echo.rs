//! An engine that thinks repeats its last move, in a position in which that move is illegal.
//!
//! Its last answer may have come twice, or it ignores `moves` and this is its whole answer: it depends on whether a
//! search still runs. So the line is held back. A report or another `bestmove` shows that a search runs. After
//! `readyok`, `stop` is sent to the engine; if it says nothing more within a second, the line was its answer.

use std::time::Duration;

use crate::chess::Color;
use crate::clock::Stamp;
use crate::referee::search::SearchState;

use super::{GamePhase, Referee};

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
        player.echoes(text)
            && match player.dialog.search() {
                SearchState::Thinking => !player.dialog.is_stopping() && illegal(),
                SearchState::Pondering(_) => true,
                // Output of a search after `stop` is its answer, however old.
                SearchState::Idle | SearchState::Preparing | SearchState::Stopping => false,
            }
    }

    /// Holds it back, where it may be an answer.
    pub(super) fn hold_echo(&mut self, side: Color, text: &str, at: Stamp) {
        let player = &mut self.players[side.index()];
        player.forgive_echo();
        if player.dialog.search() == SearchState::Thinking {
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
