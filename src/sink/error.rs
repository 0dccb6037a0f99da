//! A file or an output that cannot be written.

use std::io;
use std::path::{Path, PathBuf};

use crate::store::StoreError;

/// Why a sink failed.
#[derive(Debug, thiserror::Error)]
pub enum SinkError {
    /// A file of results cannot be written.
    #[error("cannot write {}: {source}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Whoever read our output has stopped reading, as `head` does. No damage:
    /// the run may go on without this output, or stop.
    #[error("the output was closed by its reader")]
    ClosedOutput(#[source] io::Error),
    /// The output cannot be written for any other reason.
    #[error("cannot write the output: {0}")]
    Output(#[source] io::Error),
    /// The store, from which a file was to be rebuilt, cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl SinkError {
    /// An error on this file.
    pub(crate) fn file(file: &Path, source: io::Error) -> SinkError {
        let file = file.to_path_buf();
        SinkError::File { file, source }
    }

    /// An error on an output stream.
    pub(crate) fn output(error: io::Error) -> SinkError {
        match error.kind() {
            io::ErrorKind::BrokenPipe => SinkError::ClosedOutput(error),
            _ => SinkError::Output(error),
        }
    }
}
