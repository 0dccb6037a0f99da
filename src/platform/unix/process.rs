//! A program that is started as the leader of a new process group.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::pipes::{Receiver, Sender};
use crate::platform::orders::Orders;
use crate::platform::system::orphans::end_descendants;
use crate::platform::system::process::Ended;
use crate::platform::{Spawned, orphans};

/// Whether limits are set by a launcher, which becomes the engine by `exec`.
pub(crate) const HAS_LAUNCHER: bool = true;

/// Whether a second process must end the engines if the runner is killed.
pub(crate) const NEEDS_GUARDIAN: bool = true;

/// An engine's process group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group(pub(in crate::platform) Pid);

/// The first process of a group.
#[derive(Debug)]
pub(crate) struct Leader {
    child: Child,
    /// The process is not reaped before [`Leader::wait`].
    ended: Ended,
}

/// Starts a program. Must be called within a runtime.
///
/// # Errors
/// It cannot be started, or the system has no descriptors left.
pub(crate) fn spawn(mut command: Command, by_launcher: Option<&Orders>) -> io::Result<Spawned> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn()?;
    let group = Group(Pid::from_child(&child));
    let attached = attach(&mut child, &group, by_launcher);
    if attached.is_err() {
        // Without its pipes the program is useless.
        group.kill();
        let _ = child.wait();
    }
    let (input, output, errors, ended) = attached?;
    Ok(Spawned {
        leader: Leader { child, ended },
        group,
        input,
        output,
        errors,
    })
}

fn attach(
    child: &mut Child,
    group: &Group,
    by_launcher: Option<&Orders>,
) -> io::Result<(Sender, Receiver, Receiver, Ended)> {
    let missing = || io::Error::other("a pipe is missing");
    let mut input = child.stdin.take().ok_or_else(missing)?;
    if let Some(orders) = by_launcher {
        input.write_all(&orders.to_bytes()?)?;
    }
    let input = Sender::from_owned_fd(input.into())?;
    let output = Receiver::from_owned_fd(child.stdout.take().ok_or_else(missing)?.into())?;
    let errors = Receiver::from_owned_fd(child.stderr.take().ok_or_else(missing)?.into())?;
    Ok((input, output, errors, Ended::of_process(group.0)?))
}

impl Leader {
    /// Waits until the process has ended.
    pub(crate) async fn ended(&self) {
        self.ended.wait().await;
    }

    /// Whether it has ended by itself.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended.is_true()
    }

    /// How it has ended by itself, if it has. Its number remains its own.
    pub(crate) fn status(&mut self) -> Option<ExitStatus> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let process = WaitId::Pid(Pid::from_child(&self.child));
        let ended = waitid(process, options).ok().flatten()?;
        let code = ended.exit_status().map(|code| code << 8);
        code.or(ended.terminating_signal())
            .map(ExitStatus::from_raw)
    }

    /// Kills the process, also if it has left its group.
    pub(crate) fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
    }

    /// Waits for the process, and returns how it ended. After this its number may mean another process.
    pub(crate) fn wait(&mut self) -> Option<ExitStatus> {
        self.child.wait().ok()
    }
}

impl Group {
    /// The group with this number.
    pub(crate) fn from_number(number: i32) -> Option<Group> {
        Pid::from_raw(number).map(Group)
    }

    /// Its number, which is its leader's.
    pub(crate) fn number(&self) -> i32 {
        self.0.as_raw_nonzero().get()
    }

    /// Kills the group, and the descendants of its leader as far as the system knows them. The group may have ended by
    /// itself.
    pub(crate) fn kill(&self) {
        // Processes that have made themselves independent can be found while the leader lives.
        end_descendants(self.0);
        // The leader, a zombie or alive, still holds the group's number.
        let _ = kill_process_group(self.0, Signal::KILL);
    }

    /// Asks all processes of the group to end.
    pub(crate) fn terminate(&self) {
        // It may have ended by itself.
        let _ = kill_process_group(self.0, Signal::TERM);
    }

    /// A group has no limit of memory: cgroups have.
    pub(crate) fn memory_refused(&self) -> Option<u64> {
        None
    }

    /// Number of living processes that its leader has started; the leader does not count once it has ended. As far as
    /// the system reports it, by the mark in their environment.
    pub(crate) fn companions(&self, mark: &str) -> usize {
        orphans::count(mark)
    }
}

/// Puts the program into a new group, so that Ctrl-C at the terminal does not end it first.
pub(crate) fn stand_apart(command: &mut Command) {
    command.process_group(0);
}

/// The standard input without a buffer: what a launcher does not read is for the engine.
///
/// # Errors
/// The system has no descriptors left.
pub(crate) fn unbuffered_input() -> io::Result<File> {
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// Becomes this program; returns only on an error.
pub(crate) fn become_program(program: &OsString, arguments: &[OsString]) -> io::Error {
    Command::new(program).args(arguments).exec()
}

/// The signal by which a process was ended.
pub(crate) fn signal_of(status: ExitStatus) -> Option<i32> {
    status.signal()
}
