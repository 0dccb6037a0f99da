//! Whether one folder lies in another, however the two are named: by links, or by mounts that
//! show a part of a file system in a second place.

use std::io;
use std::path::{Path, PathBuf};

use crate::platform::proc::{self, Mount};

/// Whether `inner`, which need not exist yet, is `outer` or lies in it.
///
/// # Errors
/// The system does not say where they are.
pub(crate) fn lies_in(inner: &Path, outer: &Path) -> io::Result<bool> {
    let (inner, outer) = (real(inner)?, real(outer)?);
    if inner.starts_with(&outer) {
        return Ok(true);
    }
    let mounts = proc::mounts();
    let places = place(&inner, &mounts).zip(place(&outer, &mounts));
    Ok(places.is_some_and(|(inner, outer)| inner.0 == outer.0 && inner.1.starts_with(outer.1)))
}

/// Without links, as far as it exists.
fn real(path: &Path) -> io::Result<PathBuf> {
    if path.ends_with("..") && !path.exists() {
        let above = real(path.parent().unwrap_or(path))?;
        return Ok(above.parent().unwrap_or(&above).to_owned());
    }
    match (path.canonicalize(), path.parent(), path.file_name()) {
        (Err(error), Some(parent), Some(name)) if error.kind() == io::ErrorKind::NotFound => {
            let named = Some(parent).filter(|parent| !parent.as_os_str().is_empty());
            Ok(real(named.unwrap_or(Path::new(".")))?.join(name))
        }
        (found, ..) => found,
    }
}

/// The numbers of a folder's device, and its path from the root of the file system there. The last mount of the longest
/// path covers all others.
fn place(path: &Path, mounts: &[Mount]) -> Option<(String, PathBuf)> {
    let above = mounts.iter().filter(|mount| path.starts_with(&mount.point));
    let mount = above.max_by_key(|mount| mount.point.components().count())?;
    let rest = path.strip_prefix(&mount.point).ok()?;
    Some((mount.device.clone(), mount.root.join(rest)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::platform::files;

    #[test]
    fn links_and_folders_to_come_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("home/sub")).unwrap();
        files::link(&at("home/sub"), &at("alias")).unwrap();
        assert!(lies_in(&at("home/results/x"), &at("home")).unwrap());
        assert!(lies_in(&at("alias/results"), &at("home")).unwrap());
        assert!(lies_in(&at("home"), &at("home")).unwrap());
        assert!(lies_in(&at("alias/new/../results"), &at("home")).unwrap());
        assert!(!lies_in(&at("new/../results"), &at("home")).unwrap());
        assert!(!lies_in(&at("results"), &at("home")).unwrap());
        assert!(!lies_in(&at("homes"), &at("home")).unwrap());
    }

    #[test]
    fn a_part_that_is_mounted_twice_is_one_place() {
        let mount = |root: &str, point: &str| Mount {
            device: "8:1".to_owned(),
            root: root.into(),
            point: point.into(),
            kind: "ext4".to_owned(),
        };
        let mounts = [mount("/", "/"), mount("/srv/home x/sub", "/mnt/second")];
        let at = |path: &str| place(Path::new(path), &mounts).unwrap();
        assert_eq!(at("/mnt/second/results"), at("/srv/home x/sub/results"));
        assert_ne!(at("/mnt/secondary"), at("/srv/home x/sub"));
    }
}
