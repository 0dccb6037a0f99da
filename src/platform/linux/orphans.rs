//! Processes that have left the group of the engine that they descend from, for example a helper that has started a new
//! session. Every engine is started with a mark in its environment, which its descendants inherit; processes with the
//! mark are found in `/proc`.
//!
//! A process that also clears its environment is not found: only a sandbox can hold such a process.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::process::Frozen;
use crate::platform::Root;
use crate::platform::marks::{MARK_VARIABLE, MarkKey};
use crate::platform::proc::{self, Stat};

/// Number of searches: a process may start others while it is being killed.
const MAX_SEARCHES: u32 = 8;

/// Maximum wait for the end of killed processes: a disk may hold one for long.
const KILL_TIMEOUT: Duration = Duration::from_millis(100);

/// Whether marks are of use here.
pub(crate) const FINDS_MARKS: bool = true;

/// Kills every process with this mark, and returns when they have ended.
pub(crate) fn end(mark: &str) {
    end_all(&|carried| carried == mark);
}

/// The same for every mark of this key.
pub(crate) fn end_of_event(key: &MarkKey) {
    end_all(&|carried| key.has_made(carried));
}

fn end_all(is_meant: &dyn Fn(&str) -> bool) {
    for _ in 0..MAX_SEARCHES {
        let killed = proc::processes().filter_map(|process| kill_marked(process, is_meant));
        let killed: Vec<OwnedFd> = killed.collect();
        if killed.is_empty() {
            return;
        }
        wait_for(&killed);
    }
    tracing::warn!("an engine starts processes faster than they can be ended");
}

/// Ends the processes with a mark of this key; returns the names and numbers of those that were alive.
pub(crate) fn end_and_name(key: &MarkKey) -> Vec<String> {
    let living = with_mark(&|carried| key.has_made(carried));
    let name = |process: i32| format!("{} ({process})", proc::name(process));
    let names: Vec<String> = living.into_iter().map(name).collect();
    if !names.is_empty() {
        end_of_event(key);
    }
    names
}

/// Number of living processes with this mark.
pub(crate) fn count(mark: &str) -> usize {
    with_mark(&|carried| carried == mark).len()
}

fn with_mark(is_meant: &dyn Fn(&str) -> bool) -> Vec<i32> {
    let carries = |process: &i32| is_carried_by(*process, is_meant);
    proc::processes().filter(carries).collect()
}

/// Kills all descendants of a process, not the process itself, and returns when they have ended. A process that loses
/// its parent meanwhile is found only if this process, or one above it, adopts it (`PR_SET_CHILD_SUBREAPER`).
pub(in crate::platform) fn end_descendants(of: Pid) {
    let (process, is_engine) = (of.as_raw_nonzero().get(), false);
    for _ in 0..MAX_SEARCHES {
        // A stopped process starts no others, so none is adopted by another before it is found.
        let stopped = Frozen::stop(Root { process, is_engine });
        if stopped.is_none() {
            return;
        }
        wait_for(&stopped.kill());
    }
}

/// Whether a process has ended, and only its number is left.
pub(crate) fn has_ended(process: i32) -> bool {
    Stat::of_process(process).is_none_or(|stat| stat.has_ended())
}

/// A process is gone when its descriptor can be read.
fn wait_for(killed: &[OwnedFd]) {
    let deadline = Instant::now() + KILL_TIMEOUT;
    for process in killed {
        let left = deadline.saturating_duration_since(Instant::now());
        if let Ok(left) = Timespec::try_from(left) {
            // The caller searches again and finds the process if it is still there.
            let _ = poll(&mut [PollFd::new(process, PollFlags::IN)], Some(&left));
        }
    }
}

/// The descriptor is opened first, so that the number cannot come to mean another process between the check and the
/// kill.
fn kill_marked(process: i32, is_meant: &dyn Fn(&str) -> bool) -> Option<OwnedFd> {
    let descriptor = pidfd_open(Pid::from_raw(process)?, PidfdFlags::empty()).ok()?;
    is_carried_by(process, is_meant).then_some(())?;
    pidfd_send_signal(&descriptor, Signal::KILL).ok()?;
    Some(descriptor)
}

/// Processes of other users cannot be read, and zombies have no environment.
fn is_carried_by(process: i32, is_meant: &dyn Fn(&str) -> bool) -> bool {
    carried(&proc::environment(process)).is_some_and(is_meant)
}

/// The mark in an environment.
fn carried(environment: &[u8]) -> Option<&str> {
    let value = |entry| {
        let text = std::str::from_utf8(entry).ok()?;
        text.strip_prefix(MARK_VARIABLE)?.strip_prefix('=')
    };
    environment.split(|byte| *byte == 0).find_map(value)
}

/// The name and number of a process that an engine has started, or that is one: it descends from this program, or carries
/// another mark. Descent comes first: while a process becomes another program it has no environment.
pub(crate) fn engine_process(process: i32) -> Option<String> {
    let own = std::process::id().cast_signed();
    let parent = |process: &i32| Some(Stat::of_process(*process)?.parent);
    let descends = std::iter::successors(parent(&process), parent).any(|parent| parent == own);
    let mark = mark_of(process);
    let is_engines = descends || (mark.is_some() && mark != mark_of(own));
    is_engines.then(|| format!("{} ({process})", proc::name(process)))
}

/// The mark of a process, if its environment can be read.
pub(super) fn mark_of(process: i32) -> Option<String> {
    carried(&proc::environment(process)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_carries_the_mark_has_gone_afterwards() {
        let key = MarkKey::new();
        let stray = |mark: &str| {
            let mut command = std::process::Command::new("sleep");
            command.arg("600").env(MARK_VARIABLE, mark);
            command.spawn().unwrap()
        };
        let (one, two) = (key.mark(), key.mark());
        let mut orphans = [stray(&one), stray(&two), stray(&two)];
        // A new process has its environment a moment later.
        while (count(&one), count(&two)) != (1, 2) {
            std::thread::yield_now();
        }
        end(&one);
        assert_eq!((count(&one), count(&two)), (0, 2));
        assert_eq!(end_and_name(&MarkKey::new()), Vec::<String>::new());
        assert_eq!(end_and_name(&key).len(), 2);
        for stray in &mut orphans {
            let gone = stray.try_wait().unwrap();
            if gone.is_none() {
                stray.kill().unwrap();
            }
            assert!(gone.is_some());
        }
    }

    #[test]
    fn the_mark_in_an_environment() {
        let environment = format!("PATH=/bin\0{MARK_VARIABLE}=7\0HOME=/");
        assert_eq!(carried(environment.as_bytes()), Some("7"));
        assert_eq!(carried(b"OTHER_ARBITER960_ENGINE=7"), None);
    }
}
