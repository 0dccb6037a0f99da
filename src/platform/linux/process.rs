//! Processes: what Linux has beside POSIX.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

pub(crate) use super::ended::Ended;
pub(in crate::platform) use super::orphans::end_descendants;
pub(crate) use super::walls::keep_descriptors;
pub(crate) use crate::platform::unix::process::*;

/// The running program's own file, whatever has become of its name meanwhile.
const RUNNING: &str = "/proc/self/exe";

/// A command that starts this program. It stays the same one for the whole run,
/// also if somebody replaces or deletes the file it was started from.
///
/// # Errors
/// The system does not say where it is.
pub(crate) fn this_program() -> io::Result<Command> {
    if !Path::new(RUNNING).exists() {
        return Ok(Command::new(std::env::current_exe()?));
    }
    let mut command = Command::new(RUNNING);
    command.arg0(env!("CARGO_PKG_NAME"));
    Ok(command)
}
