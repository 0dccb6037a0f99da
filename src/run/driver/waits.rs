//! How long the driver waits for what: awake for engines that answer at once, for the side whose clock does not run, and
//! longer for one that the host has kept from running.

use std::thread;
use std::time::Duration;

use tokio::time::Instant;

use crate::chess::Color;
use crate::clock::{Stamp, nanoseconds};
use crate::engine::pipes::Output;
use crate::engine::process::Process;
use crate::engine::start::ReplyDeadline;
use crate::host::starvation::Starvation;
use crate::referee::Referee;

// Waiting awake for engines that answer at once.
//
// A thread that sleeps for an answer is woken by the kernel on whichever core is
// idle, which costs some twenty microseconds on both sides of the pipe: more than
// the rest of a move takes here. So the lane stays awake for an engine whose last
// answer came within a moment (a shallow depth, a few nodes): for the same time again,
// and it offers its core to the engine all the while. It never waits in this way
// for an engine that thinks.

/// What counts as at once.
const AT_ONCE: Duration = Duration::from_micros(200);

/// How quickly the two engines of a game have answered.
#[derive(Debug, Default)]
pub(super) struct BusyWait {
    asked: Option<Instant>,
    at_once: [bool; 2],
}

impl BusyWait {
    /// The engine to move has answered, and the other one is asked now.
    pub(super) fn answered(&mut self, mover: Color) {
        let now = Instant::now();
        let asked = self.asked.replace(now);
        self.at_once[mover.index()] = asked.is_some_and(|asked| now - asked < AT_ONCE);
    }

    /// Waits for a moment if this engine answers at once; `None` if nothing came, or
    /// else whether its output is still open.
    pub(super) fn stay_awake(&self, mover: Color, output: &mut Output) -> Option<bool> {
        let asked = self.asked.filter(|_| self.at_once[mover.index()])?;
        while asked.elapsed() < AT_ONCE {
            if let Some(open) = output.try_fill() {
                return Some(open);
            }
            thread::yield_now();
        }
        None
    }
}

// The side whose clock does not run keeps quiet, and one that does not is heard little by
// little: reading it must not cost the mover's time. What it writes beyond that waits in its
// pipe, and then it waits itself.

/// How much of it is read at once, in bytes: some 30 µs of work at the most.
pub(super) const PORTION: usize = 1024;

/// For how long it is not heard after that. An engine that ponders may say a megabyte a second.
const READ_INTERVAL: Duration = Duration::from_millis(1);

/// When each side was heard last.
#[derive(Debug, Default)]
pub(super) struct OpponentInput([Option<Instant>; 2]);

impl OpponentInput {
    /// This side was heard.
    pub(super) fn heard(&mut self, side: Color, now: Instant) {
        self.0[side.index()] = Some(now);
    }

    /// Until when the side that is not to move is not to be heard.
    pub(super) fn pause(&self, mover: Color, on_clock: bool, now: Instant) -> Option<Instant> {
        let heard = self.0[(!mover).index()].filter(|_| on_clock)?;
        Some(heard + READ_INTERVAL).filter(|end| *end > now)
    }
}

// An answer that is waited for without a clock: what the host takes from the engine meanwhile is
// given back to it.

/// Who is looked at since when.
#[derive(Debug, Default)]
pub(super) struct StarvationAllowance {
    looks: [Option<Starvation>; 2],
    /// The end of the wait to which they belong, and when they are made again.
    until: Option<Stamp>,
    next: Stamp,
}

impl StarvationAllowance {
    /// When [`Self::attend`] must be called if nothing else happens: when half of the time of an
    /// answer is gone, and from time to time after that.
    pub(super) fn due(&self, referee: &Referee) -> Option<Stamp> {
        let (_, until, limit) = referee.unclocked()?;
        Some(if self.until == Some(until) {
            self.next
        } else {
            half(until, limit)
        })
    }

