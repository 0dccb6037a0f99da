//! What all processes of a user share: sockets, System V and POSIX objects, keyrings, watches.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

use super::system::{Word, b, call, n, reach, t, zeros};
use super::{Targets, Tell};

pub(super) fn attempt_all(targets: &Targets, tell: Tell) {
    sockets(tell);
    pairs(targets, tell);
    objects(tell);
    watches(targets, tell);
}

fn sockets(tell: Tell) {
    let socket = |family: i32, kind: i32| reach(libc::SYS_socket, [n(family), n(kind), n(0)]);
    attempts! { tell;
        "socket-tcp" => socket(libc::AF_INET, libc::SOCK_STREAM),
        "socket-udp" => socket(libc::AF_INET, libc::SOCK_DGRAM),
        "socket-tcp6" => socket(libc::AF_INET6, libc::SOCK_STREAM),
        "socket-raw" => socket(libc::AF_INET, libc::SOCK_RAW),
        "socket-unix" => socket(libc::AF_UNIX, libc::SOCK_STREAM),
        "socket-unix-datagram" => socket(libc::AF_UNIX, libc::SOCK_DGRAM),
        "socket-netlink" => socket(libc::AF_NETLINK, libc::SOCK_RAW),
        "socket-packet" => socket(libc::AF_PACKET, libc::SOCK_RAW),
        "socket-vsock" => socket(libc::AF_VSOCK, libc::SOCK_STREAM),
        "socket-crypto" => socket(libc::AF_ALG, libc::SOCK_SEQPACKET),
        "ring" => call(libc::SYS_io_uring_setup, [n(4), zeros(120)]),
    }
}

/// Two sockets that know each other.
fn pair(kind: i32) -> io::Result<i64> {
    let ends = [n(libc::AF_UNIX), n(kind), n(0), zeros(8)];
    call(libc::SYS_socketpair, ends)
}

/// One of two streams that know each other: the lowest free number is the one that the next descriptor gets.
fn one_of_a_pair() -> io::Result<Word> {
    let number = call(libc::SYS_dup, [n(0)])?;
    call(libc::SYS_close, [n(number)])?;
    pair(libc::SOCK_STREAM)?;
    Ok(n(number))
}

/// `struct sockaddr_un` with a path, or a name that begins with a zero.
fn address(path: &str) -> Word {
    let family = libc::AF_UNIX as u16;
    let mut bytes = family.to_ne_bytes().to_vec();
    bytes.extend(path.as_bytes());
    bytes.resize(110, 0);
    b(bytes)
}

fn pairs(targets: &Targets, tell: Tell) {
    let path = || address(&targets.path("socket"));
    let name = || address(&format!("\0{}", targets.name));
    attempts! { tell;
        "pair-of-datagrams" => pair(libc::SOCK_DGRAM),
        "pair-of-packets" => pair(libc::SOCK_SEQPACKET),
        "pair-of-streams" => pair(libc::SOCK_STREAM),
        "connect-a-pair-to-a-path" => reach(libc::SYS_connect, [one_of_a_pair()?, path(), n(110)]),
        "bind-a-pair-at-home" => reach(libc::SYS_bind, [one_of_a_pair()?, address("bound"), n(110)]),
        "send-to-a-path" => reach(libc::SYS_sendto, [one_of_a_pair()?, t("x"), n(1), n(0), path(), n(110)]),
        "send-to-an-abstract-name" => reach(libc::SYS_sendto, [one_of_a_pair()?, t("x"), n(1), n(0), name(), n(110)]),
        "send-a-descriptor" => reach(libc::SYS_sendmsg, [one_of_a_pair()?, zeros(56), n(0)]),
        "take-a-descriptor" => reach(libc::SYS_recvmsg, [one_of_a_pair()?, zeros(56), n(libc::MSG_DONTWAIT)]),
    }
}

fn objects(tell: Tell) {
    let create = libc::IPC_CREAT | 0o600;
    let queue = libc::O_CREAT | libc::O_RDWR;
    attempts! { tell;
        "shared-memory" => call(libc::SYS_shmget, [n(0x960), n(4096), n(create)]),
        "message-queue" => call(libc::SYS_msgget, [n(0x960), n(create)]),
        "semaphores" => call(libc::SYS_semget, [n(0x960), n(1), n(create)]),
        "list-shared-memory" => call(libc::SYS_shmctl, [n(0), n(14), zeros(128)]),
        "posix-queue" => call(libc::SYS_mq_open, [t("attack"), n(queue), n(0o600), n(0)]),
        "add-a-key" => call(libc::SYS_add_key, [t("user"), t("attack"), t("x"), n(1), n(-3)]),
        "search-keys" => reach(libc::SYS_keyctl, [n(10), n(-3), t("user"), t("secret"), n(0)]),
        "request-a-key" => reach(libc::SYS_request_key, [t("user"), t("secret"), n(0), n(-3)]),
        "anonymous-file" => call(libc::SYS_memfd_create, [t("x"), n(0)]),
    }
}

fn watches(targets: &Targets, tell: Tell) {
    const F_SETLEASE: i64 = 1024;
    const F_SETSIG: i64 = 10;
    let watched = |watch: i64| [n(watch), t(&targets.folder), n(0xfff)];
    let watch = |watch: i64| call(libc::SYS_inotify_add_watch, watched(watch));
    let own = || File::create("leased").and_then(|_| File::open("leased"));
    let lease = |own: &File| [n(own.as_raw_fd()), n(F_SETLEASE), n(libc::F_WRLCK)];
    let many = || (0..300).map(|_| File::open("/dev/null"));
    attempts! { tell;
        "watch-a-folder" => call(libc::SYS_inotify_init1, [n(0)]).and_then(watch),
        "lease-a-file" => own().and_then(|own| call(libc::SYS_fcntl, lease(&own))),
        "signals-of-a-file" => call(libc::SYS_fcntl, [n(0), n(F_SETSIG), n(libc::SIGUSR2)]),
        "many-descriptors" => many().collect::<io::Result<Vec<File>>>(),
        "watch-the-file-system" => reach(libc::SYS_fanotify_init, [n(0), n(0)]),
        "page-faults" => reach(libc::SYS_userfaultfd, [n(1)]),
        "load-a-filter" => reach(libc::SYS_bpf, [n(0), zeros(128), n(128)]),
    }
}
