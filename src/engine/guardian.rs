//! A runner that is killed cannot end its engines, and some engines live on
//! when their input closes. So a small second process, a guardian, knows every
//! process group of the run: when its own input closes, because the runner has
//! gone, however it went, it ends them all.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::platform::marks::MarkKey;
use crate::platform::process::{Group, NEEDS_GUARDIAN, stand_apart, this_program};
use crate::platform::{lock, orphans, pipes};

/// How long an engine has to obey `quit`, and then SIGTERM: usually, and when the run is to end at once.
const GRACE: Duration = Duration::from_secs(1);
const SHORT_GRACE: Duration = Duration::from_millis(300);

/// The hidden command that makes this program a guardian.
pub(crate) const COMMAND: &str = "guardian";

/// The runner's end: tells the guardian which groups live.
#[derive(Debug, Clone)]
pub(crate) struct Guardian {
    inner: Arc<Mutex<Inner>>,
    /// Whose groups it watches here.
    owner: u64,
}

#[derive(Debug)]
struct Inner {
    /// The guardian and its input; `None` while it has gone, and where the system needs none.
    process: Option<(Child, ChildStdin)>,
    /// No engine is left to guard.
    dismissed: bool,
    /// Each with its owner.
    groups: BTreeMap<i32, (u64, Group)>,
    owners: u64,
    /// By what the engines' marks are known.
    key: MarkKey,
    /// How long an engine has to obey `quit`, and then SIGTERM.
    grace: Duration,
}

impl Guardian {
    /// Starts a guardian of engines that belong to no event.
    ///
    /// # Errors
    /// This program cannot be started a second time.
    pub(crate) fn start() -> io::Result<Guardian> {
        Guardian::of_event(MarkKey::new())
    }

    /// Starts the guardian of an event's engines. The event's key is the same in all runs of it.
    ///
    /// # Errors
    /// This program cannot be started a second time.
    pub(crate) fn of_event(key: MarkKey) -> io::Result<Guardian> {
        let inner = Inner {
            process: NEEDS_GUARDIAN
                .then(|| launch(&key, &BTreeMap::new()))
                .transpose()?,
            dismissed: false,
            groups: BTreeMap::new(),
            owners: 0,
            key,
            grace: GRACE,
        };
        Ok(Guardian {
            inner: Arc::new(Mutex::new(inner)),
            owner: 0,
        })
    }

    /// The same guardian, for somebody who can [end their own](Self::kill_own) groups alone.
    pub(crate) fn apart(&self) -> Guardian {
        let mut inner = lock(&self.inner);
        inner.owners += 1;
        Guardian {
            inner: Arc::clone(&self.inner),
            owner: inner.owners,
        }
    }

    /// Ends the groups that are watched here at once.
    pub(crate) fn kill_own(&self) {
        let inner = lock(&self.inner);
        let own = inner.groups.values();
        let own = own.filter(|(owner, _)| *owner == self.owner);
        own.for_each(|(_, group)| group.kill());
    }

    /// A new mark for the environment of an engine and of all that it starts.
    pub(crate) fn mark(&self) -> String {
        lock(&self.inner).key.mark()
    }

    /// A process group has begun.
    pub(crate) fn watch(&self, group: &Group) {
        let mut inner = lock(&self.inner);
        let owned = (self.owner, group.clone());
        inner.groups.insert(group.number(), owned);
        inner.tell('+', group.number());
    }

    /// A process group has been ended; call it before its leader is reaped, so
    /// that its number cannot belong to somebody else yet.
    pub(crate) fn forget(&self, group: &Group) {
        let mut inner = lock(&self.inner);
        inner.groups.remove(&group.number());
        inner.tell('-', group.number());
    }

    /// From now on engines that are told to end have little time for it.
    pub(crate) fn hurry(&self) {
        lock(&self.inner).grace = SHORT_GRACE;
    }

    /// How long an engine has to obey `quit`, and then SIGTERM.
    pub(crate) fn grace(&self) -> Duration {
        lock(&self.inner).grace
    }

    /// Ends every group at once.
    pub(crate) fn kill_all(&self) {
        let inner = lock(&self.inner);
        inner.groups.values().for_each(|(_, group)| group.kill());
    }

    /// Lets the guardian go; call it when every engine has ended.
    pub(crate) fn dismiss(&self) {
        let mut inner = lock(&self.inner);
        inner.dismissed = true;
        inner.groups.values().for_each(|(_, group)| group.kill());
        orphans::end_of_event(&inner.key);
        inner.relieve();
    }

    /// Starts another guardian if somebody has ended this one.
    pub(crate) fn replace_if_gone(&self) {
        let mut inner = lock(&self.inner);
        let process = inner.process.as_mut();
        let has_gone = |(child, _): &mut (Child, _)| !matches!(child.try_wait(), Ok(None));
        if process.is_none_or(has_gone) {
            inner.replace();
        }
    }
}

impl Inner {
    fn tell(&mut self, sign: char, group: i32) {
        let process = self.process.as_mut();
        let told = process.is_some_and(|(_, input)| writeln!(input, "{sign}{group}").is_ok());
        if !told {
            self.replace();
        }
    }

    /// Ends the guardian before it can do anything, also one that somebody has stopped.
    fn relieve(&mut self) {
        if let Some((mut child, _)) = self.process.take() {
            // It may have ended, and been waited for, before.
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Engines are not left unguarded; if there is no other way, that is logged and
    /// tried again later.
    fn replace(&mut self) {
        if self.dismissed || !NEEDS_GUARDIAN {
            return;
        }
        self.relieve();
        match launch(&self.key, &self.groups) {
            Ok(process) => {
                tracing::warn!("the guardian had gone; another one has taken over");
                self.process = Some(process);
            }
            Err(error) => tracing::warn!(%error, "the engines have no guardian"),
        }
    }
}

/// It knows these groups from its first moment: the runner may be killed in the next.
fn launch(key: &MarkKey, groups: &BTreeMap<i32, (u64, Group)>) -> io::Result<(Child, ChildStdin)> {
    let mut command = this_program()?;
    // In a separate group, so that Ctrl-C at the terminal does not end it first.
    let numbers = groups.keys().map(i32::to_string);
    stand_apart(command.arg(COMMAND).args(numbers));
    command.stdin(Stdio::piped());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let input = child.stdin.take();
    let mut input = input.ok_or_else(|| io::Error::other("a pipe is missing"))?;
    // Every process can read a command line.
    writeln!(input, "{key}")?;
    // A guardian that does not read is replaced, never waited for.
    pipes::never_waits(&input)?;
    Ok((child, input))
}

/// The guardian itself: reads the event's key, then `+group` and `-group` lines until its input ends,
/// then ends the groups that are left, and what has left its group, by its mark.
pub fn guard(input: impl BufRead, known: &[i32]) {
    let known = known.iter().copied().filter_map(Group::from_number);
    let mut groups: BTreeMap<i32, Group> = known.map(|group| (group.number(), group)).collect();
    let mut lines = input.lines().map_while(Result::ok);
    let key = lines.next().as_deref().and_then(MarkKey::parse);
    for line in lines {
        let Some((sign, number)) = line.split_at_checked(1) else {
            continue;
        };
        let Some(group) = number.parse().ok().and_then(Group::from_number) else {
            continue;
        };
        match sign {
            "+" => groups.insert(group.number(), group),
            _ => groups.remove(&group.number()),
        };
    }
    groups.values().for_each(Group::kill);
    key.iter().for_each(orphans::end_of_event);
}
