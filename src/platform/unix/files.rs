//! Files and folders.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{
    DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt, PermissionsExt, symlink,
};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, OFlags, access};
use rustix::process::geteuid;

use crate::platform::{KnownFile, not_plain};

/// Folders whose files the kernel generates: their content changes at any time.
pub(crate) const MADE_UP: &[&str] = &["/proc", "/sys", "/dev"];

/// Folders that are searched for programs in addition to `PATH`: here Debian has its engines.
pub(crate) const MORE_PROGRAMS: &[&str] = &["/usr/games"];

/// The folder for locks of all users' programs (Filesystem Hierarchy Standard, `/var/lock`).
pub(crate) const LOCKS: &str = "/run/lock";

/// The values that identify a file or folder and its state.
///
/// # Errors
/// It cannot be accessed.
pub(crate) fn known(path: &Path) -> io::Result<KnownFile> {
    fs::metadata(path).map(|metadata| known_by(&metadata))
}

/// As [`known`], for an open file.
///
/// # Errors
/// The system does not report them.
pub(crate) fn known_open(file: &File) -> io::Result<KnownFile> {
    file.metadata().map(|metadata| known_by(&metadata))
}

fn known_by(metadata: &Metadata) -> KnownFile {
    KnownFile {
        device: metadata.dev(),
        inode: metadata.ino(),
        length: metadata.len(),
        written: (metadata.mtime(), metadata.mtime_nsec()),
        changed: (metadata.ctime(), metadata.ctime_nsec()),
    }
}

/// Whether a folder belongs to another user than the one who runs this program. Root may write in everybody's.
///
/// # Errors
/// It cannot be accessed.
pub(crate) fn is_of_a_stranger(folder: &Path) -> io::Result<bool> {
    let (owner, own) = (fs::metadata(folder)?.uid(), geteuid());
    Ok(!own.is_root() && owner != own.as_raw())
}

/// Opens a file to read and write in a folder in which others may make files, and creates it, for this user alone, if
/// it is missing. The lock of a file that nobody else can open is nobody else's.
///
/// # Errors
/// It cannot be written, is a link, or not a plain file.
pub(crate) fn open_own(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).mode(0o600);
    open_with(&mut options, OFlags::NOFOLLOW, path)
}

/// The room that a file takes on its disk, bytes: less than its length if it has holes.
pub(crate) fn room_taken(metadata: &Metadata) -> u64 {
    // In blocks of 512 bytes, whatever the disk has (stat(2)).
    metadata.blocks() * 512
}

/// Whether this user may run a file.
pub(crate) fn is_executable(path: &Path) -> bool {
    access(path, Access::EXEC_OK).is_ok()
}

/// The file names that a program with this path may have.
pub(crate) fn names_of_program(path: &Path) -> Vec<PathBuf> {
    vec![path.to_owned()]
}

/// What to do with a file that is no program yet.
pub(crate) fn make_executable(path: &str) -> String {
    format!("chmod +x {path}")
}

/// Lets everybody read the file, and run it if it is a program.
///
/// # Errors
/// The file belongs to another user.
pub(crate) fn open_to_all(file: &File, is_program: bool) -> io::Result<()> {
    let mode = if is_program { 0o755 } else { 0o644 };
    file.set_permissions(Permissions::from_mode(mode))
}

/// Fills the buffer from this position on.
///
/// # Errors
/// The file is shorter, or cannot be read.
pub(crate) fn read_exact_at(file: &File, room: &mut [u8], place: u64) -> io::Result<()> {
    file.read_exact_at(room, place)
}

/// Makes sure that files made, renamed or removed in a folder survive a power cut.
///
/// # Errors
/// The disk does not confirm it.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// What is done with a file's name. Another program that has the file open is in nobody's way here.
///
/// # Errors
/// Those of the attempt.
pub(crate) fn patiently<T>(
    _path: &Path,
    mut attempt: impl FnMut() -> io::Result<T>,
) -> io::Result<T> {
    attempt()
}

/// A folder as a file that can be locked; `None` if the system cannot lock folders.
///
/// # Errors
/// It cannot be opened.
pub(crate) fn lockable_folder(folder: &Path) -> io::Result<Option<File>> {
    File::open(folder).map(Some)
}

/// Opens a plain file, also through a link, without waiting for a pipe's other end or the holder of a lease.
///
/// # Errors
/// It cannot be read, or is not a plain file.
pub(crate) fn open_plain(path: &Path) -> io::Result<File> {
    open_with(OpenOptions::new().read(true), OFlags::empty(), path)
}

/// As [`open_plain`], for a file that others may have made: not through a link.
///
/// # Errors
/// It cannot be read, is a link, or not a plain file.
pub(crate) fn open_untrusted(path: &Path) -> io::Result<File> {
    open_with(OpenOptions::new().read(true), OFlags::NOFOLLOW, path)
}

/// Opens a file to append to in a folder in which others may make files, and creates it if it is missing.
///
/// # Errors
/// It cannot be written, is a link, or not a plain file.
pub(crate) fn append_untrusted(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    open_with(options.append(true).create(true), OFlags::NOFOLLOW, path)
}

fn open_with(options: &mut OpenOptions, more: OFlags, path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK | more;
    let flags = i32::try_from(flags.bits()).unwrap_or_default();
    let file = options.custom_flags(flags).open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(not_plain())
    }
}

/// A folder for all users, in which nobody can remove files of another user.
///
/// # Errors
/// It cannot be made.
pub(crate) fn make_common_folder(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Ok(()) => fs::set_permissions(folder, Permissions::from_mode(0o1777)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Gives a program a second name.
///
/// # Errors
/// A file of that name exists.
pub(crate) fn link(program: &Path, name: &Path) -> io::Result<()> {
    symlink(program, name)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn nothing_that_lies_in_a_files_place_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(
            Command::new("mkfifo")
                .arg(at("pipe"))
                .status()
                .unwrap()
                .success()
        );
        symlink("/dev/zero", at("endless")).unwrap();
        symlink(at("pipe"), at("link")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        for name in ["pipe", "endless", "link", "folder"] {
            assert!(open_plain(&at(name)).is_err(), "{name}");
            assert!(open_untrusted(&at(name)).is_err(), "{name}");
            assert!(append_untrusted(&at(name)).is_err(), "{name}");
        }
    }

    #[test]
    fn a_link_is_followed_where_the_user_made_it_alone() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("engine"), "precious").unwrap();
        symlink(at("engine"), at("link")).unwrap();
        assert!(open_plain(&at("link")).is_ok());
        assert!(open_untrusted(&at("link")).is_err());
        assert!(append_untrusted(&at("link")).is_err());
        assert!(append_untrusted(&at("new")).is_ok());
    }
}
