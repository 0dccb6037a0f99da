//! How a run is told to stop.
//!
//! | signal | what happens |
//! |---|---|
//! | Ctrl-C once | no more pairs are handed out; the running ones are finished |
//! | Ctrl-C twice, SIGTERM, SIGHUP | running games are voided, engines shut down |
//! | Ctrl-C three times | the engines' groups are killed at once |

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// How far a stop has gone. Each level includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Stop {
    /// Nobody asked.
    #[default]
    No,
    /// Finish the pairs that are running.
    FinishPairs,
    /// Void the games that are running.
    VoidGames,
    /// Kill the engines.
    Kill,
}

/// The signals that stop a run.
#[derive(Debug)]
pub struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
    interrupts: u32,
}

impl Signals {
    /// From now on these signals no longer end the process by themselves.
    ///
    /// # Errors
    /// The system refuses a signal handler.
    pub fn listen() -> io::Result<Signals> {
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            interrupts: 0,
        })
    }

    /// The next signal: what it asks for, and the exit code it leads to (128 and
    /// its number). Nothing is lost if it is cancelled.
    pub async fn next(&mut self) -> (Stop, u8) {
        tokio::select! {
            _ = self.interrupt.recv() => {
                self.interrupts += 1;
                let stop = match self.interrupts {
                    1 => Stop::FinishPairs,
                    2 => Stop::VoidGames,
                    _ => Stop::Kill,
                };
                (stop, 130)
            }
            _ = self.terminate.recv() => (Stop::VoidGames, 143),
            _ = self.hang_up.recv() => (Stop::VoidGames, 129),
        }
    }
}
