//! The socket of a run is in the folder for temporary files, in which nobody can replace the file of another user.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{SocketAddr, UnixStream};
use std::path::Path;

pub(crate) use crate::platform::unix::channel::*;

/// The same for every user, whatever the environment says: who asks a run may have another.
const FOLDER: &str = "/tmp";

/// The address that has this name.
pub(in crate::platform) fn address(name: &str) -> io::Result<SocketAddr> {
    SocketAddr::from_pathname(Path::new(FOLDER).join(name))
}

/// The user who listens at the other end of a connection.
pub(in crate::platform) fn listening_user(connection: &UnixStream) -> io::Result<u32> {
    let address = connection.peer_addr()?;
    let path = address.as_pathname().ok_or(io::ErrorKind::NotFound)?;
    Ok(path.symlink_metadata()?.uid())
}
