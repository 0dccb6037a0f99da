//! The user's files: their content, their names, and what they are like.

use std::fs;
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::process::{Command, Stdio};

use super::system::{call, n, reach, t, try_call, zeros};
use super::{Attempt, Targets};

const HERE: i64 = libc::AT_FDCWD as i64;

/// A file that everybody may read.
const READABLE: &str = "/usr/bin/env";

pub(super) fn attempts(targets: &Targets) -> Vec<Attempt<'_>> {
    let mut attempts = content(targets);
    attempts.extend(names(targets));
    attempts.extend(nature(targets));
    attempts.extend(own());
    attempts
}

fn content(targets: &Targets) -> Vec<Attempt<'_>> {
    let secret = || targets.path("secret");
    vec![
        (
            "read-a-secret",
            Box::new(move || fs::read(secret()).map(drop)),
        ),
        (
            "write-a-secret",
            Box::new(move || fs::OpenOptions::new().append(true).open(secret()).map(drop)),
        ),
        (
            "truncate-a-secret",
            Box::new(move || try_call(libc::SYS_truncate, [t(&secret()), n(0)])),
        ),
        (
            "list-a-folder",
            Box::new(|| fs::read_dir(&targets.folder).map(drop)),
        ),
        (
            "run-a-program",
            Box::new(|| {
                let mut command = Command::new(targets.path("program"));
                command
                    .stdin(Stdio::null())
                    .stdout(Stdio::null())
                    .status()
                    .map(drop)
            }),
        ),
        (
            "read-passwords",
            Box::new(|| fs::read("/etc/passwd").map(drop)),
        ),
        (
            "open-by-handle",
            Box::new(|| reach(libc::SYS_open_by_handle_at, [n(HERE), zeros(136), n(0)])),
        ),
        (
            "see-that-a-file-exists",
            Box::new(move || fs::metadata(secret()).map(drop)),
        ),
        (
            "terminal",
            Box::new(|| fs::File::open("/dev/tty").map(drop)),
        ),
        (
            "kernel-memory",
            Box::new(|| fs::File::open("/dev/mem").map(drop)),
        ),
    ]
}

fn names(targets: &Targets) -> Vec<Attempt<'_>> {
    let secret = || targets.path("secret");
    vec![
        (
            "make-a-file",
            Box::new(|| fs::write(targets.path("mine"), "x")),
        ),
        (
            "make-a-folder",
            Box::new(|| fs::create_dir(targets.path("den"))),
        ),
        (
            "make-a-pipe",
            Box::new(|| {
                try_call(
                    libc::SYS_mknodat,
                    [
                        n(HERE),
                        t(&targets.path("pipe")),
                        n(libc::S_IFIFO | 0o600),
                        n(0),
                    ],
                )
            }),
        ),
        (
            "make-a-symbolic-link",
            Box::new(|| symlink("/", targets.path("link"))),
        ),
        (
            "link-a-secret-home",
            Box::new(move || fs::hard_link(secret(), "stolen")),
        ),
        (
            "rename-a-secret",
            Box::new(move || fs::rename(secret(), targets.path("renamed"))),
        ),
        (
            "remove-a-secret",
            Box::new(move || fs::remove_file(secret())),
        ),
        (
            "remove-a-folder",
            Box::new(|| fs::remove_dir(targets.path("empty"))),
        ),
        (
            "write-to-tmp",
            Box::new(|| {
                let name = format!("/tmp/attack-{}", std::process::id());
                fs::write(&name, "x").and_then(|()| fs::remove_file(&name))
            }),
        ),
        (
            "write-to-shared-memory",
            Box::new(|| {
                let name = format!("/dev/shm/attack-{}", std::process::id());
                fs::write(&name, "x").and_then(|()| fs::remove_file(&name))
            }),
        ),
    ]
}

fn nature(targets: &Targets) -> Vec<Attempt<'_>> {
    let secret = || t(&targets.path("secret"));
    let me = -1;
    vec![
        (
            "mode",
            Box::new(move || try_call(libc::SYS_fchmodat, [n(HERE), secret(), n(0o644), n(0)])),
        ),
        (
            "mode-newer",
            Box::new(move || try_call(452, [n(HERE), secret(), n(0o644), n(0)])),
        ),
        (
            "mode-of-a-folder",
            Box::new(|| {
                try_call(
                    libc::SYS_fchmodat,
                    [n(HERE), t(&targets.folder), n(0o777), n(0)],
                )
            }),
        ),
        (
            "owner",
            Box::new(move || try_call(libc::SYS_fchownat, [n(HERE), secret(), n(me), n(me), n(0)])),
        ),
        (
            "times",
            Box::new(move || try_call(libc::SYS_utimensat, [n(HERE), secret(), n(0), n(0)])),
        ),
        (
            "attribute",
            Box::new(move || {
                try_call(
                    libc::SYS_setxattr,
                    [secret(), t("user.attack"), t("x"), n(1), n(0)],
                )
            }),
        ),
        (
            "attribute-of-a-link",
            Box::new(move || {
                try_call(
                    libc::SYS_lsetxattr,
                    [secret(), t("user.attack"), t("x"), n(1), n(0)],
                )
            }),
        ),
        (
            "remove-attribute",
            Box::new(move || try_call(libc::SYS_removexattr, [secret(), t("user.there")])),
        ),
        (
            "flags-of-a-file",
            Box::new(|| {
                let file = call(libc::SYS_openat, [n(HERE), t(READABLE), n(0), n(0)])?;
                try_call(libc::SYS_ioctl, [n(file), n(0x4008_6602_i64), zeros(8)])
            }),
        ),
    ]
}

/// The engine's own folder, which is its current one.
fn own() -> Vec<Attempt<'static>> {
    vec![
        ("write-at-home", Box::new(|| fs::write("mine", "x"))),
        ("read-at-home", Box::new(|| fs::read("mine").map(drop))),
        (
            "mode-at-home",
            Box::new(|| try_call(libc::SYS_fchmodat, [n(HERE), t("mine"), n(0o600), n(0)])),
        ),
        (
            "device-at-home",
            Box::new(|| {
                try_call(
                    libc::SYS_mknodat,
                    [n(HERE), t("device"), n(libc::S_IFCHR | 0o600), n(0x103)],
                )
            }),
        ),
        (
            "secret-program-at-home",
            Box::new(|| {
                let mut options = fs::OpenOptions::new();
                options
                    .write(true)
                    .create(true)
                    .mode(0o4755)
                    .open("raised")
                    .map(drop)
            }),
        ),
        ("remove-at-home", Box::new(|| fs::remove_file("mine"))),
    ]
}
