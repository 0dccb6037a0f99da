//! Waiting awake for engines that answer at once.
//!
//! A thread that sleeps for an answer is woken by the kernel on whichever core is
//! idle, which costs some twenty microseconds on both sides of the pipe: more than
//! the rest of a move takes here. So the lane stays awake for an engine whose last
//! answer came within a moment (a shallow depth, a few nodes): for the same time again,
//! and it offers its core to the engine all the while. It never waits in this way
//! for an engine that thinks.

use std::thread;
use std::time::{Duration, Instant};

use crate::chess::Color;
use crate::engine::pipes::Output;

/// What counts as at once.
const AT_ONCE: Duration = Duration::from_micros(200);

/// How quickly the two engines of a game have answered.
#[derive(Debug)]
pub(crate) struct BusyWait {
    asked: Instant,
    at_once: [bool; 2],
}

impl Default for BusyWait {
    fn default() -> BusyWait {
        BusyWait {
            asked: Instant::now(),
            at_once: [false; 2],
        }
    }
}

impl BusyWait {
    /// The engine to move has answered, and the other one is asked now.
    pub(crate) fn answered(&mut self, mover: Color) {
        let now = Instant::now();
        self.at_once[mover.index()] = now - self.asked < AT_ONCE;
        self.asked = now;
    }

    /// Waits for a moment if this engine answers at once; `None` if nothing came, or
    /// else whether its output is still open.
    pub(crate) fn stay_awake(&self, mover: Color, output: &mut Output) -> Option<bool> {
        if !self.at_once[mover.index()] {
            return None;
        }
        while self.asked.elapsed() < AT_ONCE {
            if let Some(open) = output.try_fill() {
                return Some(open);
            }
            thread::yield_now();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;
    use crate::platform::pipes;

    /// An output that holds a line already.
    fn spoken() -> Output {
        let mut child = Command::new("echo")
            .arg("bestmove e2e4")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = Output::new(pipes::output(child.stdout.take().unwrap()).unwrap(), None);
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
        busy_wait.asked = long_ago();
        busy_wait.answered(Color::White);
        assert_eq!(busy_wait.stay_awake(Color::White, &mut output), None);
        assert!(output.fill().await, "what it said was left in the pipe");
    }

    #[tokio::test]
    async fn an_engine_that_answers_at_once_is_read_without_sleeping() {
        let mut output = spoken();
        // Asked in the future, so that no pause of this test lets the moment pass.
        let asked = Instant::now() + Duration::from_secs(3600);
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
        busy_wait.asked = long_ago();
        assert_eq!(busy_wait.stay_awake(Color::White, &mut output), None);
    }
}
