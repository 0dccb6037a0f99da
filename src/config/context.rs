//! What every reader of the event file needs.

use std::path::{Path, PathBuf};

use super::files::Files;
use super::problem::Report;

/// The surroundings of an event file.
pub(super) struct Context<'a> {
    /// The folder of the event file, absolute.
    pub(super) folder: &'a Path,
    /// Access to files.
    pub(super) files: &'a dyn Files,
    /// Where problems are reported.
    pub(super) report: &'a Report,
}

impl Context<'_> {
    /// A path of the event file.
    pub(super) fn path(&self, written: &str) -> PathBuf {
        if written == "." {
            return self.folder.to_owned();
        }
        self.folder.join(written)
    }
}
