//! The events by which Windows asks a run to stop: Ctrl-C, Ctrl-Break, the end of its window or of the session.

use std::io;

use tokio::signal::windows::{
    CtrlBreak, CtrlC, CtrlClose, CtrlLogoff, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close,
    ctrl_logoff, ctrl_shutdown,
};

use crate::platform::{ReceivedSignal, StopSignal};

/// The number of the signal that asks a process to end; no process is ended by one.
pub(crate) const TERMINATED: i32 = 15;

/// Does nothing: Windows has no SIGUSR1.
pub(crate) fn hold_user_stop() {}

/// Does nothing: Windows has no SIGUSR1.
pub(crate) fn release_user_stop() {}

/// Does nothing: Windows has no such limit.
pub(crate) fn outlive_the_file_size_limit() {}

/// The handlers of these events.
#[derive(Debug)]
pub(crate) struct SignalHandlers {
    interrupt: CtrlC,
    terminate: CtrlBreak,
    close: CtrlClose,
    logoff: CtrlLogoff,
    shutdown: CtrlShutdown,
}

impl SignalHandlers {
    /// From now on these events no longer end the process. Must be called within a runtime.
    ///
    /// # Errors
    /// The system refuses a handler.
    pub(crate) fn install(_takes_interrupt: bool) -> io::Result<SignalHandlers> {
        Ok(SignalHandlers {
            interrupt: ctrl_c()?,
            terminate: ctrl_break()?,
            close: ctrl_close()?,
            logoff: ctrl_logoff()?,
            shutdown: ctrl_shutdown()?,
        })
    }

    /// Waits for the next event.
    pub(crate) async fn next(&mut self) -> ReceivedSignal {
        let (signal, heard) = tokio::select! {
            heard = self.interrupt.recv() => (StopSignal::Interrupt, heard),
            heard = self.terminate.recv() => (StopSignal::Terminate, heard),
            heard = self.close.recv() => (StopSignal::HangUp, heard),
            heard = self.logoff.recv() => (StopSignal::Terminate, heard),
            heard = self.shutdown.recv() => (StopSignal::Terminate, heard),
        };
        match heard {
            Some(()) => ReceivedSignal {
                signal,
                sender: None,
            },
            // No more events of this kind will come.
            None => std::future::pending().await,
        }
    }
}
