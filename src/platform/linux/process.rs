//! Processes: what Linux offers in addition to POSIX.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

pub(crate) use super::ended::Ended;
pub(in crate::platform) use super::orphans::end_descendants;
pub(crate) use super::walls::keep_descriptors;
pub(crate) use crate::platform::unix::process::*;

/// The file of the running program, also if its name was changed meanwhile.
const RUNNING: &str = "/proc/self/exe";

/// A command that starts this program. It starts the same program for the whole run, also if the file it was started
/// from is replaced or deleted.
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
