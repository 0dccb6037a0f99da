//! Processes: what Linux offers in addition to POSIX, among it a descriptor of a process, by which its end is waited for.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use crate::platform::Root;
use crate::platform::linux::proc::children_of;
use crate::platform::proc::Stat;

pub(crate) use super::walls::keep_descriptors;
pub(crate) use crate::platform::unix::process::*;

/// The file of the running program, also if its name was changed meanwhile.
const RUNNING: &str = "/proc/self/exe";

/// A command that starts this program. It starts the same program for the whole run, also if the file it was started
/// from is replaced or deleted.
///
/// # Errors
/// The system does not say where it is.
pub(crate) fn this_program() -> io::Result<Command> {
    if !Path::new(RUNNING).exists() {
        return Ok(Command::new(std::env::current_exe()?));
    }
    let mut command = Command::new(RUNNING);
    command.arg0(env!("CARGO_PKG_NAME"));
    Ok(command)
}

/// Readable when the process has ended.
#[derive(Debug)]
pub(crate) struct Ended(AsyncFd<OwnedFd>);

impl Ended {
    /// For a child process that was not waited for yet. Must be called within a runtime.
    pub(crate) fn of_process(process: Pid) -> io::Result<Ended> {
        let ended = pidfd_open(process, PidfdFlags::NONBLOCK)?;
        // Its replacement is `unsafe`, for types whose descriptor may change under
        // tokio's hands. An `OwnedFd` keeps its own until it is dropped.
        #[allow(deprecated)]
        let ended = AsyncFd::with_interest(ended, Interest::READABLE)?;
        Ok(Ended(ended))
    }

    /// Waits until the process has ended.
    pub(crate) async fn wait(&self) {
        // An error means that the runtime has ended.
        let _ = self.0.readable().await;
    }

    /// Whether it has ended.
    pub(crate) fn is_true(&self) -> bool {
        let mut leader = [PollFd::new(self.0.get_ref(), PollFlags::IN)];
        poll(&mut leader, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
    }
}

// Processes of an engine that are stopped while it is not to move (`idle_cpu = "freeze"`).
//
// **Invariant: a process that was stopped here is continued here**, before its engine is sent anything, and however
// the game ends. A process that is killed meanwhile need not be continued: SIGKILL also ends stopped processes.

/// Number of searches for descendants: a process may start others while it is being stopped.
const MAX_SEARCHES: u32 = 4;

/// The processes that are stopped.
#[derive(Debug, Default)]
pub(crate) struct Frozen(Vec<(Pid, OwnedFd)>);

impl Frozen {
    /// Stops all descendants of this process, and the process itself if it is the engine.
    pub(crate) fn stop(root: Root) -> Frozen {
        let mut frozen = Frozen::default();
        let Some(process) = Pid::from_raw(root.process) else {
            return frozen;
        };
        if root.is_engine {
            frozen.add(process, None);
        }
        for _ in 0..MAX_SEARCHES {
            if !frozen.add_descendants(process) {
                break;
            }
        }
        frozen
    }

    /// Whether nothing is stopped.
    pub(crate) fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Continues them, the youngest first: a parent may wait for its child.
    pub(crate) fn go_on(&mut self) {
        for (_, process) in self.0.drain(..).rev() {
            // The process may have been killed.
            let _ = pidfd_send_signal(&process, Signal::CONT);
        }
    }

    /// Kills them, the youngest first; returns the descriptors that show when they have ended.
    pub(super) fn kill(mut self) -> Vec<OwnedFd> {
        let stopped = std::mem::take(&mut self.0);
        let stopped: Vec<OwnedFd> = stopped.into_iter().rev().map(|(_, it)| it).collect();
        stopped.iter().for_each(|process| {
            // It may have ended by itself.
            let _ = pidfd_send_signal(process, Signal::KILL);
        });
        stopped
    }

    /// Stops the descendants that still run; returns whether there were any.
    fn add_descendants(&mut self, of: Pid) -> bool {
        let mut found = false;
        for child in children_of(of) {
            found |= self.add(child, Some(of));
            found |= self.add_descendants(child);
        }
        found
    }

    /// Stops one process. Whether it is a child of `parent` is checked when its descriptor is open, since its number
    /// may mean another process by now.
    fn add(&mut self, process: Pid, parent: Option<Pid>) -> bool {
        if self.0.iter().any(|(known, _)| *known == process) {
            return false;
        }
        let Ok(descriptor) = pidfd_open(process, PidfdFlags::empty()) else {
            return false;
        };
        let is_child = parent.is_none_or(|parent| children_of(parent).contains(&process));
        let stat = Stat::of_process(process.as_raw_nonzero().get());
        if !is_child
            || stat.is_none_or(|stat| stat.has_ended())
            || pidfd_send_signal(&descriptor, Signal::STOP).is_err()
        {
            return false;
        }
        self.0.push((process, descriptor));
        true
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command};

    use super::*;

    fn state(process: i32) -> Option<char> {
        Some(crate::platform::proc::Stat::of_process(process)?.state)
    }

    /// Waits until the process is stopped, or is not: the kernel stops it a moment after the signal.
    fn becomes(process: i32, stopped: bool) -> bool {
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(10);
        while (state(process) == Some('T')) != stopped {
            if std::time::Instant::now() > deadline {
                return false;
            }
            std::thread::yield_now();
        }
        true
    }

    /// The first child of this process, once it is running `sleep`. Before that, a shell that made it by vfork(2) waits
    /// in the kernel, where no signal stops it.
    fn child_of(parent: &Child) -> i32 {
        let first = || {
            let child = children_of(Pid::from_child(parent)).into_iter().next()?;
            let name =
                std::fs::read_to_string(format!("/proc/{}/comm", child.as_raw_nonzero())).ok()?;
            (name == "sleep\n").then_some(child.as_raw_nonzero().get())
        };
        let mut children = std::iter::repeat_with(first).inspect(|_| std::thread::yield_now());
        children.find_map(|child| child).expect("a child")
    }

    #[test]
    fn an_engine_is_stopped_with_its_children_and_continued() {
        for is_engine in [true, false] {
            let mut shell = Command::new("sh");
            let mut shell = shell.args(["-c", "sleep 600; exit 0"]).spawn().unwrap();
            let child = child_of(&shell);
            let parent = i32::try_from(shell.id()).unwrap();
            let process = parent;
            let mut frozen = Frozen::stop(Root { process, is_engine });
            let stopped = becomes(child, true) && becomes(parent, is_engine);
            frozen.go_on();
            let continued = becomes(child, false) && becomes(parent, false);
            drop(Frozen::stop(Root { process, is_engine }));
            let dropped = becomes(child, false);
            crate::platform::orphans::end_descendants(Pid::from_child(&shell));
            shell.kill().unwrap();
            shell.wait().unwrap();
            assert!(stopped && continued && dropped && frozen.is_none());
        }
    }
}
