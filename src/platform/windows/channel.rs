//! A local channel to the run of an event: a named pipe whose name contains the number of the folder.

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use tokio::net::windows::named_pipe::{NamedPipeServer, ServerOptions};

use crate::platform::number_of;

pub(crate) type Connection = NamedPipeServer;

/// "All instances are busy" (`ERROR_PIPE_BUSY`).
const BUSY: i32 = 231;

/// The place where a run listens.
#[derive(Debug)]
pub(crate) struct Listener {
    name: String,
    next: NamedPipeServer,
}

impl Listener {
    /// Listens for the event in this folder, which is locked. Must be called in a runtime.
    ///
    /// # Errors
    /// The system refuses a pipe.
    pub(crate) fn bind(folder: &Path) -> io::Result<Listener> {
        let name = name(folder)?;
        let next = ServerOptions::new()
            .first_pipe_instance(true)
            .create(&name)?;
        Ok(Listener { name, next })
    }

    /// Waits for the next connection.
    ///
    /// # Errors
    /// Errors of one connection.
    pub(crate) async fn accept(&mut self) -> io::Result<Connection> {
        self.next.connect().await?;
        let next = ServerOptions::new().create(&self.name)?;
        Ok(std::mem::replace(&mut self.next, next))
    }
}

/// A connection to the run of the event in this folder; `None` if nobody listens. If all pipes are busy, waits this
/// long for one; a run that listens answers.
///
/// # Errors
/// The folder cannot be accessed, or this user may not connect.
pub(crate) fn connect(folder: &Path, wait: Duration) -> io::Result<Option<impl Read + Write>> {
    let (name, begun) = (name(folder)?, Instant::now());
    loop {
        match OpenOptions::new().read(true).write(true).open(&name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.raw_os_error() == Some(BUSY) && begun.elapsed() < wait => {
                std::thread::sleep(wait / 100);
            }
            connection => return connection.map(Some),
        }
    }
}

fn name(folder: &Path) -> io::Result<String> {
    Ok(format!(r"\\.\pipe\arbiter960-event-{}", number_of(folder)?))
}
