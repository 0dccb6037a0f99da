//! The name of a run's socket is in the kernel's own list (unix(7), "abstract"), one for each network namespace. It ends
//! with the socket, however the run ends.

use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixStream};

use rustix::net::sockopt::socket_peercred;

pub(crate) use crate::platform::unix::channel::*;

/// The address that has this name.
pub(in crate::platform) fn address(name: &str) -> io::Result<SocketAddr> {
    SocketAddr::from_abstract_name(name)
}

/// The user who listens at the other end of a connection.
pub(in crate::platform) fn listening_user(connection: &UnixStream) -> io::Result<u32> {
    Ok(socket_peercred(connection)?.uid.as_raw())
}
