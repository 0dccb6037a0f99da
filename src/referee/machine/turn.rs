//! `go`, and until when an answer is waited for.

use crate::chess::Color;
use crate::clock::Stamp;

use super::{Phase, Referee};

/// However lively a search without a clock looks, it ends after this many stall
/// times: an engine cannot stop a tournament by inventing progress.
const MOST_STALLS: u32 = 60;

impl Referee {
    /// Puts `go` into the outbox of the side to move.
    pub(super) fn ask(&mut self) {
        self.phase = Phase::Due;
        let plies = u32::try_from(self.plies()).unwrap_or(u32::MAX);
        let mover = self.side_to_move();
        let [white, black] = &mut self.players;
        match mover {
            Color::White => white.ask(mover, &black.clock, plies),
            Color::Black => black.ask(mover, &white.clock, plies),
        }
    }

    pub(super) fn start_clock(&mut self, now: Stamp) {
        let player = &self.players[self.side_to_move().index()];
        let stall = now + self.settings.timeouts.stall;
        let deadline = player.clock.deadline(now, player.margin).unwrap_or(stall);
        self.phase = Phase::Thinking {
            sent: now,
            deadline,
        };
    }

    pub(super) fn extend_stall(&mut self, at: Stamp) {
        let stall = self.settings.timeouts.stall;
        if let Phase::Thinking { sent, deadline } = &mut self.phase {
            let latest = *sent + stall * MOST_STALLS;
            // Never sooner than it was: the runner may have stood still for longer than that.
            *deadline = (at + stall).min(latest).max(*deadline);
        }
    }

    /// The runner itself stood still, and nobody listened: what waits for an answer without a
    /// clock waits anew. A clock goes on, and a flag that falls has its evidence.
    pub fn stood_still(&mut self, now: Stamp) {
        let timeouts = self.settings.timeouts;
        let limited = self.players[self.side_to_move().index()].clock.allowed();
        match &mut self.phase {
            Phase::Preparing(deadline) => *deadline = now + timeouts.new_game,
            Phase::Thinking { deadline, .. } if limited.is_none() => {
                *deadline = now + timeouts.stall;
            }
            Phase::Due | Phase::Thinking { .. } | Phase::Fallen(_) => {}
        }
    }
}
