//! Files and folders.

use std::fs::{self, File};
use std::io;
use std::os::windows::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use winapi_util::file::{Information, information};

use crate::platform::{KnownFile, not_plain};

/// Folders whose files the kernel generates: Windows does not have any.
pub(crate) const MADE_UP: &[&str] = &[];

/// Folders that are searched for programs in addition to `PATH`.
pub(crate) const MORE_PROGRAMS: &[&str] = &[];

/// Windows has no folder for locks of all users.
pub(crate) const LOCKS: &str = "";

/// The endings of the names of programs.
const PROGRAMS: [&str; 4] = ["exe", "com", "bat", "cmd"];

/// Maximum time of retries while another program, such as a virus scanner, holds a file for a moment.
const SHARING_TIMEOUT: Duration = Duration::from_secs(30);

/// Time between two retries.
const RETRY_DELAY: Duration = Duration::from_millis(100);

/// "The file is open in another program" (`ERROR_SHARING_VIOLATION`).
const IN_USE: i32 = 32;

/// The values that identify a file or folder and its state.
///
/// # Errors
/// It cannot be accessed.
pub(crate) fn known(path: &Path) -> io::Result<KnownFile> {
    let handle = winapi_util::Handle::from_path_any(path)?;
    information(&handle).map(known_by)
}

/// As [`known`], for an open file.
///
/// # Errors
/// The system does not report them.
pub(crate) fn known_open(file: &File) -> io::Result<KnownFile> {
    information(file).map(known_by)
}

fn known_by(file: Information) -> KnownFile {
    // In units of 100 ns.
    let time = file.last_write_time().unwrap_or_default();
    let written = (
        i64::try_from(time / 10_000_000).unwrap_or_default(),
        i64::try_from(time % 10_000_000 * 100).unwrap_or_default(),
    );
    KnownFile {
        device: file.volume_serial_number(),
        inode: file.file_index(),
        length: file.file_size(),
        written,
        changed: written,
    }
}

/// Whether a folder belongs to another user: not asked here.
///
/// # Errors
/// None.
pub(crate) fn is_of_a_stranger(_folder: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Opens a file to read and write, and creates it if it is missing.
///
/// # Errors
/// It cannot be written.
pub(crate) fn open_own(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    options.open(path)
}

/// The room that a file takes on its disk, bytes.
pub(crate) fn room_taken(metadata: &std::fs::Metadata) -> u64 {
    metadata.len()
}

/// Whether a file is a program, by its name.
pub(crate) fn is_executable(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| {
        PROGRAMS
            .iter()
            .any(|known| known.eq_ignore_ascii_case(ending))
    })
}

/// The file names that a program with this path may have: if the path has no ending, one is added.
pub(crate) fn names_of_program(path: &Path) -> Vec<PathBuf> {
    let with = |ending: &&str| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{ending}"));
        PathBuf::from(name)
    };
    if is_executable(path) {
        vec![path.to_owned()]
    } else {
        PROGRAMS.iter().map(with).collect()
    }
}

/// What to do with a file that is no program yet.
pub(crate) fn make_executable(_path: &str) -> String {
    format!("name a file that ends with one of: {}", PROGRAMS.join(", "))
}

/// Does nothing: who may read a file follows from its folder.
///
/// # Errors
/// Never.
pub(crate) fn open_to_all(_file: &File, _is_program: bool) -> io::Result<()> {
    Ok(())
}

/// Fills the buffer from this position on.
///
/// # Errors
/// The file is shorter, or cannot be read.
pub(crate) fn read_exact_at(file: &File, mut room: &mut [u8], mut place: u64) -> io::Result<()> {
    while !room.is_empty() {
        match file.seek_read(room, place)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => {
                room = &mut room[count..];
                place += count as u64;
            }
        }
    }
    Ok(())
}

/// Does nothing: NTFS records names in its journal, and a folder cannot be synced.
///
/// # Errors
/// Never.
pub(crate) fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// What is done with a file's name: again and again for a while if another program holds the file open.
///
/// # Errors
/// Those of the attempt; another program does not close the file.
pub(crate) fn patiently<T>(
    path: &Path,
    mut attempt: impl FnMut() -> io::Result<T>,
) -> io::Result<T> {
    let begun = Instant::now();
    let mut told = false;
    loop {
        match attempt() {
            Err(error) if is_in_use(path, &error) && begun.elapsed() < SHARING_TIMEOUT => {
                if !std::mem::replace(&mut told, true) {
                    let file = path.display();
                    tracing::warn!(%file, %error, "another program holds a file open; tried again for a while");
                }
                std::thread::sleep(RETRY_DELAY);
            }
            done => return done,
        }
    }
}

/// Whether waiting helps. A file that may only be read is refused for ever, with the same error as one that is held.
fn is_in_use(path: &Path, error: &io::Error) -> bool {
    let only_read = || fs::metadata(path).is_ok_and(|it| it.permissions().readonly());
    error.raw_os_error() == Some(IN_USE)
        || (error.kind() == io::ErrorKind::PermissionDenied && !only_read())
}

/// A folder as a file that can be locked: always `None`, since Windows cannot lock folders.
///
/// # Errors
/// Never.
pub(crate) fn lockable_folder(_folder: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

/// Opens a plain file, also through a link.
///
/// # Errors
/// It cannot be read, or is not a plain file.
pub(crate) fn open_plain(path: &Path) -> io::Result<File> {
    if fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(not_plain())
    }
}

/// As [`open_plain`], for a file that others may have made: not through a link.
///
/// # Errors
/// It cannot be read, is a link, or not a plain file.
pub(crate) fn open_untrusted(path: &Path) -> io::Result<File> {
    if fs::symlink_metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(not_plain())
    }
}

/// Opens a file to append to in a folder in which others may make files, and creates it if it is missing.
///
/// # Errors
/// It cannot be written, is a link, or not a plain file.
pub(crate) fn append_untrusted(path: &Path) -> io::Result<File> {
    match fs::symlink_metadata(path) {
        Ok(there) if !there.is_file() => Err(not_plain()),
        _ => File::options().append(true).create(true).open(path),
    }
}

/// A folder for the runs of this user.
///
/// # Errors
/// It cannot be made.
pub(crate) fn make_common_folder(folder: &Path) -> io::Result<()> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// Gives a program a second name, by a hard link: symbolic links need rights that few users have.
///
/// # Errors
/// A file of that name exists, or is on another disk.
pub(crate) fn link(program: &Path, name: &Path) -> io::Result<()> {
    fs::hard_link(program, name.with_extension("exe"))
}
