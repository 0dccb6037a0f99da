//! What a hostile engine tries. The result of each attempt is a separate line, `info string raid WHAT open` or `…
//! refused: WHY`.

use std::fs;
use std::io::{self, Write};
use std::net::{TcpStream, UdpSocket};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, test_kill_process};

use crate::attack::system::{call, n};
use crate::dialogue::say;
use crate::script::Script;

/// The variable with the list of the attempts, one per line, as `read:/etc/shadow`. It is not an argument, because
/// arbiter960 would take the files for parts of the engine.
const PLAN: &str = "LC_FAKE_RAID";

/// Makes every attempt of the plan, in order.
pub(crate) fn raid(script: &Script) {
    let plan = std::env::var(PLAN).expect("a plan");
    for attempt in plan.lines() {
        let (what, where_to) = attempt.split_once(':').expect("WHAT:WHERE");
        let outcome = match try_out(what, where_to) {
            Ok(()) => "open".to_owned(),
            Err(error) => format!("refused: {error}"),
        };
        say(script, &format!("info string raid {what} {outcome}"));
    }
}

fn try_out(what: &str, where_to: &str) -> io::Result<()> {
    let port = || where_to.parse::<u16>().expect("a port");
    match what {
        "read" => fs::read(where_to).map(drop),
        "list" => fs::read_dir(where_to).map(drop),
        "write" => fs::write(where_to, "I was here\n"),
        "remove" => fs::remove_file(where_to),
        "link" => fs::hard_link(where_to, "stolen"),
        "tcp" => TcpStream::connect(("127.0.0.1", port())).map(drop),
        "udp" => {
            let socket = UdpSocket::bind("127.0.0.1:0")?;
            socket.send_to(b"hello", ("127.0.0.1", port())).map(drop)
        }
        "unix" => UnixStream::connect(where_to).map(drop),
        "run" => {
            let mut command = Command::new(where_to);
            command.stdin(Stdio::null()).status().map(drop)
        }
        "signal" => {
            let process = where_to.parse().ok().and_then(Pid::from_raw);
            Ok(test_kill_process(process.expect("a process"))?)
        }
        other => panic!("no such attempt: {other}"),
    }
}

/// Writes this number of MiB into a file without a name, which is mapped nowhere, and waits.
pub(crate) fn hoard(mib: usize) -> ! {
    let flags = rustix::fs::MemfdFlags::empty();
    let file = rustix::fs::memfd_create("hoard", flags).expect("a file without a name");
    let mut file = fs::File::from(file);
    for _ in 0..mib {
        file.write_all(&[b'x'; 1 << 20]).expect("memory");
    }
    crate::outlaw::wait_for_ever();
}

/// Has this number of MiB of page tables made, by looking at one page of every 2 MiB of a map, and waits.
pub(crate) fn page_tables(mib: usize) -> ! {
    const APART: usize = 2 << 20;
    let tables = mib * 256;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let length = i64::try_from(tables * APART).expect("a length");
    let map = [n(0), n(length), n(libc::PROT_READ), n(flags), n(-1), n(0)];
    let map = call(libc::SYS_mmap, map).expect("a map");
    for page in (map..map + length).step_by(APART) {
        let look = [n(page), n(4096), n(libc::MADV_POPULATE_READ)];
        call(libc::SYS_madvise, look).expect("a page");
    }
    crate::outlaw::wait_for_ever();
}

/// Makes this number of pairs of sockets, fills them in both directions, and waits.
pub(crate) fn socket_pairs(count: usize) -> ! {
    let fill = |mut socket: &UnixStream| {
        socket.set_nonblocking(true).expect("a socket");
        while socket.write(&[b'x'; 4096]).is_ok() {}
    };
    let pairs = Vec::from_iter((0..count).map(|_| UnixStream::pair().expect("a pair")));
    for (one, other) in &pairs {
        fill(one);
        fill(other);
    }
    crate::outlaw::wait_for_ever();
}

/// Starts this number of children, fewer if the system refuses, prints their number, and waits.
pub(crate) fn multiply(count: usize, script: &Script) -> ! {
    let child = || -> io::Result<Child> {
        let mut command = Command::new("sleep");
        command.arg("60").stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()
    };
    let children: Vec<Child> = (0..count).map_while(|_| child().ok()).collect();
    let count = children.len();
    say(script, &format!("info string raid children {count}"));
    crate::outlaw::wait_for_ever();
}

/// What the runner decided about this process.
pub(crate) fn report_limits(script: &Script) {
    let nice = rustix::process::getpriority_process(None).expect("a niceness");
    let set = rustix::thread::sched_getaffinity(None).expect("processors");
    let cpus = (0..64).filter(|cpu| set.is_set(*cpu));
    let cpus = Vec::from_iter(cpus.map(|cpu| cpu.to_string())).join(",");
    let group = rustix::process::getpgrp() == rustix::process::getpid();
    let limits = format!("nice {nice} cpus {cpus} leader {group}");
    say(script, &format!("info string limits {limits}"));
}
