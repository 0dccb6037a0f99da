//! A local channel to the run of an event: a socket in its folder, or in another place that the system offers.

use std::fs::{self, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::net::UnixListener;

use crate::platform::system::channel::{Address, socket};

/// An accepted connection.
pub(crate) type Connection = tokio::net::UnixStream;

/// The place where a run listens.
#[derive(Debug)]
pub(crate) struct Listener(UnixListener);

/// The name of the channel, which is removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Name(PathBuf);

impl Listener {
    /// Listens for the event in this folder, which is locked. Must be called in a runtime.
    ///
    /// # Errors
    /// The file system does not support sockets, or the system refuses one.
    pub(crate) fn bind(folder: &Path) -> io::Result<(Listener, Name)> {
        let path = socket(folder)?;
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(Address::of(folder)?.path())?;
        fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        Ok((Listener(listener), Name(path)))
    }

    /// Waits for the next connection.
    ///
    /// # Errors
    /// Errors of one connection, or temporary ones: too many open files.
    pub(crate) async fn accept(&mut self) -> io::Result<Connection> {
        Ok(self.0.accept().await?.0)
    }
}

impl Drop for Name {
    fn drop(&mut self) {
        // The next run removes it if this fails.
        let _gone = fs::remove_file(&self.0);
    }
}

/// A connection to the run of the event in this folder, on which reads and writes wait no longer than `wait`; `None` if
/// nobody listens.
///
/// # Errors
/// The folder cannot be accessed, or this user may not connect.
pub(crate) fn connect(folder: &Path, wait: Duration) -> io::Result<Option<impl Read + Write>> {
    let gone = [io::ErrorKind::NotFound, io::ErrorKind::ConnectionRefused];
    let connection = match UnixStream::connect(Address::of(folder)?.path()) {
        Err(error) if gone.contains(&error.kind()) => return Ok(None),
        connection => connection?,
    };
    connection.set_read_timeout(Some(wait))?;
    connection.set_write_timeout(Some(wait))?;
    Ok(Some(connection))
}
