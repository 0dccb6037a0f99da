//! Mounts, namespaces, clocks, rights, and what was inherited.

use std::{fs, io};

use super::system::{b, call, n, reach, t, zeros};
use super::{Targets, Tell, only_if, refused};

/// What the test has put into the runner's environment.
const PLANTED: &str = "PLANTED_TOKEN";

pub(super) fn attempt_all(targets: &Targets, tell: Tell) {
    mounts(targets, tell);
    attempts! { tell; "be-the-user" => be(targets.user), }
    namespaces(tell);
    rights(tell);
    inherited(tell);
}

/// Whether this process is that user, outside its namespaces as well.
fn be(user: i64) -> io::Result<()> {
    let own = call(libc::SYS_geteuid, [])?;
    let map = fs::read_to_string("/proc/self/uid_map")?;
    let mut numbers = map.split_whitespace().map(|number| number.parse::<i64>());
    let (Some(Ok(inside)), Some(Ok(outside))) = (numbers.next(), numbers.next()) else {
        return Err(refused("no user"));
    };
    only_if(own - inside + outside == user, "another user")
}

fn mounts(targets: &Targets, tell: Tell) {
    let here = i64::from(libc::AT_FDCWD);
    let again = (libc::MS_REMOUNT | libc::MS_BIND) as i64;
    // struct mount_attr: clear MOUNT_ATTR_RDONLY
    let mut writable = vec![0; 32];
    writable[8] = 1;
    let writable = || b(writable.clone());
    attempts! { tell;
        "mount" => call(libc::SYS_mount, [t("x"), t(&targets.folder), t("tmpfs"), n(0), n(0)]),
        "mount-writable-again" => call(libc::SYS_mount, [n(0), t("/"), n(0), n(again), n(0)]),
        "mount-writable-again-newer" =>
            call(libc::SYS_mount_setattr, [n(here), t("/"), n(0x8000), writable(), n(32)]),
        "unmount" => reach(libc::SYS_umount2, [t("/proc"), n(2)]),
        "copy-a-tree" => call(libc::SYS_open_tree, [n(here), t("/"), n(1)]),
        "open-a-file-system" => call(libc::SYS_fsopen, [t("tmpfs"), n(0)]),
        "move-a-mount" => reach(libc::SYS_move_mount, [n(here), t("/proc"), n(here), t("/dev"), n(0)]),
        "other-root" => call(libc::SYS_chroot, [t("/usr")]),
        "pivot-root" => reach(libc::SYS_pivot_root, [t("/usr"), t("/usr")]),
    }
}

fn namespaces(tell: Tell) {
    // A child with a namespace of users and a shared table of descriptors makes no sense without CLONE_FS undone; with
    // CLONE_FS the kernel says EINVAL after the filter.
    let child = libc::CLONE_NEWUSER | libc::CLONE_FS;
    attempts! { tell;
        "namespace-of-users" => call(libc::SYS_unshare, [n(libc::CLONE_NEWUSER)]),
        "namespace-of-mounts" => call(libc::SYS_unshare, [n(libc::CLONE_NEWNS)]),
        "namespace-by-clone" => reach(libc::SYS_clone, [n(child), n(0), n(0), n(0), n(0)]),
        "namespace-by-newer-clone" => reach(libc::SYS_clone3, [zeros(88), n(1)]),
        "enter-a-namespace" => reach(libc::SYS_setns, [n(0), n(0)]),
    }
}

fn rights(tell: Tell) {
    let past = || b([0_i64, -1].map(i64::to_ne_bytes).concat());
    let mut request = vec![0; 208];
    request[0] = 1;
    let request = || b(request.clone());
    attempts! { tell;
        "set-the-clock" => reach(libc::SYS_clock_settime, [n(0), past()]),
        "adjust-the-clock" => reach(libc::SYS_adjtimex, [request()]),
        "name-the-machine" => reach(libc::SYS_sethostname, [t("x"), n(-1)]),
        "restart-the-machine" => reach(libc::SYS_reboot, [n(0), n(0), n(0), n(0)]),
        "load-a-module" => reach(libc::SYS_init_module, [n(0), n(0), t("")]),
        "swap" => reach(libc::SYS_swapoff, [t("/nothing")]),
        "accounting" => reach(libc::SYS_acct, [t("/nothing")]),
        "kernel-log" => reach(libc::SYS_syslog, [n(99), n(0), n(0)]),
        "another-user" => call(libc::SYS_setresuid, [n(12345), n(12345), n(12345)]),
        "another-group" => call(libc::SYS_setgroups, [n(1), zeros(4)]),
        "words-for-the-terminal" => reach(libc::SYS_ioctl, [n(0), n(0x5412), t("x")]),
    }
}

fn inherited(tell: Tell) {
    let home = std::env::var("HOME").unwrap_or_default();
    let is_own = home.ends_with("/home") || home == "/nonexistent";
    attempts! { tell;
        "planted-variable" => std::env::var_os(PLANTED).ok_or_else(|| refused("not there")),
        "home-of-the-user" => only_if(!is_own, "its own"),
        "planted-descriptor" => planted_descriptor(),
    }
}

fn planted_descriptor() -> io::Result<()> {
    // The numbers of the engine's own descriptors are all lower than these.
    let open = fs::read_dir("/proc/self/fd")?.flatten();
    let mut numbers = open.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    only_if(numbers.any(|number: u32| number >= 60), "none")
}
