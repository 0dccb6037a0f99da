//! What ends a search on the opponent's time is said again if it comes to nothing.
//!
//! An engine that begins its search on a new thread may read `stop` or `ponderhit` before that
//! thread has started, which forgets it then: it searches on for ever. Seen with Ethereal 12.00,
//! whose opponent answered within 13 ms on a busy machine. UCI lets an engine ignore both where they
//! mean nothing.

use std::time::Duration;

use crate::chess::Color;
use crate::clock::Stamp;
use crate::referee::search::Search;

use super::{Phase, Referee};

/// The first wait; each is twice the one before.
const PAUSE: Duration = Duration::from_millis(25);

/// So soon after `go ponder` a thread may not have started.
const SOON: Duration = Duration::from_millis(250);

/// `ponderhit` is said again so often at the most: who hears it may think as long as it likes.
const HITS: u32 = 3;

/// What is to be said again to the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reminder {
    /// Whether it is `ponderhit`; else `stop`.
    hit: bool,
    at: Stamp,
    pause: Duration,
    left: u32,
}

impl Referee {
    /// Something was written to this side: if it was what ends its search, it may have to be said
    /// again.
    pub(super) fn remind_of(&mut self, side: Color, before: Search, now: Stamp) {
        let player = &mut self.players[side.index()];
        let after = player.dialog.search();
        if matches!(after, Search::Pondering(_)) {
            self.pondering_since[side.index()] = now;
        }
        if !matches!(before, Search::Pondering(_)) {
            return;
        }
        let soon = now.saturating_since(self.pondering_since[side.index()]) < SOON;
        let (hit, left) = match after {
            Search::Stopping => (false, u32::MAX),
            Search::Thinking if soon => (true, HITS),
            _ => return,
        };
        self.reminder = Some(Reminder {
            hit,
            at: now + PAUSE,
            pause: PAUSE,
            left,
        });
    }

    /// When something is to be said again, if nothing comes before.
    pub(super) fn reminder_due(&self) -> Option<Stamp> {
        let player = &self.players[self.side_to_move().index()];
        let awaited = |reminder: &Reminder| match reminder.hit {
            true => player.dialog.search() == Search::Thinking,
            false => player.is_to_stop(),
        };
        let running = matches!(self.phase, Phase::Running(_));
        let reminder = self
            .reminder
            .filter(|reminder| running && awaited(reminder));
        Some(reminder.filter(|reminder| reminder.left > 0)?.at)
    }

    /// Says it again, if it is time.
    pub(super) fn remind(&mut self, at: Stamp) {
        if self.reminder_due().is_none_or(|due| at < due) {
            return;
        }
        let side = self.side_to_move();
        self.players[side.index()].say_again();
        if let Some(reminder) = &mut self.reminder {
            reminder.pause *= 2;
            reminder.at = at + reminder.pause;
            reminder.left = reminder.left.saturating_sub(1);
        }
    }
}
