//! A local channel to the run of an event: a socket with the number of its folder as its name. It is not in the folder,
//! because programs that copy a folder stop at a socket.

use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::geteuid;

use crate::platform::number_of;
use crate::platform::system::channel::{address, listening_user};

/// How long a name that is taken is waited for.
const CONNECTION_TIMEOUT: Duration = Duration::from_millis(500);

pub(crate) type Connection = tokio::net::UnixStream;

/// The place where a run listens; its name is removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Listener {
    listener: tokio::net::UnixListener,
    name: SocketAddr,
}

impl Listener {
    /// Listens for the event in this folder, which is locked. Must be called in a runtime.
    ///
    /// # Errors
    /// The system refuses a socket, or another user has taken its name.
    pub(crate) fn bind(folder: &Path) -> io::Result<Listener> {
        let name = address_of(folder)?;
        // A run that was killed may have left it.
        remove(&name)?;
        let listener = bind_for_a_while(&name)?;
        listener.set_nonblocking(true)?;
        let listener = tokio::net::UnixListener::from_std(listener)?;
        Ok(Listener { listener, name })
    }

    /// Waits for the next connection of this user or of root.
    ///
    /// # Errors
    /// Errors of one connection, or temporary ones: too many open files.
    pub(crate) async fn accept(&mut self) -> io::Result<Connection> {
        loop {
            let (connection, _) = self.listener.accept().await?;
            let user = connection.peer_cred()?.uid();
            if user == 0 || user == geteuid().as_raw() {
                return Ok(connection);
            }
        }
    }
}

/// Tries for a while, because a new process has the socket that this one has closed until it becomes an engine.
fn bind_for_a_while(address: &SocketAddr) -> io::Result<UnixListener> {
    let begun = Instant::now();
    loop {
        match UnixListener::bind_addr(address) {
            Err(error)
                if error.kind() == io::ErrorKind::AddrInUse
                    && begun.elapsed() < CONNECTION_TIMEOUT =>
            {
                std::thread::sleep(CONNECTION_TIMEOUT / 20);
            }
            bound => return bound,
        }
    }
}

fn remove(name: &SocketAddr) -> io::Result<()> {
    match name.as_pathname().map(fs::remove_file) {
        Some(Err(error)) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // The next run removes it if this fails.
        let _gone = remove(&self.name);
    }
}

/// A connection to the run of the event in this folder, on which reads and writes wait no longer than `wait`; `None` if
/// nobody listens.
///
/// # Errors
/// The folder cannot be accessed, or this user may not ask the run.
pub(crate) fn connect(folder: &Path, wait: Duration) -> io::Result<Option<impl Read + Write>> {
    let gone = [io::ErrorKind::NotFound, io::ErrorKind::ConnectionRefused];
    let connection = match UnixStream::connect_addr(&address_of(folder)?) {
        Err(error) if gone.contains(&error.kind()) => return Ok(None),
        connection => connection?,
    };
    // Whoever comes first can take the name.
    let (runner, own) = (listening_user(&connection)?, geteuid());
    if runner != own.as_raw() && !(own.is_root() && runner == fs::metadata(folder)?.uid()) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    connection.set_read_timeout(Some(wait))?;
    connection.set_write_timeout(Some(wait))?;
    Ok(Some(connection))
}

fn address_of(folder: &Path) -> io::Result<SocketAddr> {
    address(&format!("arbiter960-{}", number_of(folder)?))
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use rustix::fs::{Mode, chmod};
    use rustix::process::Uid;
    use rustix::thread::set_thread_res_uid;
    use tokio::sync::oneshot;

    use super::*;
    use crate::platform::runtime;

    fn become_another() {
        let other = Uid::from_raw(65534);
        set_thread_res_uid(other, other, other).unwrap();
    }

    fn refused<C>(asked: io::Result<C>) {
        let kind = asked.map(drop).unwrap_err().kind();
        assert_eq!(kind, io::ErrorKind::PermissionDenied);
    }

    /// Both ends refuse another user. Root alone can be two users.
    #[test]
    fn another_user_can_neither_ask_a_run_nor_answer_for_it() {
        if !geteuid().is_root() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        chmod(folder.path(), Mode::from_raw_mode(0o755)).unwrap();
        let folder = folder.path();
        let runtime = runtime().unwrap();
        let wait = Duration::from_secs(60);
        let _inside = runtime.enter();
        let mut listener = Listener::bind(folder).unwrap();
        let (done, over) = oneshot::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                become_another();
                refused(connect(folder, wait));
                match UnixStream::connect_addr(&address_of(folder).unwrap()) {
                    Ok(mut connection) => assert_eq!(connection.read(&mut [0]).unwrap(), 0),
                    error => refused(error),
                }
                drop(done);
            });
            runtime.block_on(async {
                tokio::select! {
                    biased;
                    accepted = listener.accept() => panic!("{accepted:?}"),
                    _ = over => {}
                }
            });
        });
        drop(listener);
        let handle = runtime.handle();
        let listening = std::thread::scope(|scope| {
            let binding = scope.spawn(|| {
                let _inside = handle.enter();
                become_another();
                Listener::bind(folder).unwrap()
            });
            binding.join().unwrap()
        });
        refused(connect(folder, wait));
        drop(listening);
    }
}
