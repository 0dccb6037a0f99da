//! Other processes: their limits, priorities, memory and signals.

use std::{fs, io};

use super::system::{b, call, n, reach, try_call, zeros};
use super::{Attempt, Targets, refused};

/// `struct rlimit`: an address space of one MiB.
fn tiny_limit() -> Vec<u8> {
    [1_u64 << 20, 1 << 20]
        .iter()
        .flat_map(|word| word.to_ne_bytes())
        .collect()
}

/// `struct sched_attr` with a policy.
fn scheduling(policy: u32) -> Vec<u8> {
    let mut bytes = vec![0; 48];
    bytes[..4].copy_from_slice(&48_u32.to_ne_bytes());
    bytes[4..8].copy_from_slice(&policy.to_ne_bytes());
    bytes
}

/// `struct iovec` of nothing.
fn nothing() -> Vec<u8> {
    vec![0; 16]
}

fn descriptor(victim: i32) -> io::Result<i64> {
    call(libc::SYS_pidfd_open, [n(victim), n(0)])
}

pub(super) fn attempts(targets: &Targets) -> Vec<Attempt<'_>> {
    let victim = targets.victim;
    let mut attempts = limits(victim);
    attempts.extend(priorities(victim));
    attempts.extend(memory(victim));
    attempts.extend(signals(victim));
    attempts.extend(told(victim));
    attempts
}

fn limits(victim: i32) -> Vec<Attempt<'static>> {
    vec![
        (
            "limit-memory-of-another",
            Box::new(move || {
                let arguments = [n(victim), n(libc::RLIMIT_AS), b(tiny_limit()), n(0)];
                try_call(libc::SYS_prlimit64, arguments)
            }),
        ),
        (
            "limit-files-of-another",
            Box::new(move || {
                let arguments = [n(victim), n(libc::RLIMIT_FSIZE), b(vec![0; 16]), n(0)];
                try_call(libc::SYS_prlimit64, arguments)
            }),
        ),
        (
            "read-limits-of-another",
            Box::new(move || {
                try_call(
                    libc::SYS_prlimit64,
                    [n(victim), n(libc::RLIMIT_CPU), n(0), zeros(16)],
                )
            }),
        ),
        (
            "limit-the-first-process",
            Box::new(|| {
                try_call(
                    libc::SYS_prlimit64,
                    [n(1), n(libc::RLIMIT_AS), b(tiny_limit()), n(0)],
                )
            }),
        ),
    ]
}

fn priorities(victim: i32) -> Vec<Attempt<'static>> {
    let idle = i64::from(libc::SCHED_IDLE);
    vec![
        (
            "niceness-of-another",
            Box::new(move || {
                try_call(
                    libc::SYS_setpriority,
                    [n(libc::PRIO_PROCESS), n(victim), n(19)],
                )
            }),
        ),
        (
            "niceness-of-its-group",
            Box::new(|| try_call(libc::SYS_setpriority, [n(libc::PRIO_PGRP), n(0), n(1)])),
        ),
        (
            "niceness-of-the-user",
            Box::new(|| try_call(libc::SYS_setpriority, [n(libc::PRIO_USER), n(0), n(1)])),
        ),
        (
            "idle-class-for-another",
            Box::new(move || {
                try_call(libc::SYS_sched_setscheduler, [n(victim), n(idle), zeros(4)])
            }),
        ),
        (
            "scheduling-parameters-of-another",
            Box::new(move || try_call(libc::SYS_sched_setparam, [n(victim), zeros(4)])),
        ),
        (
            "scheduling-attributes-of-another",
            Box::new(move || {
                let idle = scheduling(libc::SCHED_IDLE.unsigned_abs());
                try_call(libc::SYS_sched_setattr, [n(victim), b(idle), n(0)])
            }),
        ),
        (
            "processors-of-another",
            Box::new(move || {
                let mut first = vec![0; 128];
                first[0] = 1;
                try_call(libc::SYS_sched_setaffinity, [n(victim), n(128), b(first)])
            }),
        ),
        (
            "disk-priority-of-another",
            Box::new(move || try_call(libc::SYS_ioprio_set, [n(1), n(victim), n(3 << 13)])),
        ),
        (
            "disk-priority-of-the-user",
            Box::new(|| try_call(libc::SYS_ioprio_set, [n(3), n(0), n(2 << 13 | 4)])),
        ),
        (
            "real-time-for-itself",
            Box::new(|| {
                try_call(
                    libc::SYS_sched_setscheduler,
                    [n(0), n(libc::SCHED_FIFO), b(1_i32.to_ne_bytes())],
                )
            }),
        ),
    ]
}

