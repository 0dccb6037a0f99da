//! The order in which lines leave the translator.
//!
//! An engine with `ping` gets its lines one at a time: each only when the answer to a `ping` has proved that the line
//! before was read. GNU Chess 6.2 may overlook the second of two lines that come together, until a third comes.

use std::collections::VecDeque;

use super::PassedLine;

/// A line that waits for its turn; none: `readyok` is sent when everything before was read.
#[derive(Debug)]
struct ForEngine {
    line: Option<String>,
    /// Whether it can be asked after it; not if it thinks then, or is within `edit`.
    is_asked: bool,
}

/// Lines for the runner, which leave at once, and for the engine, which wait for their turn.
#[derive(Debug, Default)]
pub(super) struct LineQueues {
    pub(super) out: Vec<PassedLine>,
    /// The lines that the engine gets when it has read those before.
    queue: VecDeque<ForEngine>,
    /// Whether the engine can prove that it has read a line, and is asked.
    pub(super) proves: bool,
    /// The number of the last `ping`, and of the one whose answer proves that the last line was read.
    pings: u32,
    pub(super) unproved: Option<u32>,
    /// The number of the `ping` whose answer `readyok` waits for.
    readiness: Option<u32>,
}

impl LineQueues {
    /// A line for the engine.
    pub(super) fn command(&mut self, line: String) {
        self.enqueue(Some(line), true);
    }

    /// A line for the engine, after which it cannot be asked.
    pub(super) fn unasked(&mut self, line: String) {
        self.enqueue(Some(line), false);
    }

    /// `readyok`, when the engine has read everything before.
    pub(super) fn readiness(&mut self) {
        self.enqueue(None, true);
    }

    /// A line for the runner.
    pub(super) fn answer(&mut self, line: String) {
        self.out.push(PassedLine::ToRunner(line));
    }

    /// Sends a `ping` again, which may have been overlooked.
    pub(super) fn repeat(&mut self, ping: u32) {
        self.out.push(PassedLine::ToEngine(format!("ping {ping}")));
    }

    /// The engine has answered a `ping`.
    pub(super) fn proved(&mut self, ping: u32) {
        let proved = self.unproved.take_if(|unproved| *unproved == ping);
        if proved.is_none() {
            return;
        }
        if self.readiness.take_if(|waited| *waited == ping).is_some() {
            self.answer("readyok".to_owned());
        }
        self.deliver();
    }

    fn enqueue(&mut self, line: Option<String>, is_asked: bool) {
        self.queue.push_back(ForEngine { line, is_asked });
        self.deliver();
    }

    /// Sends the lines whose turn it is.
    fn deliver(&mut self) {
        while self.unproved.is_none() {
            let Some(next) = self.queue.pop_front() else {
                return;
            };
            let is_readiness = next.line.is_none();
            self.out.extend(next.line.map(PassedLine::ToEngine));
            if self.proves && next.is_asked {
                self.pings += 1;
                self.unproved = Some(self.pings);
                self.readiness = self.unproved.filter(|_| is_readiness);
                self.repeat(self.pings);
            } else if is_readiness {
                self.answer("readyok".to_owned());
            }
        }
    }
}
