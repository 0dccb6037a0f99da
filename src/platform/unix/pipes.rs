//! The ends of an engine's pipes that the runner holds.

use std::io;
use std::process::ChildStdin;

use tokio::net::unix::pipe;

/// The writing end of a pipe.
pub(crate) type Sender = pipe::Sender;

/// The reading end of a pipe.
pub(crate) type Receiver = pipe::Receiver;

/// Number of bytes that can be read.
pub(crate) fn waiting(pipe: &Receiver) -> u64 {
    rustix::io::ioctl_fionread(pipe).unwrap_or(0)
}

/// Number of bytes that were written and not read.
pub(crate) fn unread(pipe: &ChildStdin) -> u64 {
    rustix::io::ioctl_fionread(pipe).unwrap_or(0)
}

/// Reads what is there; `None` if there is nothing. Asks the kernel and not the runtime, which learns of input only
/// when it sleeps.
pub(crate) fn read_now(pipe: &Receiver, room: &mut [u8]) -> Option<io::Result<usize>> {
    use rustix::io::Errno;
    match rustix::io::read(pipe, room) {
        Err(Errno::AGAIN | Errno::INTR) => None,
        read => Some(read.map_err(io::Error::from)),
    }
}

/// Makes writes to this pipe fail instead of waiting for a slow reader.
pub(crate) fn never_waits(pipe: &ChildStdin) -> io::Result<()> {
    Ok(rustix::io::ioctl_fionbio(pipe, true)?)
}
