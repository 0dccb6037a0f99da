//! A program that is started in a new job.

use std::ffi::OsString;
use std::io;
use std::os::windows::io::{AsHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;

use tokio::sync::watch;
use windows_sys::Win32::System::Threading::{CREATE_NO_WINDOW, CREATE_SUSPENDED};

use super::job::JobObject;
use super::pipes::{self, Receiver, Sender};
use super::{system, walls};
use crate::platform::Spawned;
pub(crate) use crate::platform::absent::process::this_program;
use crate::platform::orders::Orders;

/// The runner sets the limits, by the job.
pub(crate) const HAS_LAUNCHER: bool = false;

/// Windows ends the jobs of a runner that was killed.
pub(crate) const NEEDS_GUARDIAN: bool = false;

/// An engine's job.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    number: i32,
    pub(super) job: Arc<JobObject>,
}

/// The first process of a job.
#[derive(Debug)]
pub(crate) struct Leader {
    child: Child,
    process: Arc<OwnedHandle>,
    ended: watch::Receiver<bool>,
}

/// Starts a program. Must be called within a runtime.
///
/// # Errors
/// It cannot be started, or its orders cannot be enforced.
pub(crate) fn spawn(mut command: Command, orders: Option<&Orders>) -> io::Result<Spawned> {
    orders.map_or(Ok(()), walls::check)?;
    JobObject::of_the_runner();
    let job = JobObject::new(orders)?;
    let (input, stdin) = pipes::to_program()?;
    let (output, stdout) = pipes::from_program()?;
    let (errors, stderr) = pipes::from_program()?;
    command
        .stdin(Stdio::from(stdin))
        .stdout(Stdio::from(stdout))
        .stderr(Stdio::from(stderr))
        // The program does not run before it is in the job.
        .creation_flags(CREATE_NO_WINDOW | CREATE_SUSPENDED);
    let mut child = command.spawn()?;
    // From here on only the program holds the other ends.
    drop(command);
    let leader = job.begin(&child).and_then(|()| watched(&child));
    if leader.is_err() {
        let _ended = child.kill();
        let _reaped = child.wait();
    }
    let (process, ended) = leader?;
    Ok(Spawned {
        group: Group {
            number: i32::try_from(child.id()).unwrap_or_default(),
            job: Arc::new(job),
        },
        leader: Leader {
            child,
            process,
            ended,
        },
        input,
        output,
        errors,
    })
}

/// A thread waits for the end of the process, because the runtime cannot.
fn watched(child: &Child) -> io::Result<(Arc<OwnedHandle>, watch::Receiver<bool>)> {
    let process = Arc::new(child.as_handle().try_clone_to_owned()?);
    let (tell, ended) = watch::channel(false);
    let waited = Arc::clone(&process);
    let wait = move || {
        // The receiver may have gone.
        let _heard = tell.send(system::has_ended(&waited, true));
    };
    let thread = std::thread::Builder::new().name("engine-end".to_owned());
    thread.spawn(wait)?;
    Ok((process, ended))
}

impl Leader {
    /// Waits until the process has ended.
    pub(crate) async fn ended(&self) {
        // An error means that the thread has ended, which it does together with the process.
        let mut ended = self.ended.clone();
        let _ended = ended.wait_for(|ended| *ended).await;
    }

    /// Whether it has ended by itself.
    pub(crate) fn has_ended(&self) -> bool {
        system::has_ended(&self.process, false)
    }

    /// How it has ended by itself, if it has.
    pub(crate) fn status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    pub(crate) fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
    }

    /// Waits for it, and says how it ended.
    pub(crate) fn wait(&mut self) -> Option<ExitStatus> {
        self.child.wait().ok()
    }
}

impl Group {
    /// Jobs are not found by a number.
    pub(crate) fn from_number(_number: i32) -> Option<Group> {
        None
    }

    /// The number of its leader.
    pub(crate) fn number(&self) -> i32 {
        self.number
    }

    /// Ends all processes of the job.
    pub(crate) fn kill(&self) {
        self.job.end();
    }

    /// Does nothing: a program without a window is only asked to end by the end of its input.
    pub(crate) fn terminate(&self) {}

    /// The memory beyond which the job has refused more, in bytes, if it has.
    pub(crate) fn memory_refused(&self) -> Option<u64> {
        self.job.memory_refused()
    }

    /// Number of its living processes.
    pub(crate) fn companions(&self, _mark: &str) -> usize {
        self.job.processes().len()
    }
}

/// Does nothing: only a guardian needs this, and Windows has no guardian.
pub(crate) fn stand_apart(_command: &mut Command) {}

/// The standard input: no launcher leaves anything of it to an engine.
///
/// # Errors
/// None.
pub(crate) fn unbuffered_input() -> io::Result<io::Stdin> {
    Ok(io::stdin())
}

/// A process cannot become another program.
pub(crate) fn become_program(_program: &OsString, _arguments: &[OsString]) -> io::Error {
    io::ErrorKind::Unsupported.into()
}

/// No process is ended by a signal.
pub(crate) fn signal_of(_status: ExitStatus) -> Option<i32> {
    None
}

/// Does nothing: the standard library passes only the three standard streams on.
pub(crate) fn keep_descriptors() {}
