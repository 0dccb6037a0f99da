//! The places where an engine may write: as they are, or with a layer in memory over them that takes up what it writes
//! and is gone with its namespace.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::fs::{self, DirEntry};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, open};
use rustix::mount::{MountFlags, mount, mount_bind_recursive};

use crate::platform::orders::{SandboxOrders, Unkept};

/// Files and folders that a layer may have: each takes a kibibyte of the kernel's memory.
const MAX_FILES: u32 = 65_536;

/// All names of these places, with and without links, each with the name in the orders. A place comes before those in it.
pub(super) fn names(sandbox: &SandboxOrders) -> BTreeMap<PathBuf, PathBuf> {
    let mut names = BTreeMap::new();
    for place in &sandbox.writable {
        let real = fs::canonicalize(place).ok();
        for name in real.into_iter().chain([place.clone()]) {
            names.insert(name, place.clone());
        }
    }
    names
}

/// Gives each of these names a mount of its own. All that lies in a place where nothing is kept must lie there by its
/// own name.
///
/// # Errors
/// A place is missing, or there can be no layer over it.
pub(super) fn mount_all(
    names: &BTreeMap<PathBuf, PathBuf>,
    unkept: Option<&Unkept>,
) -> io::Result<()> {
    // Opened before a layer covers what lies in it.
    let opened: io::Result<Vec<OwnedFd>> = names.keys().map(|name| opened(name)).collect();
    let mut layer: Option<OwnedFd> = None;
    for ((name, place), source) in names.iter().zip(opened?) {
        let unkept = unkept.filter(|unkept| unkept.folder == *place);
        match (unkept, &layer) {
            (None, _) => mount_bind_recursive(by_number(&source), name)?,
            (Some(_), Some(layer)) => mount_bind_recursive(by_number(layer), name)?,
            (Some(unkept), None) => {
                lay_over(name, &source, unkept.room)?;
                layer = Some(self::opened(name)?);
            }
        }
    }
    Ok(())
}

fn opened(path: &Path) -> io::Result<OwnedFd> {
    Ok(open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?)
}

/// A name without commas and colons.
fn by_number(file: &OwnedFd) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

/// Puts a layer of this size over a folder; where the kernel cannot, a copy of the folder.
fn lay_over(folder: &Path, below: &OwnedFd, room: u64) -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    let size = CString::new(format!("size={room},nr_inodes={MAX_FILES},mode=755"))?;
    mount("tmpfs", folder, "tmpfs", flags, Some(size.as_c_str()))?;
    let memory = opened(folder)?;
    let [lower, memory] = [below, &memory].map(by_number);
    let [upper, work] = ["upper", "work"].map(|name| memory.join(name));
    fs::create_dir(&upper)?;
    fs::create_dir(&work)?;
    fs::set_permissions(&upper, fs::metadata(&lower)?.permissions())?;
    let shown = |path: &Path| path.display().to_string();
    let [below, above, between] = [&lower, &upper, &work].map(|path| shown(path));
    let layers = format!("userxattr,lowerdir={below},upperdir={above},workdir={between}");
    let layers = CString::new(layers)?;
    // The layer covers the file system on which it lies.
    if mount("overlay", folder, "overlay", flags, Some(layers.as_c_str())).is_ok() {
        return Ok(());
    }
    fs::remove_dir_all(&work)?;
    fs::remove_dir(&upper)?;
    copy(&lower, &memory)
}

/// Copies what is in a folder, as far as it can be read: files, folders and links.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        match copy_entry(&entry?, to) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {}
            copied => copied?,
        }
    }
    fs::set_permissions(to, fs::metadata(from)?.permissions())
}

fn copy_entry(entry: &DirEntry, to: &Path) -> io::Result<()> {
    let (from, to) = (entry.path(), to.join(entry.file_name()));
    let kind = entry.file_type()?;
    if kind.is_dir() {
        fs::create_dir(&to)?;
        copy(&from, &to)
    } else if kind.is_symlink() {
        symlink(fs::read_link(&from)?, &to)
    } else if kind.is_file() {
        fs::copy(&from, &to).map(drop)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_of_a_folder_has_what_was_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("from/deep")).unwrap();
        fs::create_dir(at("to")).unwrap();
        fs::write(at("from/deep/net"), "weights").unwrap();
        symlink("deep/net", at("from/link")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, at("from/pipe"), Mode::RUSR).unwrap();
        copy(&at("from"), &at("to")).unwrap();
        assert_eq!(fs::read(at("to/link")).unwrap(), b"weights");
        assert!(!at("to/pipe").exists());
    }

    #[test]
    fn a_place_comes_before_those_in_it_and_by_all_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let at = |name: &str| root.join(name);
        fs::create_dir_all(at("home/learned")).unwrap();
        symlink("home", at("link")).unwrap();
        let sandbox = SandboxOrders {
            required: true,
            strict: false,
            readable: Vec::new(),
            writable: vec![at("link/learned"), at("link")],
            unkept: None,
            guarded: Vec::new(),
        };
        let found: Vec<PathBuf> = names(&sandbox).into_keys().collect();
        let expected = ["home", "home/learned", "link", "link/learned"];
        assert_eq!(found, expected.map(at));
    }
}
