//! The ends of an engine's pipes that the runner holds: named pipes, whose other end nobody else can open. Only these
//! can be waited for together with timers; the anonymous pipes of Windows block.

use std::fs::{File, OpenOptions};
use std::future::Future;
use std::io;
use std::pin::pin;
use std::process::ChildStdin;
use std::task::{Context, Poll, Waker};

use tokio::net::windows::named_pipe::{NamedPipeServer, ServerOptions};

use crate::platform::orders::token;

/// The writing end of a pipe.
pub(crate) type Sender = NamedPipeServer;

/// The reading end of a pipe.
pub(crate) type Receiver = NamedPipeServer;

/// Capacity of a pipe in bytes: the same as on Linux.
const CAPACITY: u32 = 1 << 16;

/// A pipe that is written to here, and the end that a program reads. Must be called within a runtime.
pub(super) fn to_program() -> io::Result<(Sender, File)> {
    pair(
        ServerOptions::new().access_inbound(false),
        OpenOptions::new().read(true),
    )
}

/// A pipe that is read here, and the end that a program writes to. Must be called within a runtime.
pub(super) fn from_program() -> io::Result<(Receiver, File)> {
    pair(
        ServerOptions::new().access_outbound(false),
        OpenOptions::new().write(true),
    )
}

fn pair(
    server: &mut ServerOptions,
    client: &mut OpenOptions,
) -> io::Result<(NamedPipeServer, File)> {
    let name = format!(r"\\.\pipe\arbiter960-{}", token());
    let server = server
        .first_pipe_instance(true)
        .max_instances(1)
        .in_buffer_size(CAPACITY)
        .out_buffer_size(CAPACITY)
        .create(&name)?;
    let client = client.open(&name)?;
    let mut context = Context::from_waker(Waker::noop());
    // The other end exists already, so this does not wait.
    let connected = match pin!(server.connect()).poll(&mut context) {
        Poll::Ready(connected) => connected,
        Poll::Pending => Err(io::ErrorKind::TimedOut.into()),
    };
    connected.map(|()| (server, client))
}

/// `u64::MAX`, since the number is not known: the runtime has already taken what has arrived.
pub(crate) fn waiting(_pipe: &Receiver) -> u64 {
    u64::MAX
}

/// Always 0: Windows does not report how many bytes were written and not read.
pub(crate) fn unread(_pipe: &ChildStdin) -> u64 {
    0
}

/// Reads what the runtime has received; `None` if there is nothing.
pub(crate) fn read_now(pipe: &Receiver, room: &mut [u8]) -> Option<io::Result<usize>> {
    match pipe.try_read(room) {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => None,
        read => Some(read),
    }
}

/// Nothing is written to a second process: see [`NEEDS_GUARDIAN`](super::process::NEEDS_GUARDIAN).
pub(crate) fn never_waits(_pipe: &ChildStdin) -> io::Result<()> {
    Ok(())
}
