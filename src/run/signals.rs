//! How signals stop a run.
//!
//! | signal | what happens |
//! |---|---|
//! | Ctrl-C once, SIGUSR1 | no more pairs are handed out; the running ones are finished |
//! | Ctrl-C twice, SIGTERM, SIGHUP | running games are left to go on in the next run, or voided; engines are shut down |
//! | Ctrl-C three times | the engines' groups are killed at once |
//!
//! **Invariant: a signal takes effect until the last byte is written.** A separate thread waits
//! for signals. A run that was told to end at once ends within two seconds; what was not foreseen ends it after
//! [`END_TIMEOUT`]. Code that can stop in order [attends](SignalWatch::attend). While none does, for
//! example while long statistics are computed or nobody reads our output, a signal ends the program
//! at once: every game that was announced is on the disk by then.
//!
//! SIGUSR1 asks for an end in order, and is never lost: the program blocks it from its first
//! instruction on, and one that comes while nobody attends is kept for the next that attends.
//!
//! If code stops attending before it has obeyed a signal that came, the next code that attends gets this
//! signal first.
//!
//! A signal that was ignored when the program was started stays ignored: that is how `nohup`
//! and the shell's `&` work. Other runners take Ctrl-C all the same, and so do the [fronts](SignalWatch::of_front).

use std::future::pending;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::Builder;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until};

use crate::platform::signals::{SignalHandlers, release_user_stop};
use crate::platform::{StopSignal, orphans, runtime, terminal};
use crate::text::{printable, tell};

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

impl Stop {
    /// Asks for a stop that goes as far as this. Who waits hears of it if none has gone so far.
    pub(crate) fn ask(self, level: &watch::Sender<Stop>) {
        level.send_if_modified(|level| {
            let higher = self > *level;
            *level = self.max(*level);
            higher
        });
    }
}

/// What a signal asks for, and the exit code it leads to (128 and its number).
type StopRequest = (Stop, u8);

/// Where signals go.
#[derive(Debug)]
struct SignalInbox {
    /// What was asked for and not obeyed yet.
    asked: mpsc::UnboundedSender<StopRequest>,
    pending: tokio::sync::Mutex<mpsc::UnboundedReceiver<StopRequest>>,
    /// How many attend.
    present: AtomicU32,
}

impl SignalInbox {
    /// Tells of a signal; whether somebody hears it, or will.
    fn tell(&self, asked: StopRequest) -> bool {
        let is_heard = self.present.load(Ordering::Relaxed) > 0 || asked.1 == USER_STOP;
        is_heard && self.asked.send(asked).is_ok()
    }
}

/// The thread that waits for signals; it ends when this is dropped.
#[derive(Debug)]
pub struct SignalWatch {
    inbox: Arc<SignalInbox>,
    _until: oneshot::Sender<()>,
}

impl SignalWatch {
    /// From now on these signals no longer end the process by themselves.
    ///
    /// # Errors
    /// The system refuses a thread or a signal handler.
    pub fn start() -> io::Result<SignalWatch> {
        SignalWatch::of_front(None)
    }

    /// The same for a front: the first Ctrl-C voids the running games, also where it was ignored from the beginning; while
    /// nobody attends it ends the program with this exit code.
    ///
    /// # Errors
    /// As [`SignalWatch::start`].
    pub(crate) fn of_front(interrupted: Option<u8>) -> io::Result<SignalWatch> {
        let (asked, pending) = mpsc::unbounded_channel();
        let inbox = Arc::new(SignalInbox {
            asked,
            pending: tokio::sync::Mutex::new(pending),
            present: AtomicU32::new(0),
        });
        let (_until, over) = oneshot::channel();
        let runtime = runtime()?;
        let handlers =
            runtime.block_on(async { SignalHandlers::install(interrupted.is_some()) })?;
        let heard = Arc::clone(&inbox);
        let watch = move || {
            release_user_stop();
            runtime.block_on(pass_on(handlers, &heard, interrupted, over));
        };
        Builder::new().name("signals".to_owned()).spawn(watch)?;
        // There is a handler now. The lanes are started from here, and engines from them.
        release_user_stop();
        Ok(SignalWatch { inbox, _until })
    }

    /// Who asks for a stop without a signal.
    pub(crate) fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.inbox))
    }

    /// From now on, and until what is given back is dropped, signals are heard there.
    pub fn attend(&self) -> Signals {
        self.inbox.present.fetch_add(1, Ordering::Relaxed);
        Signals(Arc::clone(&self.inbox))
    }
}

