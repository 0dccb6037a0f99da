//! What ends a search on the opponent's time is said when the search has begun, and again if it
//! comes to nothing.
//!
//! An engine that begins its search on a new thread may read `stop` or `ponderhit` before that
//! thread has started, which forgets it then: it searches on for ever. Seen with Ethereal 12.00 on a
//! busy machine, where a thread may start hundreds of milliseconds late; after a `stop` it even
//! waits for the end of that search, and reads nothing more. A report of the search shows that it
//! has begun, and so that what is said from then on is not forgotten. `stop` waits for one a while:
//! no clock runs, and what is searched meanwhile is of no use to the engine. `ponderhit` does not
//! wait, for the engine would gain by that; it is said again, which UCI lets an engine ignore.

use std::time::Duration;

use crate::chess::Color;
use crate::clock::Stamp;
use crate::referee::search::Search;

use super::{Phase, Referee};

/// The first wait; each is twice the one before.
const PAUSE: Duration = Duration::from_millis(25);

/// For so long after `go ponder` `stop` waits for a report.
const BEGINNING: Duration = Duration::from_millis(500);

/// What is to be said again to the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reminder {
    /// Whether it is `ponderhit`; else `stop`.
    hit: bool,
    at: Stamp,
    pause: Duration,
}

impl Referee {
    /// Until when `stop` has to wait for a report of the search on the wrong move, if it has to.
    pub(super) fn begins_until(&self, side: Color, at: Stamp) -> Option<Stamp> {
        let player = &self.players[side.index()];
        let Search::Pondering(reply) = player.dialog.search() else {
            return None;
        };
        let until = self.pondering_since[side.index()] + BEGINNING;
        let hit = self.game.moves().last() == Some(&reply);
        (!hit && !player.has_reported() && at < until).then_some(until)
    }

    /// Something was written to this side: if it was what ends its search, it may have to be said
    /// again.
    pub(super) fn remind_of(&mut self, side: Color, before: Search, now: Stamp) {
        let player = &self.players[side.index()];
        if matches!(player.dialog.search(), Search::Pondering(_)) {
            self.pondering_since[side.index()] = now;
        }
        if !matches!(before, Search::Pondering(_)) {
            return;
        }
        let hit = match player.dialog.search() {
            Search::Stopping => false,
            Search::Thinking if !player.has_reported() => true,
            _ => return,
        };
        self.reminder = Some(Reminder {
            hit,
            at: now + PAUSE,
            pause: PAUSE,
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
            .filter(|reminder| running && awaited(reminder))?;
        Some(reminder.at)
    }

    /// Says what has waited long enough, or says it again, if it is time.
    pub(super) fn remind(&mut self, at: Stamp) {
        if matches!(self.phase, Phase::Beginning(until) if at >= until) {
            return self.ask(at);
        }
        if self.reminder_due().is_none_or(|due| at < due) {
            return;
        }
        let player = &mut self.players[self.side_to_move().index()];
        player.say_again();
        // Who has reported has begun, and hears a `ponderhit` from now on: this is the last one.
        self.reminder = self
            .reminder
            .filter(|reminder| !(reminder.hit && player.has_reported()))
            .map(|reminder| Reminder {
                at: at + reminder.pause * 2,
                pause: reminder.pause * 2,
                ..reminder
            });
    }
}
