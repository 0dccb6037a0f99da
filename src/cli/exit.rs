//! The exit codes of the contract, and which error has which.

use std::io;

use crate::farm::FarmError;
use crate::run::RunError;
use crate::sink::SinkError;
use crate::store::StoreError;

pub(crate) const DONE: u8 = 0;
/// The command's own finding is negative.
pub(crate) const FOUND: u8 = 1;
/// Anything wrong in the command line, event file, positions, books.
pub(crate) const USAGE: u8 = 2;
/// An engine could not be started, or does not play this variant.
pub(crate) const ENGINE: u8 = 3;
/// Storage: cannot write, disk full, damaged or locked store.
pub(crate) const STORAGE: u8 = 4;
/// The run ended with voided games.
pub(crate) const VOIDED: u8 = 5;

/// The NATS server of a farm cannot be used.
const FARM: u8 = 6;

/// With `--exit-verdict`: the test accepted H1.
pub(crate) const ACCEPTED: u8 = 10;
/// With `--exit-verdict`: the test accepted H0.
pub(crate) const REJECTED: u8 = 11;
/// With `--exit-verdict`: the test ended without a decision.
pub(crate) const UNDECIDED: u8 = 12;
/// With `--exit-verdict`: both engines played the same moves in every pair.
pub(crate) const SAME_MOVES: u8 = 13;

/// The exit code of an error that ends a command.
pub(crate) fn code_of(error: &anyhow::Error) -> u8 {
    error.chain().find_map(known).unwrap_or(USAGE)
}

fn known(cause: &(dyn std::error::Error + 'static)) -> Option<u8> {
    if let Some(store) = cause.downcast_ref::<StoreError>() {
        // A folder without an event is a mistake in the command line.
        return Some(match store {
            StoreError::Missing { .. } | StoreError::NotBegun { .. } => USAGE,
            _ => STORAGE,
        });
    }
    let is_full = |error: &io::Error| error.kind() == io::ErrorKind::StorageFull;
    if cause.is::<SinkError>() || cause.downcast_ref::<io::Error>().is_some_and(is_full) {
        return Some(STORAGE);
    }
    if let Some(error) = cause.downcast_ref::<FarmError>() {
        return Some(match error {
            FarmError::Storage(_) => STORAGE,
            _ => FARM,
        });
    }
    match cause.downcast_ref::<RunError>()? {
        RunError::Remote(error) => known(error.as_ref()),
        RunError::Engines(_) | RunError::ProgramChanged(_) => Some(ENGINE),
        RunError::NotRebuilt(_) | RunError::Storage(_) => Some(STORAGE),
        RunError::Sink(_) | RunError::System(_) => Some(STORAGE),
        // What the event file or the command line asks for cannot be done.
        _ => Some(USAGE),
    }
}

/// Whether the reader of our output has closed it, as `head` does.
pub(crate) fn is_closed_output(error: &anyhow::Error) -> bool {
    let is_broken = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    let mut causes = error.chain();
    causes.any(|cause| cause.downcast_ref::<io::Error>().is_some_and(is_broken))
}
