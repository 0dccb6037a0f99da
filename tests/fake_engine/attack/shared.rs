//! What all processes of a user share: sockets, System V and POSIX objects, keyrings, watches.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

use super::system::{b, call, n, reach, t, try_call, zeros};
use super::{Attempt, Targets};

pub(super) fn attempts(targets: &Targets) -> Vec<Attempt<'_>> {
    let mut attempts = sockets();
    attempts.extend(pairs(targets));
    attempts.extend(objects());
    attempts.extend(watches(targets));
    attempts
}

fn socket(family: i32, kind: i32) -> Box<dyn FnOnce() -> io::Result<()>> {
    Box::new(move || reach(libc::SYS_socket, [n(family), n(kind), n(0)]))
}

fn sockets() -> Vec<Attempt<'static>> {
    vec![
        ("socket-tcp", socket(libc::AF_INET, libc::SOCK_STREAM)),
        ("socket-udp", socket(libc::AF_INET, libc::SOCK_DGRAM)),
        ("socket-tcp6", socket(libc::AF_INET6, libc::SOCK_STREAM)),
        ("socket-raw", socket(libc::AF_INET, libc::SOCK_RAW)),
        ("socket-unix", socket(libc::AF_UNIX, libc::SOCK_STREAM)),
        (
            "socket-unix-datagram",
            socket(libc::AF_UNIX, libc::SOCK_DGRAM),
        ),
        ("socket-netlink", socket(libc::AF_NETLINK, libc::SOCK_RAW)),
        ("socket-packet", socket(libc::AF_PACKET, libc::SOCK_RAW)),
        ("socket-vsock", socket(libc::AF_VSOCK, libc::SOCK_STREAM)),
        ("socket-crypto", socket(libc::AF_ALG, libc::SOCK_SEQPACKET)),
        (
            "ring",
            Box::new(|| try_call(libc::SYS_io_uring_setup, [n(4), zeros(120)])),
        ),
    ]
}

/// Two sockets that know each other.
fn pair(kind: i32) -> io::Result<()> {
    try_call(
        libc::SYS_socketpair,
        [n(libc::AF_UNIX), n(kind), n(0), zeros(8)],
    )
}

/// The lowest free number, which the next descriptor will get.
fn next_descriptor() -> io::Result<i64> {
    let number = call(libc::SYS_dup, [n(0)])?;
    try_call(libc::SYS_close, [n(number)])?;
    Ok(number)
}

/// `struct sockaddr_un` with a path, or a name that begins with a zero.
fn address(path: &str) -> Vec<u8> {
    let family = libc::AF_UNIX as u16;
    let mut bytes = family.to_ne_bytes().to_vec();
    bytes.extend(path.as_bytes());
    bytes.resize(110, 0);
    bytes
}

fn pairs(targets: &Targets) -> Vec<Attempt<'_>> {
    let stream = libc::SOCK_STREAM;
    vec![
        ("pair-of-datagrams", Box::new(|| pair(libc::SOCK_DGRAM))),
        ("pair-of-packets", Box::new(|| pair(libc::SOCK_SEQPACKET))),
        ("pair-of-streams", Box::new(move || pair(stream))),
        (
            "connect-a-pair-to-a-path",
            Box::new(move || {
                let one = next_descriptor()?;
                pair(stream)?;
                reach(
                    libc::SYS_connect,
                    [n(one), b(address(&targets.path("socket"))), n(110)],
                )
            }),
        ),
        (
            "bind-a-pair-at-home",
            Box::new(move || {
                let one = next_descriptor()?;
                pair(stream)?;
                reach(libc::SYS_bind, [n(one), b(address("bound")), n(110)])
            }),
        ),
        (
            "send-to-a-path",
            Box::new(move || {
                let one = next_descriptor()?;
                pair(stream)?;
                let to = b(address(&targets.path("socket")));
                reach(libc::SYS_sendto, [n(one), t("x"), n(1), n(0), to, n(110)])
            }),
        ),
        (
            "send-to-an-abstract-name",
            Box::new(move || {
                let one = next_descriptor()?;
                pair(stream)?;
                let to = b(address(&format!("\0{}", targets.name)));
                reach(libc::SYS_sendto, [n(one), t("x"), n(1), n(0), to, n(110)])
            }),
        ),
        (
            "send-a-descriptor",
            Box::new(move || {
                let one = next_descriptor()?;
                pair(stream)?;
                reach(libc::SYS_sendmsg, [n(one), zeros(56), n(0)])
            }),
        ),
        (
            "take-a-descriptor",
            Box::new(move || {
                let one = next_descriptor()?;
                pair(stream)?;
                reach(
                    libc::SYS_recvmsg,
                    [n(one), zeros(56), n(libc::MSG_DONTWAIT)],
                )
            }),
        ),
    ]
}

