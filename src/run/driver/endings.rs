//! How engines end: the true status of a process is taken before anything is killed, and after what it had written was
//! read.

use std::time::Duration;

use crate::chess::Color;
use crate::referee::Exit;

use super::GameDriver;

/// How long an engine without its output may take to end: the system closes pipes first.
const ENDING: Duration = Duration::from_millis(100);

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
}
