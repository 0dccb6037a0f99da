//! An engine as processes: how it is started, spoken to, held to its limits, and ended.
//!
//! | file | what |
//! |---|---|
//! | `uci_log` | the dialogue, written down |
//! | `pipes` | an engine's stdin, stdout and stderr |
//! | `guardian` | a second process that ends the engines of a runner that was killed |
//! | `launcher` | this program as a small launcher that restricts itself and becomes an engine |
//! | `places` | what engines write where they may |
//! | `allowance` | what an engine may use, also if nobody says it, and which of it was too much |
//! | `watch` | ends engines that use too much |
//! | `surroundings` | what surrounds an engine's process, and its environment variables |
//! | `process` | an engine's process and its group |
//! | `originals` | whether an engine is still the one that the run began with |
//! | `start` | from the event file to an engine that is ready |
//! | `pool` | the engines of one lane |
//! | `probe` | every engine is started once before the first game, and asked to search what it is given |

pub(crate) mod allowance;
pub(crate) mod guardian;
pub(crate) mod launcher;
pub(crate) mod originals;
pub(crate) mod pipes;
mod places;
pub(crate) mod pool;
pub(crate) mod probe;
pub(crate) mod process;
pub(crate) mod start;
pub(crate) mod surroundings;
pub(crate) mod uci_log;
pub(crate) mod watch;

use std::io;
use std::path::Path;

use crate::config::sha256;
use crate::platform::process::this_program;

/// The SHA-256 of the running program's own file, hexadecimal.
///
/// # Errors
/// The system does not say where it is, or does not let it be read.
pub(crate) fn own_sha256() -> io::Result<String> {
    let program = this_program()?;
    sha256(Path::new(program.get_program())).map_err(io::Error::other)
}
