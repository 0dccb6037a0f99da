//! What a sandbox refuses of the system calls that it allows, by what an engine could do with it.

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
pub(super) type RefusedCall = (i64, When);

/// When a call is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
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

/// Calls of the [list](super::allowed) that are refused after all, given which other walls were built.
pub(super) fn all(standing: OtherWalls) -> Vec<RefusedCall> {
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
    let mut calls: Vec<RefusedCall> = modes
        .into_iter()
        .chain(OLD_MODES.iter().copied())
        .map(|(call, argument)| (call, When::Any(argument, RAISED)))
        .collect();
    let created = When::Both((2, CREATES), (3, RAISED));
    calls.push((libc::SYS_openat, created));
    calls.extend(OLD_OPENS.iter().copied());
    calls
}

/// Calls that are not executed but answered with success: an engine would leave the processors that were chosen for it,
/// and some engines end if the call fails.
pub(super) fn answered(standing: OtherWalls) -> Vec<RefusedCall> {
    let affinity = (libc::SYS_sched_setaffinity, When::Always);
    standing.placed.then_some(affinity).into_iter().collect()
}

const MEMORY: &[i64] = &[
    libc::SYS_brk,
    libc::SYS_get_mempolicy,
    libc::SYS_madvise,
    libc::SYS_mbind,
    libc::SYS_membarrier,
    libc::SYS_memfd_create,
    libc::SYS_migrate_pages,
    libc::SYS_mincore,
    libc::SYS_mlock,
    libc::SYS_mlock2,
    libc::SYS_mlockall,
    libc::SYS_mmap,
    libc::SYS_move_pages,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_msync,
    libc::SYS_munlock,
    libc::SYS_munlockall,
    libc::SYS_munmap,
    libc::SYS_set_mempolicy,
];

/// Its own processes and threads.
const PROCESSES: &[i64] = &[
    libc::SYS_capget,
    libc::SYS_clone,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_futex_waitv,
    libc::SYS_get_robust_list,
    libc::SYS_getcpu,
    libc::SYS_getegid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getgroups,
    libc::SYS_getpgid,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getpriority,
    libc::SYS_getresgid,
    libc::SYS_getresuid,
    libc::SYS_getrusage,
    libc::SYS_gettid,
    libc::SYS_getuid,
    libc::SYS_personality,
    libc::SYS_prctl,
    libc::SYS_prlimit64,
    libc::SYS_rseq,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getattr,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_yield,
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_setpgid,
    libc::SYS_setpriority,
    libc::SYS_setsid,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    libc::SYS_wait4,
    libc::SYS_waitid,
];

const SIGNALS_AND_TIME: &[i64] = &[
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_getitimer,
    libc::SYS_gettimeofday,
    libc::SYS_kill,
    libc::SYS_nanosleep,
    libc::SYS_restart_syscall,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_setitimer,
    libc::SYS_sigaltstack,
    libc::SYS_signalfd4,
    libc::SYS_tgkill,
    libc::SYS_timer_create,
    libc::SYS_timer_delete,
    libc::SYS_timer_getoverrun,
    libc::SYS_timer_gettime,
    libc::SYS_timer_settime,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_gettime,
    libc::SYS_timerfd_settime,
    libc::SYS_times,
    libc::SYS_tkill,
];

/// Files, pipes, and waiting for them.
const FILES: &[i64] = &[
    libc::SYS_chdir,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_copy_file_range,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_eventfd2,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_fadvise64,
    libc::SYS_fallocate,
    libc::SYS_fchdir,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fcntl,
    libc::SYS_fdatasync,
    libc::SYS_fstat,
    libc::SYS_fstatfs,
    libc::SYS_fsync,
    libc::SYS_ftruncate,
    libc::SYS_getcwd,
    libc::SYS_getdents64,
    libc::SYS_getrandom,
    libc::SYS_ioctl,
    libc::SYS_linkat,
    libc::SYS_lseek,
    libc::SYS_mkdirat,
    libc::SYS_mknodat,
    libc::SYS_newfstatat,
    libc::SYS_openat,
    libc::SYS_pipe2,
    libc::SYS_ppoll,
    libc::SYS_pread64,
    libc::SYS_preadv,
    libc::SYS_preadv2,
    libc::SYS_pselect6,
    libc::SYS_pwrite64,
    libc::SYS_pwritev,
    libc::SYS_pwritev2,
    libc::SYS_read,
    libc::SYS_readahead,
    libc::SYS_readlinkat,
    libc::SYS_readv,
    libc::SYS_recvfrom,
    libc::SYS_renameat2,
    libc::SYS_sendfile,
    libc::SYS_sendto,
    libc::SYS_shutdown,
    libc::SYS_socketpair,
    libc::SYS_statfs,
    libc::SYS_statx,
    libc::SYS_symlinkat,
    libc::SYS_truncate,
    libc::SYS_umask,
    libc::SYS_unlinkat,
    libc::SYS_utimensat,
    libc::SYS_write,
    libc::SYS_writev,
];

/// Older forms of these, which only x86-64 has, and two that the crate `libc` names there alone.
#[cfg(target_arch = "x86_64")]
const OLDER: &[i64] = &[
    libc::SYS_access,
    libc::SYS_alarm,
    libc::SYS_arch_prctl,
    libc::SYS_chmod,
    libc::SYS_creat,
    libc::SYS_dup2,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_eventfd,
    libc::SYS_fork,
    libc::SYS_getdents,
    libc::SYS_getpgrp,
    libc::SYS_getrlimit,
    libc::SYS_link,
    libc::SYS_lstat,
    libc::SYS_mkdir,
    libc::SYS_mknod,
    libc::SYS_open,
    libc::SYS_pause,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_readlink,
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_rmdir,
    libc::SYS_select,
    libc::SYS_setrlimit,
    libc::SYS_stat,
    libc::SYS_symlink,
    libc::SYS_sync_file_range,
    libc::SYS_time,
    libc::SYS_unlink,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_vfork,
];
/// `renameat` and `sync_file_range`, by their numbers in `asm-generic/unistd.h`.
#[cfg(not(target_arch = "x86_64"))]
const OLDER: &[i64] = &[38, 84];

pub(super) fn allowed() -> Vec<i64> {
    [MEMORY, PROCESSES, SIGNALS_AND_TIME, FILES, OLDER].concat()
}