fn memory(victim: i32) -> Vec<Attempt<'static>> {
    let seize = 0x4206_i64;
    vec![
        (
            "trace-another",
            Box::new(move || try_call(libc::SYS_ptrace, [n(seize), n(victim), n(0), n(0)])),
        ),
        (
            "trace-the-first-process",
            Box::new(move || try_call(libc::SYS_ptrace, [n(seize), n(1), n(0), n(0)])),
        ),
        (
            "read-memory-of-another",
            Box::new(move || {
                let arguments = [n(victim), b(nothing()), n(1), b(nothing()), n(1), n(0)];
                try_call(libc::SYS_process_vm_readv, arguments)
            }),
        ),
        (
            "write-memory-of-another",
            Box::new(move || {
                let arguments = [n(victim), b(nothing()), n(1), b(nothing()), n(1), n(0)];
                try_call(libc::SYS_process_vm_writev, arguments)
            }),
        ),
        (
            "take-a-descriptor-of-another",
            Box::new(move || {
                let process = descriptor(victim)?;
                try_call(libc::SYS_pidfd_getfd, [n(process), n(0), n(0)])
            }),
        ),
        (
            "compare-with-another",
            Box::new(move || {
                let me = std::process::id();
                try_call(libc::SYS_kcmp, [n(me), n(victim), n(0), n(0), n(0)])
            }),
        ),
        (
            "move-pages-of-another",
            Box::new(move || {
                try_call(
                    libc::SYS_migrate_pages,
                    [n(victim), n(1), b(vec![1; 8]), b(vec![1; 8])],
                )
            }),
        ),
        (
            "measure-another",
            Box::new(move || {
                let arguments = [zeros(128), n(victim), n(-1), n(-1), n(0)];
                reach(libc::SYS_perf_event_open, arguments)
            }),
        ),
    ]
}

fn signals(victim: i32) -> Vec<Attempt<'static>> {
    vec![
        (
            "signal-another",
            Box::new(move || try_call(libc::SYS_kill, [n(victim), n(0)])),
        ),
        (
            "signal-a-thread-of-another",
            Box::new(move || try_call(libc::SYS_tgkill, [n(victim), n(victim), n(0)])),
        ),
        (
            "queue-a-signal-for-another",
            Box::new(move || try_call(libc::SYS_rt_sigqueueinfo, [n(victim), n(0), zeros(128)])),
        ),
        (
            "signal-everybody",
            Box::new(|| try_call(libc::SYS_kill, [n(-1), n(0)])),
        ),
        (
            "hold-another",
            Box::new(move || descriptor(victim).map(drop)),
        ),
        (
            "session-of-another",
            Box::new(move || try_call(libc::SYS_getsid, [n(victim)])),
        ),
    ]
}

/// What `/proc` reveals about other processes.
fn told(victim: i32) -> Vec<Attempt<'static>> {
    let read = move |what: &'static str| -> io::Result<()> {
        fs::read(format!("/proc/{victim}/{what}")).map(drop)
    };
    vec![
        ("environment-of-another", Box::new(move || read("environ"))),
        ("arguments-of-another", Box::new(move || read("cmdline"))),
        ("memory-map-of-another", Box::new(move || read("maps"))),
        (
            "descriptors-of-another",
            Box::new(move || fs::read_dir(format!("/proc/{victim}/fd")).map(drop)),
        ),
        (
            "let-another-be-killed-first",
            Box::new(move || fs::write(format!("/proc/{victim}/oom_score_adj"), "1000")),
        ),
        (
            "memory-of-the-first-process",
            Box::new(|| fs::File::open("/proc/1/mem").map(drop)),
        ),
        (
            "list-all-processes",
            Box::new(move || {
                let others = fs::read_dir("/proc")?.flatten();
                let mut numbers =
                    others.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
                numbers
                    .any(|number: i32| number == victim)
                    .then_some(())
                    .ok_or_else(|| refused("hidden"))
            }),
        ),
    ]
}
