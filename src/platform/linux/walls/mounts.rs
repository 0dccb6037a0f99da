//! The engine's view of the file system: a root of its own with nothing but the files and folders that it may use, all
//! of them read-only except the places where it may write, and a `/proc` that shows only its own processes. A read-only
//! mount refuses what Landlock does not know: changes of mode, owner, times and extended attributes; what is not in the
//! root has no name.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::CString;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use rustix::fs::{CWD, Mode, OFlags, open};
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags, mount,
    mount_bind, mount_bind_recursive, mount_change, move_mount, open_tree, unmount,
};
use rustix::process::pivot_root;

use super::file_rules;
use super::system::{READ_ONLY, set_mount, shift_mount};
use crate::platform::enforced::Enforced;
use crate::platform::orders::{Confinement, Orders};

/// The folder in which the kernel reports on processes.
const PROC: &str = "/proc";

/// Where the new root is put together: a folder that every system has.
const STAGE: &str = "/tmp";

/// Names in `/dev` by which shells and scripts find their own descriptors.
const DESCRIPTORS: [(&str, &str); 4] = [
    ("dev/fd", "/proc/self/fd"),
    ("dev/stdin", "/proc/self/fd/0"),
    ("dev/stdout", "/proc/self/fd/1"),
    ("dev/stderr", "/proc/self/fd/2"),
];

/// The file with the maximum process number; per namespace since Linux 6.14.
const MAX_PROCESSES_FILE: &str = "/proc/sys/kernel/pid_max";

/// Numbers below this one are not assigned a second time (`RESERVED_PIDS` of the kernel).
const RESERVED: u32 = 300;

/// Limits the number of processes of this namespace for everybody, including root; returns whether that succeeded. It
/// is a fallback behind the other limits: reserved numbers and a margin are added to it. The namespace's own `/proc`
/// must be mounted, and must not be read-only yet.
fn bound_processes(most: u32) -> bool {
    let release = rustix::system::uname();
    // In older versions the number holds for the whole machine, and root could change it from in here.
    if !release.release().to_str().is_ok_and(is_per_namespace) {
        return false;
    }
    let numbers = most.saturating_add(RESERVED + SPARE_PROCESSES);
    fs::write(MAX_PROCESSES_FILE, numbers.to_string()).is_ok()
}

/// Whether a release of Linux, as `6.14.2-generic`, is 6.14 or later.
fn is_per_namespace(release: &str) -> bool {
    let mut numbers = release.split(['.', '-', '+']).map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(6)), Some(Ok(minor))) => minor >= 14,
        (Some(Ok(major)), Some(Ok(_))) => major > 6,
        _ => false,
    }
}

/// Room for numbers that are not free again yet.
const SPARE_PROCESSES: u32 = 64;

/// Makes the view, with the engine's `places` by their names. This process must have a separate namespace of mounts,
/// may have entered the root, and must be the first process of its namespace of processes, which may have as many
/// processes as the orders say.
///
/// # Errors
/// The file system could not be made read-only.
pub(super) fn restrict(
    orders: &Orders,
    places: &BTreeMap<PathBuf, PathBuf>,
    entered: bool,
    enforced: &mut Enforced,
) -> io::Result<()> {
    let (allowed, here) = (&orders.allowed, env::current_dir()?);
    // Mounts made here are not seen outside.
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", private)?;
    let own_root = entered || enter_root(allowed, &here, None).is_ok();
    // If a container hides parts of /proc, the kernel refuses to mount a complete one.
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    let own_proc = mount("proc", PROC, "proc", flags, None).is_ok();
    let bounds_processes = own_proc && allowed.processes.is_some_and(bound_processes);
    mount_all(places, allowed)?;
    set_mount(c"/", READ_ONLY, 0, true)?;
    for name in places.keys() {
        set_mount(&path(name)?, 0, READ_ONLY, true)?;
    }
    // A file under a mount of its own can be neither removed nor replaced by another.
    for file in &orders.guarded {
        mount_bind(file, file)?;
        set_mount(&path(file)?, READ_ONLY, 0, false)?;
    }
    // The current folder of this process is still the one under the new mount.
    env::set_current_dir(here)?;
    enforced.own_root = own_root;
    enforced.own_proc = own_proc;
    enforced.bounds_root = bounds_processes;
    Ok(())
}

/// Enters a root that has nothing but what the orders name, with owners as this namespace of users has them. On an error
/// the old one is still there.
pub(super) fn enter_root(
    allowed: &Confinement,
    here: &Path,
    shift: Option<&OwnedFd>,
) -> io::Result<()> {
    // Opened before the stage covers what lies there.
    let sources = sources(allowed);
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", STAGE, "tmpfs", flags, Some(c"size=1m,mode=755"))?;
    let built = build(&sources, here, shift).and_then(|()| {
        env::set_current_dir(STAGE)?;
        // The old root is put over the new one, and taken away.
        Ok(pivot_root(".", ".")?)
    });
    if built.is_err() {
        env::set_current_dir("/")?;
        unmount(STAGE, UnmountFlags::DETACH)?;
        return built;
    }
    unmount(".", UnmountFlags::DETACH)?;
    env::set_current_dir("/")
}

