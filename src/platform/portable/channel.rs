//! The socket of a run: in its folder, or, if its path is too long there, in the folder for temporary files.

use std::io;
use std::path::{Path, PathBuf};

use crate::platform::mark_of_event;
pub(crate) use crate::platform::unix::channel::*;

/// The socket's name in the event's folder.
const SOCKET: &str = "control.sock";

/// Maximum length of a socket's path, in bytes; macOS takes 103.
const LONGEST: usize = 100;

/// Where the socket of the event in this folder lies.
pub(in crate::platform) fn socket(folder: &Path) -> io::Result<PathBuf> {
    let inside = folder.join(SOCKET);
    if inside.as_os_str().len() <= LONGEST {
        return Ok(inside);
    }
    let name = format!("arbiter960-{}.sock", mark_of_event(folder)?);
    Ok(std::env::temp_dir().join(name))
}

/// The path of the socket.
#[derive(Debug)]
pub(in crate::platform) struct Address(PathBuf);

impl Address {
    /// # Errors
    /// The folder cannot be seen.
    pub(in crate::platform) fn of(folder: &Path) -> io::Result<Address> {
        socket(folder).map(Address)
    }

    pub(in crate::platform) fn path(&self) -> &Path {
        &self.0
    }
}