/// Asks for a stop as a signal would.
#[derive(Debug, Clone)]
pub(crate) struct Stopper(Arc<SignalInbox>);

impl Stopper {
    /// Voids the games that run; the exit code is the one after a Ctrl-C. If nobody attends, the next code that
    /// attends gets this first.
    pub(crate) fn void_games(&self) {
        // The other end is kept beside this one.
        let _kept = self.0.asked.send((Stop::VoidGames, INTERRUPTED));
    }
}

/// The signals that stop a run, as they come.
#[derive(Debug)]
pub struct Signals(Arc<SignalInbox>);

impl Signals {
    /// The next signal: what it asks for, and the exit code it leads to (128 and
    /// its number). Nothing is lost if it is cancelled.
    pub async fn next(&mut self) -> (Stop, u8) {
        match self.0.pending.lock().await.recv().await {
            Some(asked) => asked,
            None => pending().await,
        }
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.0.present.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn pass_on(
    mut handlers: SignalHandlers,
    inbox: &SignalInbox,
    interrupted: Option<u8>,
    mut over: oneshot::Receiver<()>,
) {
    // The exit code of a signal that nobody attends to.
    let unattended = |code| interrupted.filter(|_| code == INTERRUPTED).unwrap_or(code);
    // A front's first counts as a second.
    let mut interrupts = u32::from(interrupted.is_some());
    let mut end: Option<(Instant, u8)> = None;
    loop {
        let overdue = async {
            match end {
                Some((at, code)) => {
                    sleep_until(at).await;
                    code
                }
                None => pending().await,
            }
        };
        let (stop, code) = tokio::select! {
            asked = next_signal(&mut handlers, &mut interrupts) => asked,
            code = overdue => leave(code, "the run does not end, and is left as it is"),
            _ = &mut over => return,
        };
        if !inbox.tell((stop, code)) {
            let code = unattended(code);
            leave(code, "stopped by a signal while nothing was played");
        }
        if stop >= Stop::VoidGames {
            end.get_or_insert((Instant::now() + END_TIMEOUT, unattended(code)));
        }
    }
}

fn leave(code: u8, why: &str) -> ! {
    tracing::warn!(code, why);
    terminal::leave();
    std::process::exit(i32::from(code));
}

/// A program that has not ended this long after it was asked to end at once is left as it is: whatever it waits for,
/// every game that was announced is on the disk.
const END_TIMEOUT: Duration = Duration::from_secs(5);

/// 128 and the number of SIGINT.
const INTERRUPTED: u8 = 130;

/// 128 and the number of SIGUSR1.
const USER_STOP: u8 = 138;

/// What the next signal asks for that no engine has sent: an engine without a sandbox can send one, and stops nothing.
async fn next_signal(handlers: &mut SignalHandlers, interrupts: &mut u32) -> StopRequest {
    let mut received = handlers.next().await;
    while let Some(engine) = received.sender.and_then(orphans::engine_process) {
        let words = format!(
            "warning: {}, a process of an engine, has sent this program a signal to stop: it is not obeyed",
            printable(&engine)
        );
        tracing::warn!("{words}");
        tell(&words);
        received = handlers.next().await;
    }
    match received.signal {
        StopSignal::Interrupt => {
            *interrupts += 1;
            let stop = match *interrupts {
                1 => Stop::FinishPairs,
                2 => Stop::VoidGames,
                _ => Stop::Kill,
            };
            (stop, INTERRUPTED)
        }
        StopSignal::Terminate => (Stop::VoidGames, 143),
        StopSignal::HangUp => (Stop::VoidGames, 129),
        StopSignal::User => (Stop::FinishPairs, USER_STOP),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_that_was_not_obeyed_is_told_to_whoever_attends_next() {
        let watch = SignalWatch::start().unwrap();
        let inbox = Arc::clone(&watch.inbox);
        assert!(!inbox.tell((Stop::VoidGames, 143)), "nobody attends");
        let first = watch.attend();
        assert!(inbox.tell((Stop::FinishPairs, INTERRUPTED)));
        drop(first);
        watch.stopper().void_games();
        let mut second = watch.attend();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let told = runtime.block_on(async { [second.next().await, second.next().await] });
        assert_eq!(
            told,
            [
                (Stop::FinishPairs, INTERRUPTED),
                (Stop::VoidGames, INTERRUPTED)
            ]
        );
    }
}
