//! Standard output and standard error as terminals.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustix::termios::tcgetwinsize;
use signal_hook::consts::SIGCONT;

use crate::platform::Stream;

/// Columns and rows, as they are now; `None` if it is no terminal, or does not say.
pub(crate) fn size(stream: Stream) -> Option<[usize; 2]> {
    let size = match stream {
        Stream::Out => tcgetwinsize(io::stdout()),
        Stream::Error => tcgetwinsize(io::stderr()),
    };
    let size = size.ok().map(|size| [size.ws_col, size.ws_row]);
    size.map(|size| size.map(usize::from))
}

/// The stream as a file of its own: not by way of the standard library, whose lock would be held by a write
/// that waits.
///
/// # Errors
/// There is no such stream.
pub(crate) fn own(stream: Stream) -> io::Result<File> {
    Ok(File::from(match stream {
        Stream::Out => io::stdout().as_fd().try_clone_to_owned()?,
        Stream::Error => io::stderr().as_fd().try_clone_to_owned()?,
    }))
}

/// Sets the flag whenever the program was stopped (Ctrl-Z) and goes on.
///
/// # Errors
/// The system refuses a handler.
pub(crate) fn tell_when_resumed(resumed: &Arc<AtomicBool>) -> io::Result<()> {
    signal_hook::flag::register(SIGCONT, Arc::clone(resumed)).map(drop)
}

/// Terminals understand colours and UTF-8 as they are.
pub(crate) fn prepare() {}
