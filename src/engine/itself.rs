//! This program, to be started once more: as the guardian, as the built-in engine.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// The running program's own file, whatever has become of its name meanwhile.
const RUNNING: &str = "/proc/self/exe";

/// A command that starts this program. It stays the same one for the whole run,
/// also if somebody replaces or deletes the file it was started from.
///
/// # Errors
/// The system does not say where it is.
pub(crate) fn command() -> io::Result<Command> {
    if !Path::new(RUNNING).exists() {
        return Ok(Command::new(std::env::current_exe()?));
    }
    let mut command = Command::new(RUNNING);
    command.arg0(env!("CARGO_PKG_NAME"));
    Ok(command)
}
