//! seccomp: only the system calls that engines need succeed from here on. Needs no rights
//! and no namespace, and also binds root.

use std::collections::BTreeMap;

use seccompiler::SeccompCmpArgLen::{Dword, Qword};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};
use serde_json::json;

use crate::platform::orders::LaunchError;

/// From here on only the calls of [`allowed_names`] succeed, and not with all arguments; returns why not, if seccomp is not available and not
/// required. A program for another architecture than this one's (32-bit) is ended at its first system call.
pub(super) fn refuse(required: bool, standing: OtherWalls) -> Result<Option<String>, LaunchError> {
    match apply(standing) {
        Ok(()) => Ok(None),
        Err(error) if required => {
            let why = format!("{error}; sandbox = \"best-effort\" goes without what is missing");
            Err(LaunchError::new(
                "cannot refuse system calls by seccomp",
                why,
            ))
        }
        Err(error) => Ok(Some(error)),
    }
}

/// Installs one filter for each answer; the kernel takes the strictest.
fn apply(standing: OtherWalls) -> Result<(), String> {
    let answer = |errno: i32| SeccompAction::Errno(errno.unsigned_abs());
    let mut programs = vec![program(answer(libc::EPERM), refused(standing))?];
    let answered = answered(standing);
    if !answered.is_empty() {
        // Answered with success: some engines give up otherwise.
        programs.push(program(answer(0), answered)?);
    }
    programs.push(allowed()?);
    let mut programs = programs.iter();
    let applied = programs.try_for_each(|program| seccompiler::apply_filter(program));
    applied.map_err(|error| error.to_string())
}

/// Programs and run times know how to do without a call that an older kernel lacks: so are all others answered.
fn allowed() -> Result<BpfProgram, String> {
    let calls = allowed_names().map(|name| json!({ "syscall": name }));
    let filter = json!({ "allowed": {
        "mismatch_action": { "errno": libc::ENOSYS },
        "match_action": "allow",
        "filter": Vec::from_iter(calls),
    }});
    let filter = filter.to_string();
    let programs = seccompiler::compile_from_json(filter.as_bytes(), architecture()?);
    let mut programs = programs.map_err(|error| error.to_string())?.into_values();
    let program = programs.next();
    program.ok_or_else(|| "no filter was made".to_owned())
}

fn architecture() -> Result<TargetArch, String> {
    let architecture = std::env::consts::ARCH.try_into();
    architecture.map_err(|error: BackendError| error.to_string())
}

/// A filter with one answer for these calls, and one for all others.
fn program(these: SeccompAction, calls: Vec<RefusedCall>) -> Result<BpfProgram, String> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    // A call without a rule is meant with any arguments.
    let is_always = |(_, when): &RefusedCall| *when == When::Always;
    let (always, sometimes): (Vec<_>, Vec<_>) = calls.into_iter().partition(is_always);
    rules.extend(always.iter().map(|(call, _)| (*call, Vec::new())));
    for (call, when) in sometimes {
        if !always.contains(&(call, When::Always)) {
            let several = rules.entry(call).or_default();
            several.extend(rules_for(when).map_err(|error| error.to_string())?);
        }
    }
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, these, architecture()?);
    let program: Result<BpfProgram, _> = filter.and_then(TryInto::try_into);
    program.map_err(|error| error.to_string())
}

/// The bits that are set, each as a number.
fn each(bits: u64) -> impl Iterator<Item = u64> {
    let all = (0..32).map(|bit| 1_u64 << bit);
    all.filter(move |bit| bits & bit != 0)
}

/// The rules for a call with these arguments; none: with any.
fn rules_for(when: When) -> Result<Vec<SeccompRule>, BackendError> {
    let condition = SeccompCondition::new;
    let has = |argument, bit| condition(argument, Dword, SeccompCmpOp::MaskedEq(bit), bit);
    let one = |condition: Result<_, _>| Ok(vec![vec![condition?]]);
    let conditions: Result<Vec<Vec<SeccompCondition>>, BackendError> = match when {
        When::Always => Ok(Vec::new()),
        When::Not(argument, value) => one(condition(argument, Dword, SeccompCmpOp::Ne, value)),
        When::Is(argument, value) => one(condition(argument, Dword, SeccompCmpOp::Eq, value)),
        When::Address(argument) => one(condition(argument, Qword, SeccompCmpOp::Ne, 0)),
        When::Any(argument, bits) => each(bits)
            .map(|bit| Ok(vec![has(argument, bit)?]))
            .collect(),
        When::Both((first, of_first), (second, of_second)) => each(of_first)
            .flat_map(|one| each(of_second).map(move |other| (one, other)))
            .map(|(one, other)| Ok(vec![has(first, one)?, has(second, other)?]))
            .collect(),
    };
    conditions?.into_iter().map(SeccompRule::new).collect()
}

// What is refused of the system calls that are allowed, by what an engine could do with it.

