//! Other processes: their limits, priorities, memory and signals.

use std::{fs, io};

use super::system::{Word, b, call, n, reach, zeros};
use super::{Targets, Tell, only_if};

/// `struct rlimit`: an address space of one MiB.
fn tiny_limit() -> Word {
    b([1_u64 << 20, 1 << 20].map(u64::to_ne_bytes).concat())
}

/// `struct sched_attr` with a policy.
fn scheduling(policy: u32) -> Word {
    let mut bytes = vec![0; 48];
    bytes[..4].copy_from_slice(&48_u32.to_ne_bytes());
    bytes[4..8].copy_from_slice(&policy.to_ne_bytes());
    b(bytes)
}

fn descriptor(victim: i32) -> io::Result<i64> {
    call(libc::SYS_pidfd_open, [n(victim), n(0)])
}

pub(super) fn attempt_all(targets: &Targets, tell: Tell) {
    limits(targets.victim, tell);
    priorities(targets.victim, tell);
    memory(targets.victim, tell);
    signals(targets.victim, tell);
    told(targets.victim, tell);
}

fn limits(victim: i32, tell: Tell) {
    let limit =
        |whose: i32, what, new, old| call(libc::SYS_prlimit64, [n(whose), n(what), new, old]);
    attempts! { tell;
        "limit-memory-of-another" => limit(victim, libc::RLIMIT_AS, tiny_limit(), n(0)),
        "limit-files-of-another" => limit(victim, libc::RLIMIT_FSIZE, zeros(16), n(0)),
        "read-limits-of-another" => limit(victim, libc::RLIMIT_CPU, n(0), zeros(16)),
        "limit-the-first-process" => limit(1, libc::RLIMIT_AS, tiny_limit(), n(0)),
    }
}

fn priorities(victim: i32, tell: Tell) {
    let idle = libc::SCHED_IDLE;
    let attributes = || scheduling(idle.unsigned_abs());
    let mut first = vec![0; 128];
    first[0] = 1;
    let first = || b(first.clone());
    let real_time = || [n(0), n(libc::SCHED_FIFO), b(1_i32.to_ne_bytes())];
    attempts! { tell;
        "niceness-of-another" => call(libc::SYS_setpriority, [n(libc::PRIO_PROCESS), n(victim), n(19)]),
        "niceness-of-its-group" => call(libc::SYS_setpriority, [n(libc::PRIO_PGRP), n(0), n(1)]),
        "niceness-of-the-user" => call(libc::SYS_setpriority, [n(libc::PRIO_USER), n(0), n(1)]),
        "idle-class-for-another" => call(libc::SYS_sched_setscheduler, [n(victim), n(idle), zeros(4)]),
        "scheduling-parameters-of-another" => call(libc::SYS_sched_setparam, [n(victim), zeros(4)]),
        "scheduling-attributes-of-another" => call(libc::SYS_sched_setattr, [n(victim), attributes(), n(0)]),
        "processors-of-another" => call(libc::SYS_sched_setaffinity, [n(victim), n(128), first()]),
        "disk-priority-of-another" => call(libc::SYS_ioprio_set, [n(1), n(victim), n(3 << 13)]),
        "disk-priority-of-the-user" => call(libc::SYS_ioprio_set, [n(3), n(0), n(2 << 13 | 4)]),
        "real-time-for-itself" => call(libc::SYS_sched_setscheduler, real_time()),
    }
}

fn memory(victim: i32, tell: Tell) {
    let seize = |whom: i32| call(libc::SYS_ptrace, [n(0x4206), n(whom), n(0), n(0)]);
    // `struct iovec` of nothing, on both sides.
    let nothing = || [n(victim), zeros(16), n(1), zeros(16), n(1), n(0)];
    let take = |process: i64| call(libc::SYS_pidfd_getfd, [n(process), n(0), n(0)]);
    let me = std::process::id();
    let from_one = || [n(victim), n(1), b([1_u8; 8]), b([1_u8; 8])];
    attempts! { tell;
        "trace-another" => seize(victim),
        "trace-the-first-process" => seize(1),
        "read-memory-of-another" => call(libc::SYS_process_vm_readv, nothing()),
        "write-memory-of-another" => call(libc::SYS_process_vm_writev, nothing()),
        "take-a-descriptor-of-another" => descriptor(victim).and_then(take),
        "compare-with-another" => call(libc::SYS_kcmp, [n(me), n(victim), n(0), n(0), n(0)]),
        "move-pages-of-another" => call(libc::SYS_migrate_pages, from_one()),
        "measure-another" => reach(libc::SYS_perf_event_open, [zeros(128), n(victim), n(-1), n(-1), n(0)]),
    }
}

fn signals(victim: i32, tell: Tell) {
    attempts! { tell;
        "signal-another" => call(libc::SYS_kill, [n(victim), n(0)]),
        "signal-a-thread-of-another" => call(libc::SYS_tgkill, [n(victim), n(victim), n(0)]),
        "queue-a-signal-for-another" => call(libc::SYS_rt_sigqueueinfo, [n(victim), n(0), zeros(128)]),
        "signal-everybody" => call(libc::SYS_kill, [n(-1), n(0)]),
        "hold-another" => descriptor(victim),
        "session-of-another" => call(libc::SYS_getsid, [n(victim)]),
    }
}

/// What `/proc` reveals about other processes.
fn told(victim: i32, tell: Tell) {
    let of_victim = |what: &str| format!("/proc/{victim}/{what}");
    attempts! { tell;
        "environment-of-another" => fs::read(of_victim("environ")),
        "arguments-of-another" => fs::read(of_victim("cmdline")),
        "memory-map-of-another" => fs::read(of_victim("maps")),
        "descriptors-of-another" => fs::read_dir(of_victim("fd")),
        "let-another-be-killed-first" => fs::write(of_victim("oom_score_adj"), "1000"),
        "memory-of-the-first-process" => fs::File::open("/proc/1/mem"),
        "list-all-processes" => is_listed(victim),
    }
}

fn is_listed(victim: i32) -> io::Result<()> {
    let others = fs::read_dir("/proc")?.flatten();
    let mut numbers = others.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    only_if(numbers.any(|number: i32| number == victim), "hidden")
}
