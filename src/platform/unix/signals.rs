//! The signals by which a run is asked to stop.

use std::io;

use nix::sys::signal::{SigSet, Signal as Number};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::platform::StopSignal;
use crate::platform::system::signals::Ignored;

/// The number of the signal that asks a process to end.
pub(crate) const TERMINATED: i32 = libc::SIGTERM;

/// Holds SIGUSR1 back, in this thread and in those that it starts. To be called before there is any other
/// thread. Programs that are started meanwhile inherit it.
pub(crate) fn hold_user_stop() {
    // The number is valid, so this cannot fail; if it did, the signal would end the program as ever.
    let _held = user_stop().thread_block();
}

/// From now on SIGUSR1 ends the program as ever, and what it starts or becomes does not hold it back.
pub(crate) fn release_user_stop() {
    let _released = user_stop().thread_unblock();
}

fn user_stop() -> SigSet {
    SigSet::from(Number::SIGUSR1)
}

/// From now on a write beyond `ulimit -f` fails, and is reported as any other, instead of ending
/// the process without a word. A handler, not the setting to ignore the signal, which engines would inherit.
pub(crate) fn outlive_the_file_size_limit() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    // The handler stays when the runtime has gone. Without one the signal ends the process as ever.
    let _handled = runtime.map(|runtime| {
        let _inside = runtime.enter();
        signal(SignalKind::from_raw(libc::SIGXFSZ)).map(drop)
    });
}

/// Who hears which signal; `None`: it was ignored from the beginning.
#[derive(Debug)]
pub(crate) struct Listener {
    interrupt: Option<Signal>,
    terminate: Option<Signal>,
    hang_up: Option<Signal>,
    user: Option<Signal>,
}

impl Listener {
    /// From now on these signals no longer end the process by themselves. Must be called within a runtime.
    ///
    /// # Errors
    /// The system refuses a handler.
    pub(crate) fn install() -> io::Result<Listener> {
        let ignored = Ignored::at_the_start();
        let install = |kind: SignalKind| match ignored.has(kind.as_raw_value()) {
            true => Ok(None),
            false => signal(kind).map(Some),
        };
        Ok(Listener {
            interrupt: install(SignalKind::interrupt())?,
            terminate: install(SignalKind::terminate())?,
            hang_up: install(SignalKind::hangup())?,
            user: install(SignalKind::user_defined1())?,
        })
    }

    /// The next one.
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