fn objects() -> Vec<Attempt<'static>> {
    let create = libc::IPC_CREAT | 0o600;
    vec![
        (
            "shared-memory",
            Box::new(move || try_call(libc::SYS_shmget, [n(0x960), n(4096), n(create)])),
        ),
        (
            "message-queue",
            Box::new(move || try_call(libc::SYS_msgget, [n(0x960), n(create)])),
        ),
        (
            "semaphores",
            Box::new(move || try_call(libc::SYS_semget, [n(0x960), n(1), n(create)])),
        ),
        (
            "list-shared-memory",
            Box::new(|| try_call(libc::SYS_shmctl, [n(0), n(14), zeros(128)])),
        ),
        (
            "posix-queue",
            Box::new(|| {
                let flags = libc::O_CREAT | libc::O_RDWR;
                try_call(libc::SYS_mq_open, [t("attack"), n(flags), n(0o600), n(0)])
            }),
        ),
        (
            "add-a-key",
            Box::new(|| {
                let arguments = [t("user"), t("attack"), t("x"), n(1), n(-3)];
                try_call(libc::SYS_add_key, arguments)
            }),
        ),
        (
            "search-keys",
            Box::new(|| {
                reach(
                    libc::SYS_keyctl,
                    [n(10), n(-3), t("user"), t("secret"), n(0)],
                )
            }),
        ),
        (
            "request-a-key",
            Box::new(|| reach(libc::SYS_request_key, [t("user"), t("secret"), n(0), n(-3)])),
        ),
        (
            "anonymous-file",
            Box::new(|| try_call(libc::SYS_memfd_create, [t("x"), n(0)])),
        ),
    ]
}

fn watches(targets: &Targets) -> Vec<Attempt<'_>> {
    vec![
        (
            "watch-a-folder",
            Box::new(|| {
                let watch = call(libc::SYS_inotify_init1, [n(0)])?;
                try_call(
                    libc::SYS_inotify_add_watch,
                    [n(watch), t(&targets.folder), n(0xfff)],
                )
            }),
        ),
        (
            "lease-a-file",
            Box::new(|| {
                let own = File::create("leased").and_then(|_| File::open("leased"))?;
                const F_SETLEASE: i64 = 1024;
                try_call(
                    libc::SYS_fcntl,
                    [n(own.as_raw_fd()), n(F_SETLEASE), n(libc::F_WRLCK)],
                )
            }),
        ),
        (
            "signals-of-a-file",
            Box::new(|| {
                const F_SETSIG: i64 = 10;
                try_call(libc::SYS_fcntl, [n(0), n(F_SETSIG), n(libc::SIGUSR2)])
            }),
        ),
        (
            "many-descriptors",
            Box::new(|| {
                let open = |_| File::open("/dev/null");
                (0..300)
                    .map(open)
                    .collect::<io::Result<Vec<File>>>()
                    .map(drop)
            }),
        ),
        (
            "watch-the-file-system",
            Box::new(|| reach(libc::SYS_fanotify_init, [n(0), n(0)])),
        ),
        (
            "page-faults",
            Box::new(|| reach(libc::SYS_userfaultfd, [n(1)])),
        ),
        (
            "load-a-filter",
            Box::new(|| reach(libc::SYS_bpf, [n(0), zeros(128), n(128)])),
        ),
    ]
}
