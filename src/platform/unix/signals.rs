//! The signals that ask a run to stop.

use std::io;
use std::thread::Builder;

use nix::sys::signal::{SigSet, Signal as Number};
use signal_hook::iterator::exfiltrator::WithOrigin;
use signal_hook::iterator::{Handle, SignalsInfo};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use super::system::is_ignored;
use crate::platform::{ReceivedSignal, StopSignal, runtime};

/// The number of the signal that asks a process to end.
pub(crate) const TERMINATED: i32 = libc::SIGTERM;

/// Blocks SIGUSR1 in this thread and in those that it starts. Must be called before there is any other thread. Programs
/// that are started meanwhile inherit the block.
pub(crate) fn hold_user_stop() {
    // The number is valid, so this cannot fail; if it did, the signal would end the program as by default.
    let _held = user_stop().thread_block();
}

/// From now on SIGUSR1 ends the program as by default, and programs that it starts or becomes do not block it.
pub(crate) fn release_user_stop() {
    let _released = user_stop().thread_unblock();
}

fn user_stop() -> SigSet {
    SigSet::from(Number::SIGUSR1)
}

/// From now on a write beyond `ulimit -f` fails and is reported like any other error, instead of ending the process
/// without a message. This is a handler, because engines would inherit a setting to ignore the signal.
pub(crate) fn outlive_the_file_size_limit() {
    // The handler stays when the runtime has gone. Without a handler the signal ends the process as by default.
    let _handled = runtime().map(|runtime| {
        let _inside = runtime.enter();
        signal(SignalKind::from_raw(libc::SIGXFSZ)).map(drop)
    });
}

/// The signals that ask a run to stop, and the thread that receives them.
#[derive(Debug)]
pub(crate) struct SignalHandlers {
    received: mpsc::UnboundedReceiver<ReceivedSignal>,
    handle: Handle,
}

impl SignalHandlers {
    /// From now on these signals no longer end the process; this includes Ctrl-C if it was ignored from the beginning
    /// and `takes_interrupt` is set.
    ///
    /// # Errors
    /// The system refuses a handler or a thread.
    pub(crate) fn install(takes_interrupt: bool) -> io::Result<SignalHandlers> {
        let is_taken = |number| takes_interrupt && number == libc::SIGINT;
        let numbers = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGUSR1];
        let is_heard = |number: &i32| is_taken(*number) || !is_ignored(*number);
        let numbers = numbers.into_iter().filter(is_heard);
        let mut signals = SignalsInfo::<WithOrigin>::new(numbers)?;
        let handle = signals.handle();
        let (sender, received) = mpsc::unbounded_channel();
        let receive = move || {
            for origin in &mut signals {
                let signal = ReceivedSignal {
                    signal: stop_signal(origin.signal),
                    sender: origin.process.map(|process| process.pid),
                };
                // Nobody listens any more.
                let _gone = sender.send(signal);
            }
        };
        Builder::new().name("signal".to_owned()).spawn(receive)?;
        Ok(SignalHandlers { received, handle })
    }

    /// Waits for the next signal.
    pub(crate) async fn next(&mut self) -> ReceivedSignal {
        match self.received.recv().await {
            Some(signal) => signal,
            None => std::future::pending().await,
        }
    }
}

impl Drop for SignalHandlers {
    fn drop(&mut self) {
        self.handle.close();
    }
}

fn stop_signal(number: i32) -> StopSignal {
    match number {
        libc::SIGINT => StopSignal::Interrupt,
        libc::SIGTERM => StopSignal::Terminate,
        libc::SIGHUP => StopSignal::HangUp,
        _ => StopSignal::User,
    }
}
