//! Signals, groups and processors of Unix systems. What Linux alone has is an error on others.

use std::io;
use std::time::Duration;

use rustix::process::{Signal, getpgid, getpid, getppid, kill_process, setpgid, setsid};
use rustix::time::{ClockId, clock_gettime};
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{self, SignalKind, signal};

/// Handlers of signals: a signal with a handler does not end the process.
pub(crate) struct Listeners {
    _signals: [unix::Signal; 2],
    _runtime: Runtime,
}

impl Listeners {
    /// To what asks a process to end.
    pub(crate) fn new() -> io::Result<Listeners> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let inside = runtime.enter();
        let signals = [
            signal(SignalKind::terminate())?,
            signal(SignalKind::hangup())?,
        ];
        drop(inside);
        Ok(Listeners {
            _signals: signals,
            _runtime: runtime,
        })
    }
}

/// The processor time of one thread.
pub(crate) struct ThreadClock {
    begun: Duration,
}

impl ThreadClock {
    /// From now on, of this thread.
    pub(crate) fn new() -> ThreadClock {
        ThreadClock {
            begun: thread_time(),
        }
    }

    /// What it has used.
    pub(crate) fn used(&self) -> Duration {
        thread_time() - self.begun
    }
}

fn thread_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("a time")
}

/// Starts a new session.
pub(crate) fn leave_session() -> io::Result<()> {
    setsid()?;
    Ok(())
}

/// Goes over to the group of its parent.
pub(crate) fn join_parents_group() -> io::Result<()> {
    Ok(setpgid(None, Some(getpgid(getppid())?))?)
}

/// The first of those that are allowed: all that are pinned share it.
#[cfg(target_os = "linux")]
pub(crate) fn run_on_one_processor() -> io::Result<()> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let allowed = sched_getaffinity(None)?;
    let first = (0..CpuSet::MAX_CPU).find(|processor| allowed.is_set(*processor));
    let mut one = CpuSet::new();
    one.set(first.expect("a processor to run on"));
    Ok(sched_setaffinity(None, &one)?)
}

/// The first of those that are allowed.
#[cfg(not(target_os = "linux"))]
pub(crate) fn run_on_one_processor() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Of this thread where the system has that, else of the process.
pub(crate) fn be_nicest() {
    #[cfg(target_os = "linux")]
    let whom = Some(rustix::thread::gettid());
    #[cfg(not(target_os = "linux"))]
    let whom = None;
    rustix::process::setpriority_process(whom, 19).expect("it may always be nicer");
}

/// Closes its standard output: nothing else holds it.
pub(crate) fn close_output() {
    let nowhere = std::fs::File::create("/dev/null").expect("a device");
    rustix::stdio::dup2_stdout(nowhere).expect("a descriptor");
}

/// Closes its standard input.
pub(crate) fn close_input() {
    let nowhere = std::fs::File::open("/dev/null").expect("a device");
    rustix::stdio::dup2_stdin(nowhere).expect("a descriptor");
}

/// Stops as Ctrl-Z does.
pub(crate) fn stop_myself() {
    let _ = kill_process(getpid(), Signal::STOP);
}

/// Dies as a bad pointer does. The first signal only removes the standard
/// library's handler, which looks for stack overflows.
pub(crate) fn segmentation_fault() -> ! {
    loop {
        let _ = kill_process(getpid(), Signal::SEGV);
    }
}
