//! A job object: all processes that an engine starts are in it, and end with it.

use std::io;
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::process::Child;
use std::sync::{Mutex, OnceLock};

use super::system;
use crate::platform::lock;
use crate::platform::orders::Orders;

/// The job of one engine. Windows ends all its processes when its last handle is closed, also if the runner was killed.
#[derive(Debug)]
pub(super) struct JobObject {
    job: OwnedHandle,
    memory: Option<MemoryBound>,
}

/// How much memory the processes of a job may commit together, and whether more was refused.
#[derive(Debug)]
struct MemoryBound {
    bytes: u64,
    /// Where the job reports a refusal.
    reports: OwnedHandle,
    was_refused: Mutex<bool>,
}

impl MemoryBound {
    fn of_job(job: &OwnedHandle, bytes: u64) -> io::Result<MemoryBound> {
        Ok(MemoryBound {
            bytes,
            reports: system::reports_of(job)?,
            was_refused: Mutex::new(false),
        })
    }
}

impl JobObject {
    /// A job with these limits.
    ///
    /// # Errors
    /// The system cannot enforce one of them.
    pub(super) fn new(orders: Option<&Orders>) -> io::Result<JobObject> {
        let job = system::new_job()?;
        let affinity = orders
            .map(|orders| mask(&orders.cpus))
            .transpose()?
            .flatten();
        let priority = orders.and_then(|orders| orders.nice).map(priority_class);
        let processes = orders.and_then(|orders| orders.processes);
        let bytes = orders.and_then(|orders| orders.memory);
        system::limit_job(&job, affinity, priority, processes, bytes)?;
        let memory = bytes
            .map(|bytes| MemoryBound::of_job(&job, bytes))
            .transpose()?;
        Ok(JobObject { job, memory })
    }

    /// The runner's own job, made once: what it starts is in it from its birth and ends with the runner, also if
    /// that is killed between the start of an engine and the engine's own job. A system that refuses it leaves
    /// that moment open. Timers are set to milliseconds, too.
    pub(super) fn of_the_runner() {
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
    pub(super) fn begin(&self, child: &Child) -> io::Result<()> {
        system::assign(&self.job, child.as_raw_handle())?;
        system::resume(child.id())
    }

    /// Ends all processes of the job.
    pub(super) fn end(&self) {
        system::end_job(&self.job);
    }

    /// How much memory the processes may commit, in bytes, if they were refused more.
    pub(super) fn memory_refused(&self) -> Option<u64> {
        let memory = self.memory.as_ref()?;
        let mut was_refused = lock(&memory.was_refused);
        // A refusal is reported once, and read by whoever asks first.
        *was_refused |= system::was_refused_memory(&memory.reports);
        was_refused.then_some(memory.bytes)
    }

    /// The numbers of the living processes of the job.
    pub(super) fn processes(&self) -> Vec<u32> {
        system::processes_of(&self.job)
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
