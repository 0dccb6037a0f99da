//! The socket of a run, addressed by its folder's descriptor: a socket's address has at most 107 bytes, and the path of
//! an event may be longer.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

pub(crate) use crate::platform::unix::channel::*;

/// The socket's name in the event's folder.
const SOCKET: &str = "control.sock";

/// Where the socket of the event in this folder lies.
pub(in crate::platform) fn socket(folder: &Path) -> io::Result<PathBuf> {
    Ok(folder.join(SOCKET))
}

/// A short path to the socket, valid while this lives.
#[derive(Debug)]
pub(in crate::platform) struct Address(File);

impl Address {
    /// # Errors
    /// The folder cannot be opened.
    pub(in crate::platform) fn of(folder: &Path) -> io::Result<Address> {
        File::open(folder).map(Address)
    }

    pub(in crate::platform) fn path(&self) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}/{SOCKET}", self.0.as_raw_fd()))
    }
}
