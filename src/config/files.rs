//! The files that an event file needs, behind a trait so that tests need none.

use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf, is_separator};
use std::{fmt, io};

use super::problem::ProblemReport;
use crate::platform::files::{MORE_PROGRAMS, is_executable, make_executable, names_of_program};
use crate::referee::Compatibility;
use crate::tablebase::{Syzygy, SyzygyError};

/// The kind of thing at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// Nothing, or a path that may not be read, or a device, a pipe, a socket.
    Missing,
    /// A folder.
    Folder,
    /// A file that cannot be executed.
    Plain,
    /// A file that can be executed.
    Program,
}

/// What a path is relative to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathBase {
    /// The folder of the event file.
    EventFile,
    /// The folder that a command was given in.
    CurrentFolder,
}

impl fmt::Display for PathBase {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            PathBase::EventFile => "the event file",
            PathBase::CurrentFolder => "the current folder",
        })
    }
}

/// Access to files; the default is this machine's.
pub trait Files {
    /// A file's bytes; `-` is the standard input.
    ///
    /// # Errors
    /// Those of the operating system.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if path.as_os_str() != "-" {
            return std::fs::read(path);
        }
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The first bytes of a file, at most `most`.
    ///
    /// # Errors
    /// Those of the operating system.
    fn read_start(&self, path: &Path, most: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut start = File::open(path)?.take(most as u64);
        start.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The Syzygy tables in folders, of endings with up to `men` men.
    ///
    /// # Errors
    /// A folder has no table, or a damaged one.
    fn tablebases(&self, folders: &[PathBuf], men: Option<u32>) -> Result<Syzygy, SyzygyError> {
        Syzygy::open(folders, men)
    }

    /// What is at this path; symbolic links are followed.
    fn kind(&self, path: &Path) -> FileKind {
        match std::fs::metadata(path) {
            Err(_) => FileKind::Missing,
            Ok(meta) if meta.is_dir() => FileKind::Folder,
            Ok(meta) if !meta.is_file() => FileKind::Missing,
            Ok(_) if is_executable(path) => FileKind::Program,
            Ok(_) => FileKind::Plain,
        }
    }

    /// The path without symbolic links, `.` and `..`; unchanged if nothing is there.
    fn real(&self, path: &Path) -> PathBuf {
        std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
    }

    /// Where commands without a slash are looked up, in order: PATH, then the folders outside it where programs are installed.
    fn search_path(&self) -> Vec<PathBuf> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let more = MORE_PROGRAMS.iter().map(PathBuf::from);
        std::env::split_paths(&path).chain(more).collect()
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RealFiles;

impl Files for RealFiles {}

/// A path without `.`, for comparisons.
pub(crate) fn plain_path(path: &Path) -> PathBuf {
    let there = |part: &Component<'_>| *part != Component::CurDir;
    path.components().filter(there).collect()
}

/// The program that a command means on the command line.
///
/// # Errors
/// Why no program was found, and what to do.
pub(crate) fn find_command(command: &str, files: &dyn Files) -> Result<PathBuf, (String, String)> {
    find_program(command, (Path::new("."), PathBase::CurrentFolder), files)
}

/// The program that a command means: with a slash a path below `folder`, else the first
/// of its name on the search path.
///
/// # Errors
/// Why no program was found, and what to do.
pub(super) fn find_program(
    command: &str,
    (folder, base): (&Path, PathBase),
    files: &dyn Files,
) -> Result<PathBuf, (String, String)> {
    let path = folder.join(command);
    let is_path = command.contains(is_separator);
    let places = if is_path {
        vec![folder.to_owned()]
    } else {
        files.search_path()
    };
    let places = places.iter();
    let mut candidates = places.flat_map(|place| names_of_program(&place.join(command)));
    if let Some(program) = candidates.find(|path| files.kind(path) == FileKind::Program) {
        return Ok(program);
    }
    Err(match (is_path, files.kind(&path)) {
        (true, FileKind::Program) => return Ok(path),
        (true, FileKind::Missing) => (
            format!("there is no program `{command}`"),
            looked_for(command, folder, base),
        ),
        (true, FileKind::Folder) => (
            format!("`{command}` is a folder"),
            "name the program in it".to_owned(),
        ),
        (true, FileKind::Plain) => (
            format!("`{command}` may not be executed"),
            make_executable(&written_out(&path)),
        ),
        (false, kind) => {
            let place = match base {
                PathBase::EventFile => "beside the event file",
                PathBase::CurrentFolder => "in the current folder",
            };
            let help = match kind {
                FileKind::Program | FileKind::Plain => format!(
                    "there is one {place}: \"./{command}\" (a command without a slash is looked up on PATH)"
                ),
                _ => format!("install it, or give its path; a path is relative to {base}"),
            };
            let more = MORE_PROGRAMS.iter().map(|place| format!(" or in {place}"));
            let more: String = more.collect();
            (format!("no program `{command}` on PATH{more}"), help)
        }
    })
}

/// A path for people, without a `.` inside it.
fn written_out(path: &Path) -> String {
    let parts: PathBuf = path.components().collect();
    parts.display().to_string()
}

/// The place where something missing was expected.
pub(super) fn looked_for(written: &str, folder: &Path, base: impl fmt::Display) -> String {
    let shown = written_out(&folder.join(written));
    if Path::new(written).is_absolute() {
        format!("looked for {shown}")
    } else {
        format!("looked for {shown}: the path is relative to {base}")
    }
}

/// The text of a file that people write.
///
/// # Errors
/// Why it is none, and what to do.
pub(super) fn utf8(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| {
        let bytes = error.as_bytes();
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            return "it is UTF-16: save it as UTF-8".to_owned();
        }
        let before = &bytes[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        format!("line {line} is not UTF-8: save the file as UTF-8")
    })
}

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
    /// Whose way is followed where programs differ.
    pub(super) compatibility: Compatibility,
}

impl Context<'_> {
    /// The place where something missing was expected.
    pub(super) fn looked_for(&self, written: &str) -> String {
        looked_for(written, self.folder, self.base)
    }

    /// A path of the event file.
    pub(super) fn path(&self, written: &str) -> PathBuf {
        if written == "." {
            return self.folder.to_owned();
        }
        self.folder.join(written)
    }
}
