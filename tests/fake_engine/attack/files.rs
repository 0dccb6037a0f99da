//! The user's files: their content, their names, and what they are like.

use std::fs;
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::process::{Command, Stdio};

use super::system::{call, n, reach, t, zeros};
use super::{Targets, Tell};

const HERE: i64 = libc::AT_FDCWD as i64;

/// A file that everybody may read.
const READABLE: &str = "/usr/bin/env";

pub(super) fn attempt_all(targets: &Targets, tell: Tell) {
    content(targets, tell);
    names(targets, tell);
    nature(targets, tell);
    own(tell);
}

fn content(targets: &Targets, tell: Tell) {
    let secret = || targets.path("secret");
    let mut program = Command::new(targets.path("program"));
    program.stdin(Stdio::null()).stdout(Stdio::null());
    attempts! { tell;
        "read-a-secret" => fs::read(secret()),
        "write-a-secret" => fs::OpenOptions::new().append(true).open(secret()),
        "truncate-a-secret" => call(libc::SYS_truncate, [t(&secret()), n(0)]),
        "list-a-folder" => fs::read_dir(&targets.folder),
        "run-a-program" => program.status(),
        "read-passwords" => fs::read("/etc/passwd"),
        "open-by-handle" => reach(libc::SYS_open_by_handle_at, [n(HERE), zeros(136), n(0)]),
        "see-that-a-file-exists" => fs::metadata(secret()),
        "terminal" => fs::File::open("/dev/tty"),
        "kernel-memory" => fs::File::open("/dev/mem"),
    }
}

fn names(targets: &Targets, tell: Tell) {
    let path = |name: &str| targets.path(name);
    let make_and_remove = |folder: &str| {
        let name = format!("{folder}/attack-{}", std::process::id());
        fs::write(&name, "x").and_then(|()| fs::remove_file(&name))
    };
    attempts! { tell;
        "make-a-file" => fs::write(path("mine"), "x"),
        "make-a-folder" => fs::create_dir(path("den")),
        "make-a-pipe" => call(libc::SYS_mknodat, [n(HERE), t(&path("pipe")), n(libc::S_IFIFO | 0o600), n(0)]),
        "make-a-symbolic-link" => symlink("/", path("link")),
        "link-a-secret-home" => fs::hard_link(path("secret"), "stolen"),
        "rename-a-secret" => fs::rename(path("secret"), path("renamed")),
        "remove-a-secret" => fs::remove_file(path("secret")),
        "remove-a-folder" => fs::remove_dir(path("empty")),
        "write-to-tmp" => make_and_remove("/tmp"),
        "write-to-shared-memory" => make_and_remove("/dev/shm"),
    }
}

fn nature(targets: &Targets, tell: Tell) {
    let secret = || t(&targets.path("secret"));
    let attribute = || [secret(), t("user.attack"), t("x"), n(1), n(0)];
    let set_flags = |file: i64| call(libc::SYS_ioctl, [n(file), n(0x4008_6602_i64), zeros(8)]);
    let me = -1;
    attempts! { tell;
        "mode" => call(libc::SYS_fchmodat, [n(HERE), secret(), n(0o644), n(0)]),
        "mode-newer" => call(452, [n(HERE), secret(), n(0o644), n(0)]),
        "mode-of-a-folder" => call(libc::SYS_fchmodat, [n(HERE), t(&targets.folder), n(0o777), n(0)]),
        "owner" => call(libc::SYS_fchownat, [n(HERE), secret(), n(me), n(me), n(0)]),
        "times" => call(libc::SYS_utimensat, [n(HERE), secret(), n(0), n(0)]),
        "attribute" => call(libc::SYS_setxattr, attribute()),
        "attribute-of-a-link" => call(libc::SYS_lsetxattr, attribute()),
        "remove-attribute" => call(libc::SYS_removexattr, [secret(), t("user.there")]),
        "flags-of-a-file" => call(libc::SYS_openat, [n(HERE), t(READABLE), n(0), n(0)]).and_then(set_flags),
    }
}

/// The engine's own folder, which is its current one.
fn own(tell: Tell) {
    let device = || [n(HERE), t("device"), n(libc::S_IFCHR | 0o600), n(0x103)];
    let mut raised = fs::OpenOptions::new();
    raised.write(true).create(true).mode(0o4755);
    attempts! { tell;
        "write-at-home" => fs::write("mine", "x"),
        "read-at-home" => fs::read("mine"),
        "mode-at-home" => call(libc::SYS_fchmodat, [n(HERE), t("mine"), n(0o600), n(0)]),
        "device-at-home" => call(libc::SYS_mknodat, device()),
        "secret-program-at-home" => raised.open("raised"),
        "remove-at-home" => fs::remove_file("mine"),
    }
}