/// Which of the other walls were built: what they prevent need not be refused here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OtherWalls {
    /// Other processes have no number for the engine.
    pub(super) processes: bool,
    /// Everything except the engine's own places is read-only.
    pub(super) mounts: bool,
    /// The runner has chosen the engine's processors.
    pub(super) placed: bool,
}

/// A call and when it is refused.
type RefusedCall = (i64, When);

/// When a call is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    /// With any arguments.
    Always,
    /// Unless this argument (from 0 on; its lower 32 bits) has this value.
    Not(u8, u64),
    /// If this argument has this value.
    Is(u8, u64),
    /// If this argument has any of these bits.
    Any(u8, u64),
    /// If this argument is an address, and not a null pointer.
    Address(u8),
    /// If the first argument has any of these bits, and the second as well.
    Both((u8, u64), (u8, u64)),
}

/// Changes of a file's attributes: a read-only file system refuses them, and Landlock does not.
const METADATA: &[i64] = &[libc::SYS_fchmod, libc::SYS_fchmodat, libc::SYS_utimensat];

/// Older names of these calls, which only x86-64 has.
#[cfg(target_arch = "x86_64")]
const OLD_METADATA: &[i64] = &[libc::SYS_chmod, libc::SYS_utime, libc::SYS_utimes];
#[cfg(not(target_arch = "x86_64"))]
const OLD_METADATA: &[i64] = &[];

/// Older calls with a mode, and the index of that argument.
#[cfg(target_arch = "x86_64")]
const OLD_MODES: &[(i64, u8)] = &[
    (libc::SYS_chmod, 1),
    (libc::SYS_creat, 1),
    (libc::SYS_mknod, 1),
    (libc::SYS_mkdir, 1),
];
#[cfg(not(target_arch = "x86_64"))]
const OLD_MODES: &[(i64, u8)] = &[];

#[cfg(target_arch = "x86_64")]
const OLD_OPENS: &[RefusedCall] = &[(libc::SYS_open, When::Both((1, CREATES), (2, RAISED)))];
#[cfg(not(target_arch = "x86_64"))]
const OLD_OPENS: &[RefusedCall] = &[];

/// `S_ISUID` and `S_ISGID`; `O_CREAT` and the bit that only `O_TMPFILE` has (open(2)).
const RAISED: u64 = 0o6000;
const CREATES: u64 = 0o20_000_100;

/// The process number −1 of kill(2).
const EVERYBODY: u64 = 0xffff_ffff;

// Not in every C library's header: fcntl(2), the same on all architectures but PA-RISC and MIPS.
const F_SETOWN: u64 = 8;
const F_SETSIG: u64 = 10;
const F_SETOWN_EX: u64 = 15;

/// Flags of `clone` that make a namespace.
const NAMESPACES: u64 = 0x7e02_0000;

// Requests of `ioctl`: insert words into a terminal's input (ioctl_tty(2)), change a file's flags.
const TIOCSTI: u64 = 0x5412;
const TIOCLINUX: u64 = 0x541c;
const FS_IOC_SETFLAGS: u64 = 0x4008_6602;
const FS_IOC_FSSETXATTR: u64 = 0x401c_5820;

/// Commands of fcntl(2) that report, or hold up for 45 seconds, the opening of a file which the engine can read: a
/// lease on a shared tablebase makes the opponent lose on time. The others send any signal
/// to any process.
const FILE_WATCHES: &[u64] = &[
    libc::F_SETLEASE as u64,
    libc::F_NOTIFY as u64,
    F_SETOWN,
    F_SETOWN_EX,
    F_SETSIG,
];

/// The family, and the bits of the type that `SOCK_STREAM`, 1, does not have: socketpair(2).
const AF_UNIX: u64 = 1;
const NO_STREAM: u64 = 0b1110;

/// `PRIO_PROCESS` of setpriority(2).
const PRIO_PROCESS: u64 = 0;

/// Calls of the [list](allowed) that are refused after all, given which other walls were built.
fn refused(standing: OtherWalls) -> Vec<RefusedCall> {
    let mut calls = vec![
        // A pair of streams is a pipe with two directions, which many programs make at their start; a socket of another
        // type could send to any address.
        (libc::SYS_socketpair, When::Not(0, AF_UNIX)),
        (libc::SYS_socketpair, When::Any(1, NO_STREAM)),
        (libc::SYS_sendto, When::Address(4)),
        (libc::SYS_clone, When::Any(0, NAMESPACES)),
        (libc::SYS_ioctl, When::Is(1, TIOCSTI)),
        (libc::SYS_ioctl, When::Is(1, TIOCLINUX)),
        // Limits of other processes; 0 is the caller.
        (libc::SYS_prlimit64, When::Not(0, 0)),
        (libc::SYS_setpriority, When::Not(0, PRIO_PROCESS)),
    ];
    calls.extend(raised_programs());
    let watches = FILE_WATCHES.iter().map(|command| When::Is(1, *command));
    calls.extend(watches.map(|when| (libc::SYS_fcntl, when)));
    if !standing.processes {
        calls.extend([
            (libc::SYS_kill, When::Is(0, EVERYBODY)),
            (libc::SYS_setpriority, When::Not(1, 0)),
            (libc::SYS_sched_setscheduler, When::Not(0, 0)),
            (libc::SYS_sched_setparam, When::Not(0, 0)),
            (libc::SYS_sched_setattr, When::Not(0, 0)),
            (libc::SYS_migrate_pages, When::Not(0, 0)),
            (libc::SYS_move_pages, When::Not(0, 0)),
        ]);
        if !standing.placed {
            calls.push((libc::SYS_sched_setaffinity, When::Not(0, 0)));
        }
    }
    if !standing.mounts {
        let metadata = METADATA.iter().chain(OLD_METADATA);
        calls.extend(metadata.map(|call| (*call, When::Always)));
        calls.push((libc::SYS_ioctl, When::Is(1, FS_IOC_SETFLAGS)));
        calls.push((libc::SYS_ioctl, When::Is(1, FS_IOC_FSSETXATTR)));
    }
    calls
}

