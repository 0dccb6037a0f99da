//! Mounts, namespaces, clocks, rights, and what was inherited.

use std::{fs, io};

use super::system::{b, call, n, reach, t, try_call, zeros};
use super::{Attempt, Targets, refused};

/// What the test has put into the runner's environment.
const PLANTED: &str = "PLANTED_TOKEN";

pub(super) fn attempts(targets: &Targets) -> Vec<Attempt<'_>> {
    let mut attempts = mounts(targets);
    attempts.push(("be-the-user", Box::new(|| be(targets.user))));
    attempts.extend(namespaces());
    attempts.extend(rights());
    attempts.extend(inherited());
    attempts
}

/// Whether this process is that user, outside its namespaces as well.
fn be(user: i64) -> io::Result<()> {
    let own = call(libc::SYS_geteuid, [])?;
    let map = fs::read_to_string("/proc/self/uid_map")?;
    let mut numbers = map.split_whitespace().map(|number| number.parse::<i64>());
    let (Some(Ok(inside)), Some(Ok(outside))) = (numbers.next(), numbers.next()) else {
        return Err(refused("no user"));
    };
    match own - inside + outside == user {
        true => Ok(()),
        false => Err(refused("another user")),
    }
}

fn mounts(targets: &Targets) -> Vec<Attempt<'_>> {
    let here = i64::from(libc::AT_FDCWD);
    vec![
        (
            "mount",
            Box::new(|| {
                try_call(
                    libc::SYS_mount,
                    [t("x"), t(&targets.folder), t("tmpfs"), n(0), n(0)],
                )
            }),
        ),
        (
            "mount-writable-again",
            Box::new(|| {
                let flags = (libc::MS_REMOUNT | libc::MS_BIND) as i64;
                try_call(libc::SYS_mount, [n(0), t("/"), n(0), n(flags), n(0)])
            }),
        ),
        (
            "mount-writable-again-newer",
            Box::new(move || {
                // struct mount_attr: clear MOUNT_ATTR_RDONLY
                let mut attributes = vec![0; 32];
                attributes[8] = 1;
                try_call(
                    libc::SYS_mount_setattr,
                    [n(here), t("/"), n(0x8000), b(attributes), n(32)],
                )
            }),
        ),
        (
            "unmount",
            Box::new(|| reach(libc::SYS_umount2, [t("/proc"), n(2)])),
        ),
        (
            "copy-a-tree",
            Box::new(move || try_call(libc::SYS_open_tree, [n(here), t("/"), n(1)])),
        ),
        (
            "open-a-file-system",
            Box::new(|| try_call(libc::SYS_fsopen, [t("tmpfs"), n(0)])),
        ),
        (
            "move-a-mount",
            Box::new(move || {
                reach(
                    libc::SYS_move_mount,
                    [n(here), t("/proc"), n(here), t("/dev"), n(0)],
                )
            }),
        ),
        (
            "other-root",
            Box::new(|| try_call(libc::SYS_chroot, [t("/usr")])),
        ),
        (
            "pivot-root",
            Box::new(|| reach(libc::SYS_pivot_root, [t("/usr"), t("/usr")])),
        ),
    ]
}

fn namespaces() -> Vec<Attempt<'static>> {
    let users = i64::from(libc::CLONE_NEWUSER);
    vec![
        (
            "namespace-of-users",
            Box::new(move || try_call(libc::SYS_unshare, [n(users)])),
        ),
        (
            "namespace-of-mounts",
            Box::new(|| try_call(libc::SYS_unshare, [n(libc::CLONE_NEWNS)])),
        ),
        (
            "namespace-by-clone",
            Box::new(|| {
                // A child with a namespace of users and a shared table of descriptors makes no sense
                // without CLONE_FS undone; with CLONE_FS the kernel says EINVAL after the filter.
                let flags = libc::CLONE_NEWUSER | libc::CLONE_FS;
                reach(libc::SYS_clone, [n(flags), n(0), n(0), n(0), n(0)])
            }),
        ),
        (
            "namespace-by-newer-clone",
            Box::new(|| reach(libc::SYS_clone3, [zeros(88), n(1)])),
        ),
        (
            "enter-a-namespace",
            Box::new(|| reach(libc::SYS_setns, [n(0), n(0)])),
        ),
    ]
}

fn rights() -> Vec<Attempt<'static>> {
    let past = || {
        let words = [0_i64, -1].map(i64::to_ne_bytes);
        b(words.concat())
    };
    vec![
        (
            "set-the-clock",
            Box::new(move || reach(libc::SYS_clock_settime, [n(0), past()])),
        ),
        (
            "adjust-the-clock",
            Box::new(|| {
                let mut request = vec![0; 208];
                request[0] = 1;
                reach(libc::SYS_adjtimex, [b(request)])
            }),
        ),
        (
            "name-the-machine",
            Box::new(|| reach(libc::SYS_sethostname, [t("x"), n(-1)])),
        ),
        (
            "restart-the-machine",
            Box::new(|| reach(libc::SYS_reboot, [n(0), n(0), n(0), n(0)])),
        ),
        (
            "load-a-module",
            Box::new(|| reach(libc::SYS_init_module, [n(0), n(0), t("")])),
        ),
        (
            "swap",
            Box::new(|| reach(libc::SYS_swapoff, [t("/nothing")])),
        ),
        (
            "accounting",
            Box::new(|| reach(libc::SYS_acct, [t("/nothing")])),
        ),
        (
            "kernel-log",
            Box::new(|| reach(libc::SYS_syslog, [n(99), n(0), n(0)])),
        ),
        (
            "another-user",
            Box::new(|| try_call(libc::SYS_setresuid, [n(12345), n(12345), n(12345)])),
        ),
        (
            "another-group",
            Box::new(|| try_call(libc::SYS_setgroups, [n(1), zeros(4)])),
        ),
        (
            "words-for-the-terminal",
            Box::new(|| reach(libc::SYS_ioctl, [n(0), n(0x5412), t("x")])),
        ),
    ]
}

fn inherited() -> Vec<Attempt<'static>> {
    vec![
        (
            "planted-variable",
            Box::new(|| {
                std::env::var_os(PLANTED)
                    .map(drop)
                    .ok_or_else(|| refused("not there"))
            }),
        ),
        (
            "home-of-the-user",
            Box::new(|| {
                let home = std::env::var("HOME").unwrap_or_default();
                let own = home.ends_with("/home") || home == "/nonexistent";
                (!own).then_some(()).ok_or_else(|| refused("its own"))
            }),
        ),
        (
            "planted-descriptor",
            Box::new(|| {
                // The numbers of the engine's own descriptors are all lower than these.
                let open = fs::read_dir("/proc/self/fd")?.flatten();
                let numbers = open.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
                let foreign = numbers.filter(|number: &u32| *number >= 60).count();
                (foreign > 0).then_some(()).ok_or_else(|| refused("none"))
            }),
        ),
    ]
}
