//! Errors of a store, in words for people.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use super::SCHEMA;
use super::checksum::UnfitRow;
use crate::platform::locks;
use crate::platform::machine::file_size_limit;
use crate::text::printable;

/// The result of what a store is asked.
pub(crate) type Result<T> = std::result::Result<T, StoreError>;

/// A store that cannot be opened, read or written. All errors have exit class 4, except [`StoreError::Missing`], which
/// is a mistake in the command line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The folder contains no event.
    #[error("{} holds no event (there is no event.db)", .0.display())]
    Missing(PathBuf),
    /// The folder already contains an event.
    #[error("{} holds an event already", .0.display())]
    Exists(PathBuf),
    /// Another process writes this event.
    #[error("{} is being played by another arbiter960{}", folder.display(), by(*process))]
    Locked {
        /// The folder.
        folder: PathBuf,
        /// The other process, if it left its number.
        process: Option<u32>,
    },
    /// A SQLite file of another program.
    #[error("{} is not an event of arbiter960", .0.display())]
    Foreign(PathBuf),
    /// Written by another version of arbiter960.
    #[error(
        "{} was written by another version of arbiter960 (schema {version}, and this one has {SCHEMA}): use the \
         program that wrote it",
        file.display()
    )]
    OtherVersion {
        /// The file.
        file: PathBuf,
        /// Its schema version.
        version: i64,
    },
    /// Somebody has moved, deleted or cut short a file of a running event.
    #[error("{} was moved, deleted or cut short while it was being written", .0.display())]
    Moved(PathBuf),
    /// There are games, but the store that they came from is gone.
    #[error(
        "{} has a games.pgn, but its event.db is gone or empty: bring it back from a backup; or have it \
         made anew out of games.pgn by `arbiter960 rebuild` with the event file; or start \
         again from nothing with --fresh (which moves the folder aside)",
        .0.display()
    )]
    Lost(PathBuf),
    /// Another user has made the folder, and could replace its files by links.
    #[error(
        "{} belongs to another user: results are written to a folder of your own; --results names \
         another one",
        .0.display()
    )]
    Strangers(PathBuf),
    /// No run of this event has reached its first game.
    #[error(
        "{} holds an event that has not begun: its engines were not accepted yet; `arbiter960 run` \
         with its event file begins it",
        .0.display()
    )]
    NotBegun(PathBuf),
    /// The file is incomplete, or its content contradicts itself.
    #[error(
        "{} is damaged: {detail} (nothing was changed; keep a copy of the folder, then restore a backup; or \
         move event.db to another name and have it made anew out of games.pgn by `arbiter960 rebuild` \
         with the event file; or start again with --fresh)",
        file.display()
    )]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What was found.
        detail: String,
    },
    /// Stored games differ from those of the plan, or from those that were played.
    #[error("{}", contradiction(file, games, *more))]
    Contradicted {
        /// The file.
        file: PathBuf,
        /// The first of these games, each with what is wrong.
        games: Vec<String>,
        /// Number of further ones.
        more: usize,
    },
    /// No space is left.
    #[error("the disk is full: cannot write {}", .0.display())]
    DiskFull(PathBuf),
    /// Writing is not allowed here.
    #[error("no permission to write {}", .0.display())]
    ReadOnly(PathBuf),
    /// Any other failure of the operating system or of SQLite.
    #[error("{}: {detail}", file.display())]
    Failed {
        /// The file or folder.
        file: PathBuf,
        /// What happened.
        detail: String,
    },
    /// The arbiter has decided something since that was read on which the data depend.
    #[error("{}: the arbiter has decided meanwhile", .0.display())]
    Decided(PathBuf),
    /// The writer has stopped after an earlier error.
    #[error("{}: the writer has stopped", .0.display())]
    Stopped(PathBuf),
}

fn contradiction(file: &Path, games: &[String], more: usize) -> String {
    let more = match more {
        0 => String::new(),
        more => format!("\n  and {more} more"),
    };
    format!(
        "{} is damaged; these games are not what was played, or not what the plan asks for:\n  {}{more}\n\
         games.pgn was left as it is. Keep a copy of the folder, then restore a backup; or move event.db to \
         another name and have it made anew out of games.pgn by `arbiter960 rebuild` with the event file; or \
         start again with --fresh (which moves the folder aside)",
        file.display(),
        games.join("\n  ")
    )
}