/// All files and folders that are there, by the names by which they are called, and by those without links.
fn sources(allowed: &Confinement) -> BTreeMap<PathBuf, OwnedFd> {
    let named = allowed.readable.iter().chain(&allowed.writable).cloned();
    let named = named.chain(file_rules::system());
    // Everything that the kernel reports on processes is there anyway.
    let named = named.filter(|path| path.is_absolute() && !path.starts_with(PROC));
    let with_real = |path: PathBuf| [fs::canonicalize(&path).ok(), Some(path)];
    let names: BTreeSet<PathBuf> = named.flat_map(with_real).flatten().collect();
    let mut sources = BTreeMap::new();
    for name in names {
        // What lies in a folder that is there already is there with it.
        let mut above = name.ancestors().skip(1);
        if above.any(|folder| sources.contains_key(folder)) {
            continue;
        }
        // What is not there, or not to be reached, is not there in the new root either.
        if let Ok(source) = opened(&name) {
            sources.insert(name, source);
        }
    }
    sources
}

/// Puts the root together on the stage.
fn build(
    sources: &BTreeMap<PathBuf, OwnedFd>,
    here: &Path,
    shift: Option<&OwnedFd>,
) -> io::Result<()> {
    let stage = |path: &Path| Path::new(STAGE).join(path.strip_prefix("/").unwrap_or(path));
    for (name, source) in sources {
        let target = stage(name);
        let number = by_number(source);
        if fs::metadata(&number)?.is_dir() {
            fs::create_dir_all(&target)?;
        } else {
            fs::create_dir_all(target.parent().unwrap_or(Path::new(STAGE)))?;
            fs::File::create(&target)?;
        }
        match shift {
            Some(shift) => mount_shifted(name, source, &target, shift)?,
            None => mount_bind_recursive(number, &target)?,
        }
    }
    for (name, target) in DESCRIPTORS {
        symlink(target, Path::new(STAGE).join(name))?;
    }
    if !here.ancestors().any(|folder| sources.contains_key(folder)) {
        fs::create_dir_all(stage(here))?;
    }
    fs::create_dir_all(stage(Path::new(PROC)))?;
    mount_bind_recursive(PROC, stage(Path::new(PROC)))?;
    Ok(())
}

/// The same, with other owners. Everybody may read what belongs to the system, and not every file system shows others.
fn mount_shifted(name: &Path, source: &OwnedFd, target: &Path, shift: &OwnedFd) -> io::Result<()> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE
        | OpenTreeFlags::AT_EMPTY_PATH;
    let tree = open_tree(source, "", flags)?;
    if let Err(error) = shift_mount(&tree, shift)
        && !file_rules::system().any(|file| file == name)
    {
        let why = format!(
            "the owners of {} cannot be shown as others: {error}",
            name.display()
        );
        return Err(io::Error::other(why));
    }
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
    Ok(move_mount(&tree, "", CWD, target, flags)?)
}

fn path(folder: &Path) -> io::Result<CString> {
    Ok(CString::new(folder.as_os_str().as_bytes())?)
}

/// Files and folders that a layer may have: each takes a kibibyte of the kernel's memory.
const MAX_FILES: u32 = 65_536;

/// All names of these places, with and without links, each with the name in the orders. A place comes before those in it.
pub(super) fn names(allowed: &Confinement) -> BTreeMap<PathBuf, PathBuf> {
    let mut names = BTreeMap::new();
    for place in &allowed.writable {
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
    allowed: &Confinement,
) -> io::Result<()> {
    // Opened before a layer covers what lies in it.
    let opened: io::Result<Vec<OwnedFd>> = names.keys().map(|name| opened(name)).collect();
    let mut layer: Option<OwnedFd> = None;
    for ((name, place), source) in names.iter().zip(opened?) {
        let unkept = allowed.unkept.as_ref().zip(allowed.disk_mib);
        let unkept = unkept.filter(|(folder, _)| *folder == place);
        match (unkept, &layer) {
            (None, _) => mount_bind_recursive(by_number(&source), name)?,
            (Some(_), Some(layer)) => mount_bind_recursive(by_number(layer), name)?,
            (Some((_, mib)), None) => {
                lay_over(name, &source, u64::from(mib) << 20)?;
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

/// Puts a layer of this size over a folder.
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
    Ok(mount(
        "overlay",
        folder,
        "overlay",
        flags,
        Some(layers.as_c_str()),
    )?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_processes_is_left_alone_where_it_is_the_machines() {
        for release in ["6.14.0", "6.18.44-fc", "7.0", "6.14-rc1"] {
            assert!(is_per_namespace(release), "{release}");
        }
        for release in ["6.13.9", "5.15.0-100-generic", "4.4", "", "six.20"] {
            assert!(!is_per_namespace(release), "{release}");
        }
    }

    #[test]
    fn a_place_comes_before_those_in_it_and_by_all_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let at = |name: &str| root.join(name);
        fs::create_dir_all(at("home/learned")).unwrap();
        symlink("home", at("link")).unwrap();
        let allowed = Confinement {
            writable: vec![at("link/learned"), at("link")],
            ..Confinement::default()
        };
        let found: Vec<PathBuf> = names(&allowed).into_keys().collect();
        let expected = ["home", "home/learned", "link", "link/learned"];
        assert_eq!(found, expected.map(at));
    }
}
