//! This program.

use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// A command that starts this program, by the name of its file when it was first asked for.
///
/// # Errors
/// The system does not say where it is.
pub(crate) fn this_program() -> io::Result<Command> {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    if let Some(file) = FILE.get() {
        return Ok(Command::new(file));
    }
    let file = std::env::current_exe()?;
    Ok(Command::new(FILE.get_or_init(|| file)))
}
