//! The processes that stay with a confined engine, and end with it.
//!
//! The *keeper* is the process that the runner started and waits for. It ends as the engine ends, with its exit status
//! or by its signal, when nothing is left of what the engine has started; and it ends all of it when the runner has
//! gone. If the system lets users make namespaces, the *first process* of the engine's namespace is a third process
//! between the two: when the first process of a namespace ends, the kernel ends all others in it. The engine cannot be
//! the first process, because signals that it sends itself, `abort` among them, would be lost (pid_namespaces(7)).

use std::fs::{self, File};
use std::io::{self, Read, Write, pipe};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, exit};
use std::time::Duration;

use nix::sys::signal::{SigSet, SigmaskHow};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, Signal, WaitOptions, getpid, getppid, pidfd_open,
    set_child_subreaper, set_dumpable_behavior, set_parent_process_death_signal, setpgid, wait,
};

use super::system::{end_by, fork};
use crate::platform::linux::{orphans, proc};
use crate::platform::orders::LaunchError;

/// Interval at which processes that have left the engine are looked for, without a namespace.
const PERIOD: Duration = Duration::from_millis(250);

/// Returns in a new process, which is to become the engine. The calling process stays and never returns, and so does
/// another in between if a namespace of processes begins.
///
/// # Errors
/// The system refuses a process; or the runner, given by its number, has gone already.
pub(super) fn stand_by(
    runner: u32,
    namespace: bool,
    prepare: impl FnOnce() -> Result<(), LaunchError>,
) -> Result<(), LaunchError> {
    let refused = |error: io::Error| LaunchError::new("cannot start a process", error);
    let runner = parent(runner).map_err(refused)?;
    // All but SIGKILL and SIGSTOP, here and in what is forked.
    let before = SigSet::all().thread_swap_mask(SigmaskHow::SIG_SETMASK);
    let before = before.map_err(|error| refused(error.into()))?;
    // An `exec` passes blocked signals on.
    let restore_signals = || {
        let restored = before.thread_set_mask();
        restored.map_err(|error| refused(error.into()))
    };
    // Without a namespace, every process that loses its parent becomes the keeper's child.
    set_child_subreaper(Some(getpid())).map_err(|error| refused(error.into()))?;
    let (report, told) = pipe().map_err(refused)?;
    if let Some(child) = fork().map_err(refused)? {
        drop(told);
        keep(child, &runner, namespace.then_some(report));
    }
    drop((report, runner));
    // If the keeper has ended before this, the group of all three processes is ended with it.
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| refused(error.into()))?;
    prepare()?;
    if !namespace {
        return restore_signals();
    }
    if let Some(engine) = fork().map_err(refused)? {
        be_the_first(engine, told);
    }
    restore_signals()?;
    // The number of the keeper's group is not known inside the namespace, and programs do not expect such a group.
    setpgid(None, None).map_err(|error| refused(error.into()))
}

/// A descriptor of the runner, which must still be alive.
fn parent(runner: u32) -> io::Result<OwnedFd> {
    let gone = || io::Error::other("the runner has gone");
    let parent = getppid().ok_or_else(gone)?;
    let descriptor = pidfd_open(parent, PidfdFlags::empty())?;
    let is_runner = u32::try_from(parent.as_raw_nonzero().get()) == Ok(runner);
    is_runner.then_some(descriptor).ok_or_else(gone)
}

/// The keeper: waits for the child or for the end of the runner, and ends as the engine did.
fn keep(child: Pid, runner: &OwnedFd, report: Option<impl Read>) -> ! {
    hide();
    let status = watch(child, runner, report.is_none());
    if report.is_none() {
        orphans::end_descendants(getpid());
        while let Ok(Some(_)) = wait(WaitOptions::empty()) {}
    }
    let engine = report.and_then(|mut report| {
        let mut bytes = [0; 4];
        report.read_exact(&mut bytes).ok()?;
        Some(i32::from_ne_bytes(bytes))
    });
    end_as(engine.unwrap_or(status))
}

/// The status with which the child ended; `others` says whether further processes may become children of this one.
fn watch(child: Pid, runner: &OwnedFd, others: bool) -> i32 {
    let Ok(ended) = pidfd_open(child, PidfdFlags::empty()) else {
        return wait_for(child);
    };
    let period = Timespec::try_from(PERIOD).ok();
    let mut alive = true;
    loop {
        let mut ends = vec![PollFd::new(&ended, PollFlags::IN)];
        ends.extend(alive.then(|| PollFd::new(runner, PollFlags::IN)));
        // No signal interrupts this: all are blocked.
        let _ = poll(&mut ends, period.as_ref().filter(|_| others));
        let runner = ends.get(1);
        if runner.is_some_and(|runner| !runner.revents().is_empty()) {
            alive = false;
            orphans::end_descendants(getpid());
        }
        while let Ok(Some((process, status))) = wait(WaitOptions::NOHANG) {
            if process == child {
                return status.as_raw();
            }
        }
    }
}

/// Waits until this child has ended, and for other children that end before it.
fn wait_for(child: Pid) -> i32 {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((ended, status))) if ended == child => return status.as_raw(),
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            // No child is left: it was waited for before.
            Err(_) => return 0,
        }
    }
}

/// The first process of the namespace: waits for all processes that have lost their parents, reports how the engine
/// ended, and by ending itself ends everything that is left.
fn be_the_first(engine: Pid, mut report: impl Write) -> ! {
    hide();
    let status = wait_for(engine);
    // An error means that there is no keeper to read it.
    let _ = report.write_all(&status.to_ne_bytes());
    exit(0)
}

/// Closes this process's ends of the engine's pipes, so that they end with the engine; and prevents others from reading
/// the memory of this process, whose rights are not restricted.
fn hide() {
    // A failure here only delays the end of a pipe.
    if let Ok(nothing) = File::options().read(true).write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(&nothing);
        let _ = rustix::stdio::dup2_stdout(&nothing);
        let _ = rustix::stdio::dup2_stderr(&nothing);
    }
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    // So that this process does not keep a folder in use that is to be removed.
    let _ = std::env::set_current_dir("/");
}

fn end_as(status: i32) -> ! {
    let status = ExitStatus::from_raw(status);
    match status.signal() {
        Some(signal) => end_by(signal),
        None => exit(status.code().unwrap_or(1)),
    }
}

/// The process of the engine that this keeper looks after; `None` before it exists.
pub(super) fn kept_by(keeper: Pid) -> Option<Pid> {
    let oldest = |of| proc::children_of(of).into_iter().next();
    let child = oldest(keeper)?;
    if is_first_of_a_namespace(child) {
        oldest(child)
    } else {
        Some(child)
    }
}

/// Whether a process is the first of a namespace, according to the last of its numbers.
pub(in crate::platform::linux) fn is_first_of_a_namespace(process: Pid) -> bool {
    let path = format!("/proc/{}/status", process.as_raw_nonzero());
    let status = fs::read_to_string(path).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("NSpid:"));
    let numbers: Vec<&str> = line.unwrap_or_default().split_whitespace().collect();
    numbers.len() > 1 && numbers.last() == Some(&"1")
}
