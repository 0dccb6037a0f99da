//! How engines end: the true status of a process is taken before anything is killed, and after what it had written was
//! read. After a game engines that still search get `stop`, and the answers that they owe are read to the end.

use std::time::Duration;

use tokio::time::Instant;

use crate::chess::Color;
use crate::referee::{Exit, Referee};
use crate::run::signals::Stop;

use super::{GameDriver, WakeReason};

/// How long an engine without its output may take to end: the system closes pipes first.
const ENDING: Duration = Duration::from_millis(100);

/// For how long an engine's last answers are waited for. One that needs longer is ended: that
/// costs a start, and no game.
const LAST_ANSWERS_TIMEOUT: Duration = Duration::from_secs(5);

/// What is known of the end of one engine.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProcessEnd {
    /// It lives, as far as is known.
    #[default]
    None,
    /// Its first process has ended, or its input or output: which is to be found out.
    Noticed,
    /// Its first process has ended well, and others of it go on.
    GoesOn,
    /// The referee knows.
    Told,
}

impl GameDriver<'_> {
    /// Something of this engine has ended.
    pub(super) fn notice_end(&mut self, side: Color) {
        let ending = &mut self.endings[side.index()];
        if *ending != ProcessEnd::Told {
            *ending = ProcessEnd::Noticed;
        }
    }

    /// Tells the referee of engines that have ended.
    pub(super) async fn tell_of_endings(&mut self) {
        for side in Color::ALL {
            if self.endings[side.index()] == ProcessEnd::Noticed {
                self.tell_of_ending(side).await;
            }
        }
    }

    async fn tell_of_ending(&mut self, side: Color) {
        let now = self.epoch.now();
        let waits = self.referee.is_on_clock() && self.referee.side_to_move() != side;
        let engine = &mut *self.engines[side.index()];
        // The side whose clock runs waits for nobody: its opponent is asked again when its turn comes.
        match waits {
            true if !engine.has_ended() => return,
            true => {}
            false => drop(engine.ends_within(ENDING).await),
        }
        self.hear_before_its_turn(side);
        let engine = &mut *self.engines[side.index()];
        let exit = engine.exit();
        let is_well = exit == Some(Exit::Status(0));
        let talks = engine.input.is_open() && engine.output.is_open();
        if is_well && talks && engine.companions() > 0 {
            self.endings[side.index()] = ProcessEnd::GoesOn;
            return;
        }
        self.endings[side.index()] = ProcessEnd::Told;
        // Half a line of a process that has crashed is nothing that it has said.
        if let Some(line) = engine.output.lines.finish().filter(|_| is_well) {
            self.watch.take_line(self.referee, side, line.text, now);
        }
        // It may have been ended for using more than it may: that is what it loses for, also when it is not its turn.
        if let Some(exceeded) = self.engines[side.index()].exceeded() {
            self.referee.tick(now);
            self.referee
                .fault(side, exceeded.fault(), exceeded.to_string(), now);
        }
        self.referee.ended(side, exit, now);
    }

    /// Hears out the engines that are to play again, by [`Color::index`], within five seconds. Who
    /// is fit for it afterwards is [`Referee::is_idle`].
    pub(crate) async fn wind_up(&mut self, kept: [bool; 2]) {
        let deadline = Instant::now() + LAST_ANSWERS_TIMEOUT;
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
