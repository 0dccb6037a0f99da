//! After a game: engines that still search get `stop`, and the answers that they owe are read to the end.

use std::time::Duration;

use tokio::time::Instant;

use crate::chess::Color;
use crate::referee::Referee;
use crate::run::signals::Stop;

use super::{GameDriver, WakeReason};

/// For how long an engine's last answers are waited for. One that needs longer is ended: that
/// costs a start, and no game.
const BOUND: Duration = Duration::from_secs(5);

impl GameDriver<'_> {
    /// Hears out the engines that are to play again, by [`Color::index`], within five seconds. Who
    /// is fit for it afterwards is [`Referee::is_idle`].
    pub(crate) async fn wind_up(&mut self, kept: [bool; 2]) {
        let deadline = Instant::now() + BOUND;
        let waits = |referee: &Referee| {
            let owes = |side: &Color| kept[side.index()] && referee.owes(*side);
            Color::ALL.into_iter().find(owes)
        };
        self.referee.wind_up();
        let mut begun = Instant::now() + Referee::BEGINNING;
        while let Some(first) = waits(self.referee) {
            if Instant::now() >= begun {
                begun = deadline;
                self.referee.stop_now();
            }
            while let Some((side, text)) = self.referee.transmit(self.epoch.now()) {
                // An engine that takes no input will not answer either.
                let _ = self.engines[side.index()].input.send(text);
            }
            match self.wait(first, false, deadline.min(begun)).await {
                WakeReason::Read(side, true) => self.take_lines(side, true, self.epoch.now()),
                WakeReason::Read(side, false) | WakeReason::Ended(side) => {
                    let now = self.epoch.now();
                    self.take_lines(side, false, now);
                    self.referee.ended(side, None, now);
                }
                WakeReason::Wrote(side, false) => self.engines[side.index()].input.close(),
                WakeReason::Stopped => return,
                WakeReason::Late | WakeReason::Wrote(_, true) | WakeReason::Complained(_) => {}
            }
            // Also reached by engines that write without end.
            if Instant::now() >= deadline || *self.stop.borrow() >= Stop::VoidGames {
                return;
            }
        }
        // What is in the pipes now belongs to this game.
        for side in Color::ALL {
            if kept[side.index()] {
                self.hear_before_its_turn(side);
            }
        }
    }
}