    /// Looks at the engine that is waited for. It gets more time if it was kept from running.
    pub(super) fn attend(
        &mut self,
        referee: &mut Referee,
        engines: &[&mut Process; 2],
        now: Stamp,
    ) {
        let Some((waits, until, limit)) = referee.unclocked() else {
            return;
        };
        if self.until == Some(until) {
            if now > until.min(self.next) {
                self.next = now + limit / ReplyDeadline::OBSERVATIONS;
                self.give_back(referee, waits, limit);
            }
        } else if now >= half(until, limit) {
            self.until = Some(until);
            self.next = now + limit / ReplyDeadline::OBSERVATIONS;
            for side in Color::ALL {
                let leader = || engines[side.index()].id();
                let look = waits[side.index()].then(|| Starvation::begin(leader()));
                self.looks[side.index()] = look.flatten();
            }
        }
    }

    /// Two that are waited for have what the one that waited longest is given.
    fn give_back(&mut self, referee: &mut Referee, waits: [bool; 2], limit: Duration) {
        let looks = self.looks.iter_mut().zip(waits);
        let waited = looks.filter(|(_, waits)| *waits);
        let waited = waited.filter_map(|(look, _)| {
            Some(look.as_mut()?.since(limit / ReplyDeadline::OBSERVATIONS))
        });
        let waited = waited.max().unwrap_or_default();
        if !waited.is_zero() {
            tracing::info!(
                ?waited,
                "an engine was kept from running and is given more time"
            );
            referee.kept_waiting(waited);
            self.until = referee.unclocked().map(|(_, until, _)| until);
        }
    }
}

/// The moment when half of the time is gone.
fn half(until: Stamp, limit: Duration) -> Stamp {
    Stamp(until.0.saturating_sub(nanoseconds(limit / 2)))
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;
    use crate::platform::pipes::Receiver;

    /// An output that holds a line already.
    fn spoken() -> Output {
        let mut child = Command::new("echo")
            .arg("bestmove e2e4")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let pipe = child.stdout.take().unwrap().into();
        let output = Output::new(Receiver::from_owned_fd(pipe).unwrap(), None);
        child.wait().unwrap();
        output
    }

    fn long_ago() -> Instant {
        Instant::now() - 100 * AT_ONCE
    }

    #[tokio::test]
    async fn an_engine_that_thinks_is_left_to_the_runtime() {
        let mut output = spoken();
        let mut busy_wait = BusyWait::default();
        assert_eq!(busy_wait.stay_awake(Color::White, &mut output), None);
        busy_wait.asked = Some(long_ago());
        busy_wait.answered(Color::White);
        assert_eq!(busy_wait.stay_awake(Color::White, &mut output), None);
        assert!(output.fill().await, "what it said was left in the pipe");
    }

    #[tokio::test]
    async fn an_engine_that_answers_at_once_is_read_without_sleeping() {
        let mut output = spoken();
        // Asked in the future, so that no pause of this test lets the moment pass.
        let asked = Some(Instant::now() + Duration::from_secs(3600));
        let mut busy_wait = BusyWait {
            asked,
            at_once: [true, false],
        };
        assert_eq!(busy_wait.stay_awake(Color::Black, &mut output), None);
        assert_eq!(busy_wait.stay_awake(Color::White, &mut output), Some(true));
        assert_eq!(
            output.lines.next_line().map(|line| line.text.to_owned()),
            Some("bestmove e2e4".to_owned())
        );
        let ended = busy_wait.stay_awake(Color::White, &mut output);
        assert_eq!(ended, Some(false), "the end of the file");
        busy_wait.asked = Some(long_ago());
        assert_eq!(busy_wait.stay_awake(Color::White, &mut output), None);
    }

    #[test]
    fn only_the_side_that_is_not_to_move_is_kept_waiting_and_only_while_a_clock_runs() {
        let mut opponent_input = OpponentInput::default();
        let now = Instant::now();
        assert_eq!(opponent_input.pause(Color::White, true, now), None);
        opponent_input.heard(Color::Black, now);
        assert_eq!(
            opponent_input.pause(Color::White, true, now),
            Some(now + READ_INTERVAL)
        );
        assert_eq!(opponent_input.pause(Color::White, false, now), None);
        assert_eq!(opponent_input.pause(Color::Black, true, now), None);
        assert_eq!(
            opponent_input.pause(Color::White, true, now + READ_INTERVAL),
            None
        );
    }
}