/// Calls that make a program in the engine's folder which would run with the rights of the user who started the runner.
fn raised_programs() -> Vec<RefusedCall> {
    let modes = [
        (libc::SYS_fchmod, 1),
        (libc::SYS_fchmodat, 2),
        (libc::SYS_mknodat, 2),
        (libc::SYS_mkdirat, 2),
    ];
    let modes = modes.iter().chain(OLD_MODES);
    let modes = modes.map(|(call, argument)| (*call, When::Any(*argument, RAISED)));
    let created = (libc::SYS_openat, When::Both((2, CREATES), (3, RAISED)));
    let opens = [created].into_iter().chain(OLD_OPENS.iter().copied());
    modes.chain(opens).collect()
}

/// Calls that are not executed but answered with success: an engine would leave the processors that were chosen for it,
/// and some engines end if the call fails.
fn answered(standing: OtherWalls) -> Vec<RefusedCall> {
    let affinity = (libc::SYS_sched_setaffinity, When::Always);
    standing.placed.then_some(affinity).into_iter().collect()
}

/// The calls that engines and the programs' run times need; for them there are no others.
const ALLOWED: [&str; 4] = [
    // Memory.
    "brk get_mempolicy madvise mbind membarrier memfd_create migrate_pages mincore mlock \
     mlock2 mlockall mmap move_pages mprotect mremap msync munlock munlockall munmap \
     set_mempolicy",
    // Its own processes and threads.
    "capget clone execve execveat exit exit_group futex futex_waitv get_robust_list \
     getcpu getegid geteuid getgid getgroups getpgid getpid getppid getpriority \
     getresgid getresuid getrusage gettid getuid personality prctl prlimit64 rseq \
     sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr \
     sched_getparam sched_getscheduler sched_setaffinity sched_setattr sched_setparam \
     sched_setscheduler sched_yield set_robust_list set_tid_address setpgid setpriority \
     setsid sysinfo uname wait4 waitid",
    // Signals to them, and time.
    "clock_getres clock_gettime clock_nanosleep getitimer gettimeofday kill nanosleep \
     restart_syscall rt_sigaction rt_sigpending rt_sigprocmask rt_sigreturn \
     rt_sigsuspend rt_sigtimedwait setitimer sigaltstack signalfd4 tgkill timer_create \
     timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create \
     timerfd_gettime timerfd_settime times tkill",
    // Files, pipes, and waiting for them.
    "chdir close close_range copy_file_range dup dup3 epoll_create1 epoll_ctl \
     epoll_pwait epoll_pwait2 eventfd2 faccessat faccessat2 fadvise64 fallocate fchdir \
     fchmod fchmodat fcntl fdatasync fstat fstatfs fsync ftruncate getcwd getdents64 \
     getrandom ioctl linkat lseek mkdirat mknodat newfstatat openat pipe2 ppoll pread64 \
     preadv preadv2 pselect6 pwrite64 pwritev pwritev2 read readahead readlinkat readv \
     recvfrom renameat2 sendfile sendto shutdown socketpair statfs statx symlinkat \
     truncate umask unlinkat utimensat write writev",
];

/// Older forms of these, which only x86-64 has, and two that others have, too.
#[cfg(target_arch = "x86_64")]
const OLDER: &str = "access alarm arch_prctl chmod creat dup2 epoll_create epoll_wait eventfd fork \
    getdents getpgrp getrlimit link lstat mkdir mknod open pause pipe poll readlink \
    rename renameat rmdir select setrlimit stat symlink sync_file_range time unlink \
    utime utimes vfork";
#[cfg(not(target_arch = "x86_64"))]
const OLDER: &str = "renameat sync_file_range";

/// The names of the calls that are allowed.
fn allowed_names() -> impl Iterator<Item = &'static str> {
    let all = ALLOWED.into_iter().chain([OLDER]);
    all.flat_map(str::split_whitespace)
}
