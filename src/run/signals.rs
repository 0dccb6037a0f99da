//! How a run is told to stop.
//!
//! | signal | what happens |
//! |---|---|
//! | Ctrl-C once, SIGUSR1 | no more pairs are handed out; the running ones are finished |
//! | Ctrl-C twice, SIGTERM, SIGHUP | running games are voided, engines shut down |
//! | Ctrl-C three times | the engines' groups are killed at once |
//!
//! **Invariant: a signal is heard until the last byte is written.** A thread of its own waits
//! for signals. Whoever can stop in order [attends](SignalWatch::attend); while nobody does, as
//! long statistics are computed or somebody does not read our output, a signal ends the program
//! at once: every game that was announced is on the disk by then.
//!
//! SIGUSR1 asks for an end in order, and is never lost: the program holds it back from its first
//! instruction on, and one that nobody attends to waits for whoever attends next.
//!
//! A signal that was ignored when the program was started stays ignored: that is how `nohup`
//! and the shell's `&` work.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;

use tokio::sync::{mpsc, oneshot};

use crate::platform::StopSignal;
use crate::platform::signals::{Listener, release_user_stop};

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

/// What a signal asks for, and the exit code it leads to (128 and its number).
type Asked = (Stop, u8);

/// Where signals go.
#[derive(Debug, Default)]
struct Attendant {
    /// Who attends, if somebody does.
    present: Option<mpsc::UnboundedSender<Asked>>,
    /// What whoever attends next is told first.
    waiting: Option<Asked>,
}

impl Attendant {
    /// Tells of a signal; whether somebody has heard it, or will.
    fn tell(&mut self, asked: Asked) -> bool {
        let present = self.present.as_ref();
        if present.is_some_and(|present| present.send(asked).is_ok()) {
            return true;
        }
        let waits = asked.1 == USER_STOP;
        if waits {
            self.waiting = Some(asked);
        }
        waits
    }
}

/// The thread that waits for signals; it ends when this is dropped.
#[derive(Debug)]
pub struct SignalWatch {
    attendant: Arc<Mutex<Attendant>>,
    _until: oneshot::Sender<()>,
}

impl SignalWatch {
    /// From now on these signals no longer end the process by themselves.
    ///
    /// # Errors
    /// The system refuses a thread or a signal handler.
    pub fn start() -> io::Result<SignalWatch> {
        SignalWatch::with_first(Stop::FinishPairs)
    }

    /// The same; the first Ctrl-C asks for this stop, and the next for the one behind it.
    ///
    /// # Errors
    /// As [`SignalWatch::start`].
    pub(crate) fn with_first(first: Stop) -> io::Result<SignalWatch> {
        let attendant = Arc::<Mutex<Attendant>>::default();
        let (until, over) = oneshot::channel();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()?;
        let handlers = runtime.block_on(async { Handlers::install(first) })?;
        let heard = Arc::clone(&attendant);
        let watch = move || {
            release_user_stop();
            runtime.block_on(pass_on(handlers, &heard, over));
        };
        Builder::new().name("signals".to_owned()).spawn(watch)?;
        // There is a handler now. The lanes are started from here, and engines from them.
        release_user_stop();
        let _until = until;
        Ok(SignalWatch { attendant, _until })
    }

    /// Who asks for a stop without a signal.
    pub(crate) fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.attendant))
    }

    /// From now on, and until what is given back is dropped, signals are heard there.
    pub fn attend(&self) -> Signals {
        let (sender, asked) = mpsc::unbounded_channel();
        let mut attendant = self
            .attendant
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        attendant.present = Some(sender);
        if let Some(waiting) = attendant.waiting.take() {
            attendant.tell(waiting);
        }
        Signals { asked }
    }
}

/// Asks for a stop as a signal would.
#[derive(Debug, Clone)]
pub(crate) struct Stopper(Arc<Mutex<Attendant>>);

impl Stopper {
    /// Voids the games that run; the exit code is that of a Ctrl-C. Nothing happens while nobody attends.
    pub(crate) fn void_games(&self) {
        let mut attendant = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever attended may have gone: then nothing runs any more.
        let _heard = attendant.tell((Stop::VoidGames, INTERRUPTED));
    }
}

/// The signals that stop a run, as they come.
#[derive(Debug)]
pub struct Signals {
    asked: mpsc::UnboundedReceiver<Asked>,
}

impl Signals {
    /// The next signal: what it asks for, and the exit code it leads to (128 and
    /// its number). Nothing is lost if it is cancelled.
    pub async fn next(&mut self) -> (Stop, u8) {
        match self.asked.recv().await {
            Some(asked) => asked,
            // Somebody else attends now.
            None => std::future::pending().await,
        }
    }
}

async fn pass_on(
    mut handlers: Handlers,
    attendant: &Mutex<Attendant>,
    mut over: oneshot::Receiver<()>,
) {
    loop {
        let (stop, code) = tokio::select! {
            asked = handlers.next() => asked,
            _ = &mut over => return,
        };
        let mut attendant = attendant.lock().unwrap_or_else(PoisonError::into_inner);
        if !attendant.tell((stop, code)) {
            tracing::warn!(code, "stopped by a signal while nothing was played");
            std::process::exit(i32::from(code));
        }
    }
}

/// 128 and the number of SIGINT.
const INTERRUPTED: u8 = 130;

/// 128 and the number of SIGUSR1.
const USER_STOP: u8 = 138;

/// What each signal asks for.
struct Handlers {
    listener: Listener,
    interrupts: u32,
}

impl Handlers {
    fn install(first: Stop) -> io::Result<Handlers> {
        Ok(Handlers {
            listener: Listener::install()?,
            interrupts: match first {
                Stop::VoidGames => 1,
                _ => 0,
            },
        })
    }

    async fn next(&mut self) -> Asked {
        match self.listener.next().await {
            StopSignal::Interrupt => {
                self.interrupts += 1;
                let stop = match self.interrupts {
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
}
