//! An engine as processes: how it is started, spoken to, held to its limits, and ended.
//!
//! | file | what |
//! |---|---|
//! | `uci_log` | what is said, written down |
//! | `pipes` | an engine's stdin, stdout and stderr |
//! | `cgroup` | a cgroup for each engine, where this user may make one |
//! | `orphans` | processes that have left their engine's group |
//! | `guardian` | a second process that ends the engines of a runner that was killed |
//! | `launcher` | this program as a small launcher that restricts itself and becomes an engine |
//! | `allowance` | what an engine in a sandbox may use if nobody says it |
//! | `frozen` | engines that are stopped while they are not to move |
//! | `process_counts`, `watch` | what engines use; ends those that use too much |
//! | `environment` | the environment variables of an engine |
//! | `surroundings` | what surrounds an engine's process |
//! | `process` | an engine's process and its group |
//! | `originals` | whether an engine is still the one that the run began with |
//! | `start` | from the event file to an engine that is ready |
//! | `pool` | the engines of one lane |
//! | `trial` | does it search the nodes it is given? |
//! | `probe` | every engine is started once before the first game |

pub(crate) mod allowance;
pub(crate) mod cgroup;
pub(crate) mod environment;
pub(crate) mod frozen;
pub(crate) mod guardian;
pub(crate) mod launcher;
pub(crate) mod originals;
pub(crate) mod orphans;
pub(crate) mod pipes;
pub(crate) mod pool;
pub(crate) mod probe;
pub(crate) mod process;
pub(crate) mod process_counts;
pub(crate) mod start;
pub(crate) mod surroundings;
mod trial;
pub(crate) mod uci_log;
pub(crate) mod watch;

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::config::sha256;

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

/// The SHA-256 of the running program's own file, hexadecimal.
///
/// # Errors
/// The system does not say where it is, or does not let it be read.
pub(crate) fn own_sha256() -> io::Result<String> {
    let program = this_program()?;
    sha256(Path::new(program.get_program())).map_err(io::Error::other)
}
