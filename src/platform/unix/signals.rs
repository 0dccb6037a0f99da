//! The signals that ask a run to stop.

use std::io;

use nix::sys::signal::{SigSet, Signal as Number};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::platform::StopSignal;
use crate::platform::system::signals::Ignored;

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
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    // The handler stays when the runtime has gone. Without a handler the signal ends the process as by default.
    let _handled = runtime.map(|runtime| {
        let _inside = runtime.enter();
        signal(SignalKind::from_raw(libc::SIGXFSZ)).map(drop)
    });
}

/// The handlers of the signals; `None` for a signal that was ignored from the beginning.
#[derive(Debug)]
pub(crate) struct SignalHandlers {
    interrupt: Option<Signal>,
    terminate: Option<Signal>,
    hang_up: Option<Signal>,
    user: Option<Signal>,
}

impl SignalHandlers {
    /// From now on these signals no longer end the process; this includes Ctrl-C if it was ignored from the beginning
    /// and `takes_interrupt` is set. Must be called within a runtime.
    ///
    /// # Errors
    /// The system refuses a handler.
    pub(crate) fn install(takes_interrupt: bool) -> io::Result<SignalHandlers> {
        let ignored = Ignored::at_the_start();
        let is_taken = |kind| takes_interrupt && kind == SignalKind::interrupt();
        let is_left = |kind: SignalKind| !is_taken(kind) && ignored.has(kind.as_raw_value());
        let install = |kind: SignalKind| match is_left(kind) {
            true => Ok(None),
            false => signal(kind).map(Some),
        };
        Ok(SignalHandlers {
            interrupt: install(SignalKind::interrupt())?,
            terminate: install(SignalKind::terminate())?,
            hang_up: install(SignalKind::hangup())?,
            user: install(SignalKind::user_defined1())?,
        })
    }

    /// Waits for the next signal.
    pub(crate) async fn next(&mut self) -> StopSignal {
        tokio::select! {
            () = received(&mut self.interrupt) => StopSignal::Interrupt,
            () = received(&mut self.terminate) => StopSignal::Terminate,
            () = received(&mut self.hang_up) => StopSignal::HangUp,
            () = received(&mut self.user) => StopSignal::User,
        }
    }
}

async fn received(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}
