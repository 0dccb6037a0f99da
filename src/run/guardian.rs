//! A runner that is killed cannot end its engines, and some engines live on
//! when their input closes. So a small second process, a guardian, knows every
//! process group of the run: when its own input closes, because the runner has
//! gone, however it went, it ends them all.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

/// The hidden command that makes this program a guardian.
pub const COMMAND: &str = "guardian";

/// The runner's end: tells the guardian which groups live.
#[derive(Debug, Clone)]
pub struct Guardian {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug)]
struct Inner {
    child: Child,
    /// Taken when the run ends.
    input: Option<ChildStdin>,
    groups: BTreeSet<i32>,
}

impl Guardian {
    /// Starts the guardian.
    ///
    /// # Errors
    /// This program cannot be started a second time.
    pub fn start() -> io::Result<Guardian> {
        let mut command = Command::new(std::env::current_exe()?);
        // A group of its own, so that Ctrl-C at the terminal does not end it first.
        command.arg(COMMAND).process_group(0);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn()?;
        let input = child.stdin.take();
        let inner = Inner {
            child,
            input,
            groups: BTreeSet::new(),
        };
        Ok(Guardian {
            inner: Arc::new(Mutex::new(inner)),
        })
    }

    /// A process group has begun.
    pub fn watch(&self, group: Pid) {
        self.tell('+', group);
    }

    /// A process group has been ended; call it before its leader is reaped, so
    /// that its number cannot belong to somebody else yet.
    pub fn forget(&self, group: Pid) {
        self.tell('-', group);
    }

    /// Ends every group at once.
    pub fn kill_all(&self) {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.groups.iter().for_each(|group| end_group(*group));
    }

    /// Lets the guardian go; call it when every engine has ended.
    pub fn dismiss(&self) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.input = None;
        // It ends on its own now; there is nothing to do about a failure to wait.
        let _ = inner.child.wait();
    }

    fn tell(&self, sign: char, group: Pid) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let number = group.as_raw_nonzero().get();
        match sign {
            '+' => inner.groups.insert(number),
            _ => inner.groups.remove(&number),
        };
        // A guardian that somebody killed is missed only if the runner is killed too.
        let told = inner
            .input
            .as_mut()
            .map(|input| writeln!(input, "{sign}{number}"));
        if let Some(Err(error)) = told {
            tracing::warn!(%error, "the guardian has gone");
            inner.input = None;
        }
    }
}

/// The guardian itself: reads `+group` and `-group` lines until its input ends,
/// then ends the groups that are left.
pub fn guard(input: impl BufRead) {
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
}

fn end_group(group: i32) {
    if let Some(group) = Pid::from_raw(group) {
        // It may have ended by itself.
        let _ = kill_process_group(group, Signal::KILL);
    }
}
