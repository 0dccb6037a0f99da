//! The command that ends a search on the opponent's time is sent once, when that search has begun.
//!
//! An engine that begins its search on a new thread may read `stop` or `ponderhit` before that thread has started. The
//! thread then never sees the command, and searches without end. Seen with Ethereal 12.00, where a thread may start
//! hundreds of milliseconds late on a busy machine; after a forgotten `stop` it reads nothing more. `isready` does not
//! help: another thread says `readyok`, and Glaurung 2.2 no longer reads `stop` once it has read `isready` in a search.
//! A report shows that a search has begun. So a report is waited for, but only from an engine that reports at once
//! after `go` and did not keep silent when it pondered; on its own clock, and not for long.

use std::time::Duration;

use crate::chess::Color;
use crate::clock::Stamp;
use crate::referee::search::SearchState;

use super::{GamePhase, Referee};

/// How long a report is waited for after `go ponder`.
pub(super) const BEGINNING: Duration = Duration::from_millis(500);

/// No longer than this part of the clock.
const PART: u32 = 4;

impl Referee {
    /// Until when the command that ends this side's search waits for a report; `None` if it need not wait.
    pub(super) fn begins_until(&self, side: Color, at: Stamp) -> Option<Stamp> {
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
        match player.dialog.search() {
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
