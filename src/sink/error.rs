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
    /// Standard output or standard error cannot be written: its reader has closed it, as `head` does, or its disk is
    /// full. Nothing is damaged, and the run continues without this output.
    #[error("cannot write the output: {0}")]
    Output(#[source] io::Error),
    /// The store, from which a file was to be rebuilt, cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The file that an error is about.
pub(crate) trait InSinkFile<T> {
    fn at(self, file: &Path) -> Result<T, SinkError>;
}

impl<T> InSinkFile<T> for io::Result<T> {
    fn at(self, file: &Path) -> Result<T, SinkError> {
        let file = file.to_path_buf();
        self.map_err(|source| SinkError::File { file, source })
    }
}
