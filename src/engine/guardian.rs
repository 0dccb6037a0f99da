//! A runner that is killed cannot end its engines, and some engines live on
//! when their input closes. So a small second process, a guardian, knows every
//! process group of the run: when its own input closes, because the runner has
//! gone, however it went, it ends them all.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, Signal, kill_process_group};

use crate::engine::orphans;
use crate::engine::this_program;
use crate::host::epoch::unix_now;

/// The hidden command that makes this program a guardian.
pub(crate) const COMMAND: &str = "guardian";

/// The runner's end: tells the guardian which groups live.
#[derive(Debug, Clone)]
pub(crate) struct Guardian {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug)]
struct Inner {
    child: Child,
    /// `None` while the guardian has gone.
    input: Option<ChildStdin>,
    /// No engine is left to guard.
    dismissed: bool,
    groups: BTreeSet<i32>,
    /// The run's mark, which begins the mark of each engine.
    mark: String,
    /// Engines marked so far.
    engines: u64,
}

impl Guardian {
    /// Starts a guardian of engines that belong to no event.
    ///
    /// # Errors
    /// This program cannot be started a second time.
    pub(crate) fn start() -> io::Result<Guardian> {
        Guardian::of_event("0")
    }

    /// Starts the guardian of an event's engines. The event's mark, which begins the mark of
    /// each, is the same in all runs of it.
    ///
    /// # Errors
    /// This program cannot be started a second time.
    pub(crate) fn of_event(event: &str) -> io::Result<Guardian> {
        let mark = format!("{event}.{}-{}", std::process::id(), unix_now().0);
        let (child, input) = launch(&mark)?;
        let inner = Inner {
            child,
            input: Some(input),
            dismissed: false,
            groups: BTreeSet::new(),
            mark,
            engines: 0,
        };
        Ok(Guardian {
            inner: Arc::new(Mutex::new(inner)),
        })
    }

    /// A new mark for the environment of an engine and of all that it starts.
    pub(crate) fn mark(&self) -> String {
        let mut inner = self.lock();
        inner.engines += 1;
        format!("{}.{}", inner.mark, inner.engines)
    }

    /// A process group has begun.
    pub(crate) fn watch(&self, group: Pid) {
        self.tell('+', group);
    }

    /// A process group has been ended; call it before its leader is reaped, so
    /// that its number cannot belong to somebody else yet.
    pub(crate) fn forget(&self, group: Pid) {
        self.tell('-', group);
    }

    /// Ends every group at once.
    pub(crate) fn kill_all(&self) {
        let inner = self.lock();
        inner.groups.iter().for_each(|group| end_group(*group));
    }

    /// Lets the guardian go; call it when every engine has ended.
    pub(crate) fn dismiss(&self) {
        let mut inner = self.lock();
        inner.dismissed = true;
        inner.groups.iter().for_each(|group| end_group(*group));
        orphans::end(&inner.mark);
        inner.relieve();
    }

    /// Starts another guardian if somebody has ended this one.
    pub(crate) fn replace_if_gone(&self) {
        let mut inner = self.lock();
        if !matches!(inner.child.try_wait(), Ok(None)) {
            inner.replace();
        }
    }

    fn tell(&self, sign: char, group: Pid) {
        let mut inner = self.lock();
        let number = group.as_raw_nonzero().get();
        match sign {
            '+' => inner.groups.insert(number),
            _ => inner.groups.remove(&number),
        };
        let told = inner
            .input
            .as_mut()
            .is_some_and(|input| writeln!(input, "{sign}{number}").is_ok());
        if !told {
            inner.replace();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// Ends the guardian before it can do anything, also one that somebody has stopped.
    fn relieve(&mut self) {
        // It may have ended, and been waited for, before.
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.input = None;
    }

    /// Engines are not left unguarded; if there is no other way, that is logged and
    /// tried again later.
    fn replace(&mut self) {
        if self.dismissed {
            return;
        }
        self.relieve();
        match launch(&self.mark) {
            Ok((child, input)) => {
                tracing::warn!("the guardian had gone; another one has taken over");
                (self.child, self.input) = (child, Some(input));
            }
            Err(error) => return tracing::warn!(%error, "the engines have no guardian"),
        }
        let groups = self.groups.iter().map(|group| format!("+{group}\n"));
        let known: String = groups.collect();
        // If this one has gone as well, the next word to it fails.
        let _ = self
            .input
            .as_mut()
            .map(|input| input.write_all(known.as_bytes()));
    }
}

fn launch(mark: &str) -> io::Result<(Child, ChildStdin)> {
    let mut command = this_program()?;
    // A group of its own, so that Ctrl-C at the terminal does not end it first.
    command.args([COMMAND, mark]).process_group(0);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn()?;
    let input = child.stdin.take();
    let input = input.ok_or_else(|| io::Error::other("a pipe is missing"))?;
    // A guardian that does not read is replaced, never waited for.
    ioctl_fionbio(&input, true)?;
    Ok((child, input))
}

/// The guardian itself: reads `+group` and `-group` lines until its input ends,
/// then ends the groups that are left, and what has left its group, by the run's mark.
pub fn guard(input: impl BufRead, mark: &str) {
    let mut groups = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        let Some((sign, number)) = line.split_at_checked(1) else {
            continue;
        };
        let Ok(group) = number.parse::<i32>() else {
            continue;
        };
        match sign {
            "+" => groups.insert(group),
            _ => groups.remove(&group),
        };
    }
    groups.into_iter().for_each(end_group);
    orphans::end(mark);
}

fn end_group(group: i32) {
    if let Some(group) = Pid::from_raw(group) {
        // What has made itself independent is found as long as the leader lives.
        orphans::end_descendants(group);
        // It may have ended by itself.
        let _ = kill_process_group(group, Signal::KILL);
    }
}
