//! A program that is started in a new job.

use std::ffi::OsString;
use std::io;
use std::os::windows::io::{AsHandle, AsRawHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, OnceLock};

use tokio::sync::watch;
use windows_sys::Win32::System::Threading::{CREATE_NO_WINDOW, CREATE_SUSPENDED};

use super::pipes::{self, Receiver, Sender};
use super::{system, walls};
use crate::platform::orders::Orders;
use crate::platform::{Root, Spawned, lock};

pub(crate) use crate::platform::absent::this_program;

/// The runner sets the limits, by the job.
pub(crate) const HAS_LAUNCHER: bool = false;

/// Windows ends the jobs of a runner that was killed.
pub(crate) const NEEDS_GUARDIAN: bool = false;

/// An engine's job.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    number: i32,
    job: Arc<JobObject>,
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
    if let Some(orders) = orders {
        walls::restrict(orders).map_err(io::Error::other)?;
    }
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
        system::end_job(&self.job.job);
    }

    /// Does nothing: a program without a window is only asked to end by the end of its input.
    pub(crate) fn terminate(&self) {}

    /// The memory beyond which the job has refused more, in bytes, if it has.
    pub(crate) fn memory_refused(&self) -> Option<u64> {
        let (bytes, reports) = self.job.memory.as_ref()?;
        let mut was_refused = lock(&self.job.was_refused);
        // A refusal is reported once, and read by whoever asks first.
        *was_refused |= system::was_refused_memory(reports);
        was_refused.then_some(*bytes)
    }

    /// The numbers of its living processes.
    pub(super) fn processes(&self) -> Vec<u32> {
        system::processes_of(&self.job.job)
    }

    /// Number of its living processes.
    pub(crate) fn companions(&self, _mark: &str) -> usize {
        self.processes().len()
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

// Stopping engines while they are not to move: Windows has no call for it.

/// Nothing is ever stopped.
#[derive(Debug, Default)]
pub(crate) struct Frozen {}

impl Frozen {
    pub(crate) fn stop(_root: Root) -> Frozen {
        Frozen {}
    }

    /// Whether nothing is stopped.
    pub(crate) fn is_none(&self) -> bool {
        true
    }

    pub(crate) fn go_on(&mut self) {}
}

// A job object: all processes that an engine starts are in it, and end with it.

/// The job of one engine. Windows ends all its processes when its last handle is closed, also if the runner was killed.
#[derive(Debug)]
struct JobObject {
    job: OwnedHandle,
    /// The memory that it may use, bytes, and what the system reports of it.
    memory: Option<(u64, OwnedHandle)>,
    /// Whether more was refused.
    was_refused: Mutex<bool>,
}

impl JobObject {
    /// A job with these limits.
    ///
    /// # Errors
    /// The system cannot enforce one of them.
    fn new(orders: Option<&Orders>) -> io::Result<JobObject> {
        let job = system::new_job()?;
        let allowed = orders.map(|orders| orders.allowed.clone());
        let allowed = allowed.unwrap_or_default();
        let (affinity, priority) = (mask(&allowed.cpus)?, allowed.nice.map(priority_class));
        let bytes = allowed.memory_mib.map(|mib| u64::from(mib) << 20);
        system::limit_job(&job, affinity, priority, allowed.processes, bytes)?;
        let reported = |bytes| -> io::Result<_> { Ok((bytes, system::reports_of(&job)?)) };
        Ok(JobObject {
            memory: bytes.map(reported).transpose()?,
            was_refused: Mutex::new(false),
            job,
        })
    }

    /// The runner's own job, made once: what it starts is in it from its birth and ends with the runner, also if
    /// that is killed between the start of an engine and the engine's own job. A system that refuses it leaves
    /// that moment open. Timers are set to milliseconds, too.
    fn of_the_runner() {
        static RUNNERS_JOB: OnceLock<Option<JobObject>> = OnceLock::new();
        RUNNERS_JOB.get_or_init(|| {
            let job = JobObject::new(None).ok()?;
            system::assign(&job.job, system::this_process()).ok()?;
            system::wake_by_milliseconds();
            Some(job)
        });
    }

    /// Adds a process that was started suspended, and lets it run.
    ///
    /// # Errors
    /// The system refuses.
    fn begin(&self, child: &Child) -> io::Result<()> {
        system::assign(&self.job, child.as_raw_handle())?;
        system::resume(child.id())
    }
}

/// The processors as a mask; `None` if none are named.
fn mask(processors: &[u16]) -> io::Result<Option<usize>> {
    let refused = || {
        let why = format!(
            "cannot use the processors {processors:?}: Windows takes the first {} of a group alone",
            usize::BITS
        );
        io::Error::new(io::ErrorKind::Unsupported, why)
    };
    let mut mask = 0;
    for processor in processors {
        mask |= 1_usize
            .checked_shl(u32::from(*processor))
            .ok_or_else(refused)?;
    }
    Ok(Some(mask).filter(|mask| *mask != 0))
}

/// The class of priority for a niceness.
fn priority_class(nice: i8) -> u32 {
    use windows_sys::Win32::System::Threading::{
        ABOVE_NORMAL_PRIORITY_CLASS, BELOW_NORMAL_PRIORITY_CLASS, IDLE_PRIORITY_CLASS,
        NORMAL_PRIORITY_CLASS,
    };
    match nice {
        ..0 => ABOVE_NORMAL_PRIORITY_CLASS,
        0 => NORMAL_PRIORITY_CLASS,
        1..15 => BELOW_NORMAL_PRIORITY_CLASS,
        _ => IDLE_PRIORITY_CLASS,
    }
}