fn by(process: Option<u32>) -> String {
    process.map_or_else(String::new, |number| format!(" (process {number})"))
}

/// Results of SQLite and of the operating system.
pub(super) trait InFile<T> {
    /// The result, whose error names the file.
    fn at(self, file: &Path) -> Result<T>;
}

impl<T> InFile<T> for rusqlite::Result<T> {
    fn at(self, file: &Path) -> Result<T> {
        self.map_err(|error| StoreError::from_sqlite(file, &error))
    }
}

impl<T> InFile<T> for io::Result<T> {
    fn at(self, file: &Path) -> Result<T> {
        self.map_err(|error| StoreError::from_io(file, &error))
    }
}

impl StoreError {
    /// The operating system's error for this path.
    pub fn from_io(path: &Path, error: &io::Error) -> StoreError {
        let file = path.to_path_buf();
        use io::ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
        let detail = error.to_string();
        match error.kind() {
            StorageFull | QuotaExceeded => StoreError::DiskFull(file),
            PermissionDenied | ReadOnlyFilesystem => StoreError::ReadOnly(file),
            _ => StoreError::Failed { file, detail },
        }
    }

    /// SQLite's error for this file.
    pub(crate) fn from_sqlite(path: &Path, error: &rusqlite::Error) -> StoreError {
        let file = path.to_path_buf();
        let detail = words(error);
        let Some(code) = error.sqlite_error() else {
            return if is_unreadable_row(error) {
                StoreError::Damaged { file, detail }
            } else {
                StoreError::Failed { file, detail }
            };
        };
        let is_cut = code.extended_code == rusqlite::ffi::SQLITE_IOERR_SHORT_READ;
        match code.code {
            ErrorCode::SystemIoFailure if is_cut => StoreError::Damaged { file, detail },
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
                StoreError::Damaged { file, detail }
            }
            ErrorCode::DiskFull => StoreError::DiskFull(file),
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied => StoreError::ReadOnly(file),
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
                let detail = format!("locked by {}", lock_holder(&file));
                StoreError::Failed { file, detail }
            }
            // SQLite does not explain it.
            ErrorCode::SystemIoFailure => {
                let limit = file_size_limit().map_or_else(String::new, |bytes| {
                    format!(" (this user's files may have {bytes} bytes at most: ulimit -f)")
                });
                let detail = detail + &limit;
                StoreError::Failed { file, detail }
            }
            _ => StoreError::Failed { file, detail },
        }
    }
}

/// Which other processes have locked a store, in words: `sqlite3 (process 4242)`.
pub(super) fn lock_holder(file: &Path) -> String {
    // The locks of a write-ahead log are on its index.
    let index = PathBuf::from(format!("{}-shm", file.display()));
    let holders = locks::other_writers(&[&index, file]);
    let words = |(process, name): &(u32, String)| match printable(name).as_ref() {
        "" => format!("process {process}"),
        name => format!("{name} (process {process})"),
    };
    match holders.iter().map(words).collect::<Vec<_>>() {
        words if words.is_empty() => "another program".to_owned(),
        words => words.join(", "),
    }
}

/// SQLite's error in words.
pub(super) fn words(error: &rusqlite::Error) -> String {
    let unfit = match error {
        rusqlite::Error::FromSqlConversionFailure(_, _, inner) => inner.downcast_ref::<UnfitRow>(),
        _ => None,
    };
    unfit.map_or_else(|| error.to_string(), UnfitRow::to_string)
}

/// A row that this program cannot have written.
fn is_unreadable_row(error: &rusqlite::Error) -> bool {
    use rusqlite::Error::*;
    matches!(
        error,
        FromSqlConversionFailure(..)
            | IntegralValueOutOfRange(..)
            | Utf8Error(..)
            | InvalidColumnType(..)
    )
}

pub(super) fn damaged(file: &Path, detail: String) -> StoreError {
    StoreError::Damaged {
        file: file.to_path_buf(),
        detail,
    }
}
