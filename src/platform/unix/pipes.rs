//! The ends of an engine's pipes that the runner holds.

use std::io;
use std::process::{ChildStderr, ChildStdin, ChildStdout};

use tokio::net::unix::pipe;

/// The end of a pipe that is written to.
pub(crate) type Sender = pipe::Sender;

/// The end of a pipe that is read.
pub(crate) type Receiver = pipe::Receiver;

/// An engine's stdin. Must be called within a runtime.
pub(crate) fn input(pipe: ChildStdin) -> io::Result<Sender> {
    Sender::from_owned_fd(pipe.into())
}

/// An engine's stdout. Must be called within a runtime.
pub(crate) fn output(pipe: ChildStdout) -> io::Result<Receiver> {
    Receiver::from_owned_fd(pipe.into())
}

/// An engine's stderr. Must be called within a runtime.
pub(crate) fn errors(pipe: ChildStderr) -> io::Result<Receiver> {
    Receiver::from_owned_fd(pipe.into())
}

/// How many bytes are there to be read.
pub(crate) fn waiting(pipe: &Receiver) -> u64 {
    rustix::io::ioctl_fionread(pipe).unwrap_or(0)
}

/// How many bytes were written there that nobody has read.
pub(crate) fn unread(pipe: &ChildStdin) -> u64 {
    rustix::io::ioctl_fionread(pipe).unwrap_or(0)
}

/// Reads what is there; `None` if nothing is. Asks the kernel and not the runtime, which hears of input
/// only when it sleeps.
pub(crate) fn read_now(pipe: &Receiver, room: &mut [u8]) -> Option<io::Result<usize>> {
    use rustix::io::Errno;
    match rustix::io::read(pipe, room) {
        Err(Errno::AGAIN | Errno::INTR) => None,
        read => Some(read.map_err(io::Error::from)),
    }
}

/// Whoever does not read what is written there keeps nobody waiting.
pub(crate) fn never_waits(pipe: &ChildStdin) -> io::Result<()> {
    Ok(rustix::io::ioctl_fionbio(pipe, true)?)
}
