//! What a system may lack: evidence of threads and of other processes, walls. The functions return nothing for
//! what is not known. Of the modules that each system has, those that it lacks are this one.

#![allow(
    dead_code,
    reason = "Windows and portable Unix take what each of them lacks"
)]

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::thread::available_parallelism;
use std::time::Duration;

use super::enforced::Enforced;
use super::marks::MarkKey;
use super::orders::{LaunchError, Orders, Sandbox};
use super::process::Group;
use super::{ProcessorFacts, Usage};

// The machine, as far as the standard library describes it.

/// Nothing is known of the processors.
pub(crate) fn processor_facts() -> ProcessorFacts {
    ProcessorFacts::default()
}

/// It is not known how much there is.
pub(crate) fn memory() -> Option<[u64; 3]> {
    None
}

/// The numbers of the processors that this process may use.
///
/// # Errors
/// The system does not say.
pub(crate) fn processors() -> io::Result<Vec<u16>> {
    let count = u16::try_from(available_parallelism()?.get()).unwrap_or(u16::MAX);
    Ok((0..count).collect())
}

/// This system offers no two clocks whose difference shows a suspension.
pub(crate) fn clocks() -> [Duration; 3] {
    [Duration::ZERO; 3]
}

/// Kinds of file systems have other numbers on each system, or none.
pub(crate) fn file_system(_folder: &Path) -> Option<i64> {
    None
}

// Processes that have left their engine: this system cannot find them by a mark.

/// Whether marks are of use here.
pub(crate) const FINDS_MARKS: bool = false;

pub(crate) fn end(_mark: &str) {}

pub(crate) fn end_of_event(_key: &MarkKey) {}

pub(crate) fn end_and_name(_key: &MarkKey) -> Vec<String> {
    Vec::new()
}

pub(crate) fn count(_mark: &str) -> usize {
    0
}

/// No process is known.
pub(crate) fn engine_process(_process: i32) -> Option<String> {
    None
}

/// Processes that have ended, but still have a number, cannot be distinguished from living ones.
pub(crate) fn has_ended(_process: i32) -> bool {
    false
}

/// Processes that have left their group cannot be found.
#[cfg(unix)]
pub(crate) fn end_descendants(_of: rustix::process::Pid) {}

// What this system does not say of processes.

/// Whether the system reports the processor time of each process.
pub(crate) const TELLS_PROCESSOR_TIME: bool = false;

pub(crate) fn children(_process: i32) -> Vec<i32> {
    Vec::new()
}

pub(crate) fn cpu_time(_process: i32) -> Option<Duration> {
    None
}

pub(crate) fn processors_of(_thread: i32) -> Option<u32> {
    None
}

/// The owners of processes are not known.
pub(crate) fn is_strangers(_process: u32, _folder: &Path) -> bool {
    false
}

pub(crate) fn this_thread() -> i32 {
    0
}

/// A command that starts this program, by the name of its file when it was first asked for.
///
/// # Errors
/// The system does not say where it is.
pub(crate) fn this_program() -> io::Result<Command> {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    if let Some(file) = FILE.get() {
        return Ok(Command::new(file));
    }
    let file = std::env::current_exe()?;
    Ok(Command::new(FILE.get_or_init(|| file)))
}

// What processes use: not available. Limits of it are refused.

/// Whether the system reports what processes use.
///
/// # Errors
/// Always.
pub(crate) fn available() -> io::Result<()> {
    let why = "memory_mib and processes cannot be held to on this system, which does not tell what processes \
               use: leave them out";
    Err(io::Error::new(io::ErrorKind::Unsupported, why))
}

/// Nothing is counted.
#[derive(Debug, Default)]
pub(crate) struct ProcessSnapshot {}

impl ProcessSnapshot {
    pub(crate) fn take(&mut self) {}

    pub(crate) fn usage(&self, _group: &Group, _kept: bool, _mark: &str) -> (Usage, Vec<i32>) {
        (Usage::default(), Vec::new())
    }
}

pub(crate) fn memory_bytes(_processes: &[i32]) -> u64 {
    0
}

pub(crate) fn held_open(_processes: &[i32], _most: usize) -> Option<u64> {
    Some(0)
}

pub(crate) fn private(_processes: &[i32]) -> u64 {
    0
}

// No walls, and no process that stays with an engine.

/// Whether a second process stays with a confined engine.
pub(crate) const KEEPS: bool = false;

/// No process keeps an engine.
pub(crate) fn kept_by(_keeper: &Group) -> Option<i32> {
    None
}

/// Ends this process as one that was ended by this signal.
pub(crate) fn end_by(signal: i32) -> ! {
    std::process::exit(128 + signal)
}

/// There are no namespaces.
pub(crate) fn first_process(_keeper: &Group) -> Option<i32> {
    None
}

/// Refuses walls that are required, and otherwise reports that nothing is enforced.
///
/// # Errors
/// A sandbox is required.
pub(in crate::platform) fn refuse(orders: &Orders) -> Result<Enforced, LaunchError> {
    if orders.allowed.sandbox >= Sandbox::Required {
        let why = "this system has none that the program can build; sandbox = \"best-effort\" goes without";
        return Err(LaunchError::new("cannot build the walls of a sandbox", why));
    }
    Ok(Enforced::nothing())
}
