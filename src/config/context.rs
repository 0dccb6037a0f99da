//! What every reader of the event file needs.

use std::path::{Path, PathBuf};

use super::files::{Files, PathBase, looked_for};
use super::problem::ProblemReport;

/// The surroundings of an event file.
pub(super) struct Context<'a> {
    /// The folder of the event file, absolute.
    pub(super) folder: &'a Path,
    /// That folder's name for people.
    pub(super) base: PathBase,
    /// Access to files.
    pub(super) files: &'a dyn Files,
    /// Where problems are reported.
    pub(super) report: &'a ProblemReport,
    /// Whether the event is rehearsed.
    pub(super) rehearsal: bool,
    /// Whether a start replaces a line of a book that cannot be read.
    pub(super) plays_unreadable_lines: bool,
}

impl Context<'_> {
    /// The place where something missing was expected.
    pub(super) fn looked_for(&self, written: &str) -> String {
        looked_for(Path::new(written), self.folder, self.base)
    }

    /// A path of the event file.
    pub(super) fn path(&self, written: &str) -> PathBuf {
        if written == "." {
            return self.folder.to_owned();
        }
        self.folder.join(written)
    }
}
