//! An engine's process: spawned as the leader of a new process group, and ended
//! with that group, whatever it does.

use std::io;
use std::process::{Command, ExitStatus};
use std::sync::OnceLock;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::config::Confinement;
use crate::engine::allowance::LimitExceeded;
use crate::engine::guardian::Guardian;
use crate::engine::pipes::{Errors, Input, Output};
use crate::engine::uci_log::EngineLog;
use crate::engine::watch::{EngineWatch, WatchedEngine};
use crate::host::engine_processes::EngineProcesses;
use crate::platform::cgroup::Cgroup;
use crate::platform::marks::MARK_VARIABLE;
use crate::platform::orders::Orders;
use crate::platform::process::{Frozen, Group, Leader, signal_of, spawn};
use crate::platform::walls::{first_process, kept_by};
use crate::platform::{Root, orphans};
use crate::referee::Exit;

/// How often it is looked whether an engine that is told to end still has time for it.
const GRACE_STEP: Duration = Duration::from_millis(100);

/// How long pipes are drained that somebody outside the group keeps open.
const DRAIN: Duration = Duration::from_millis(100);

/// A running engine and its pipes. Dropping it kills the group.
#[derive(Debug)]
pub(crate) struct Process {
    /// The engine's stdin.
    pub input: Input,
    /// The engine's stdout.
    pub output: Output,
    /// The engine's stderr.
    pub errors: Errors,
    /// Its first process.
    pub leader: Leader,
    group: Group,
    guardian: Guardian,
    /// Whether the leader is a keeper, and the engine a process below it.
    kept: bool,
    /// The engine's own process, once it was asked for.
    engine: OnceLock<i32>,
    /// What all that descends from this engine carries in its environment.
    mark: String,
    /// Its place on the list of engines with limits of use.
    watched: Option<WatchedEngine>,
    /// What stops and ends all of it, where it has joined one or is about to.
    pub(crate) cgroup: Option<Cgroup>,
    /// How much memory it may use, MiB.
    memory_mib: Option<u32>,
    /// Why it was ended by the watch.
    exceeded: Option<LimitExceeded>,
    /// Whether its cgroup is stopped.
    is_stopped: bool,
    /// Its processes, as long as they are stopped without one.
    frozen: Frozen,
    reaped: Option<ExitStatus>,
}

impl Process {
    /// Starts a program, held to `orders`, whose dialogue is written down where there are logs. Must be called within a
    /// runtime.
    ///
    /// # Errors
    /// It cannot be started, or the system has no descriptors left.
    pub(crate) fn spawn(
        mut command: Command,
        orders: Option<&Orders>,
        guardian: &Guardian,
        logs: Option<[EngineLog; 3]>,
    ) -> io::Result<Process> {
        let mark = guardian.mark();
        if orphans::FINDS_MARKS {
            command.env(MARK_VARIABLE, &mark);
        }
        let spawned = spawn(command, orders)?;
        guardian.watch(&spawned.group);
        let [sent, said, complained] = logs.map_or([None, None, None], |logs| logs.map(Some));
        Ok(Process {
            input: Input::new(spawned.input, sent),
            output: Output::new(spawned.output, said),
            errors: Errors::new(spawned.errors, complained),
            leader: spawned.leader,
            group: spawned.group,
            kept: orders.is_some_and(Orders::are_kept),
            engine: OnceLock::new(),
            guardian: guardian.clone(),
            mark,
            watched: None,
            exceeded: None,
            cgroup: None,
            memory_mib: None,
            is_stopped: false,
            frozen: Frozen::default(),
            reaped: None,
        })
    }

    /// From here on it is ended if it uses more than it may.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub(crate) fn hold_to(
        &mut self,
        confinement: &Confinement,
        watch: &EngineWatch,
    ) -> io::Result<()> {
        self.memory_mib = confinement.memory_mib;
        self.watched = watch.take_up(confinement, &self.group, self.kept, &self.mark)?;
        Ok(())
    }

    /// Why it was ended, if it used more than it may.
    pub(crate) fn exceeded(&self) -> Option<LimitExceeded> {
        let now = self.watched.as_ref().and_then(WatchedEngine::exceeded);
        let known = self.exceeded.or(now);
        known.or_else(|| self.killed_by_the_kernel())
    }

    /// What the kernel has ended it for.
    fn killed_by_the_kernel(&self) -> Option<LimitExceeded> {
        let cgroup = self.cgroup.as_ref().and_then(Cgroup::memory_exceeded);
        let used = cgroup.or_else(|| self.group.memory_refused())? >> 20;
        let allowed = self.memory_mib?;
        Some(LimitExceeded::Memory(used.max(u64::from(allowed)), allowed))
    }

    /// The process id of the engine, which is its group's too if nobody keeps it. Ask for it when
    /// the engine has answered: until then it may not be there.
    pub(crate) fn id(&self) -> i32 {
        self.engine().unwrap_or(self.group.number())
    }

    /// The engine's own process; `None` if its keeper has not started one yet, or it has ended.
    fn engine(&self) -> Option<i32> {
        if !self.kept {
            return Some(self.group.number());
        }
        let engine = self.engine.get().copied();
        let engine = engine.or_else(|| kept_by(&self.group))?;
        // It stays the same one.
        Some(*self.engine.get_or_init(|| engine))
    }

    /// By what its processes are known.
    pub(crate) fn engine_processes(&self) -> EngineProcesses {
        EngineProcesses {
            leader: self.id(),
            mark: format!("{}={}", MARK_VARIABLE, self.mark),
        }
    }

    /// From which process all of the engine's descend. Ask for it when the engine has answered.
    pub(crate) fn root(&self) -> Root {
        let first = self.kept.then(|| first_process(&self.group)).flatten();
        Root {
            process: first.unwrap_or(self.group.number()),
            is_engine: !self.kept,
        }
    }

    /// Stops all its processes. It reads nothing that is sent to it until it is
    /// [continued](Self::thaw); before the engine is ended, that is done automatically.
    pub(crate) fn freeze(&mut self) {
        let cgroup = self.cgroup.as_ref().filter(|cgroup| cgroup.is_used());
        let stopped = cgroup.is_some_and(|cgroup| cgroup.freeze(true));
        self.is_stopped |= stopped;
        if !stopped && self.frozen.is_none() {
            self.frozen = Frozen::stop(self.root());
        }
    }

    /// Continues its processes, if they are stopped.
    pub(crate) fn thaw(&mut self) {
        if let Some(cgroup) = self.cgroup.as_ref().filter(|_| self.is_stopped) {
            cgroup.freeze(false);
        }
        self.is_stopped = false;
        self.frozen.go_on();
    }

    /// Ends the engine: `quit`, a second later SIGTERM to its group, a second
    /// later SIGKILL; then whatever is left of the group. Gone within 2.5 s, or within 0.8 s if the run is to end at once.
    pub(crate) async fn shut_down(mut self) -> Option<ExitStatus> {
        self.thaw();
        // An engine that has ended already cannot be told to.
        let _ = self.input.send("quit\n");
        if !self.ends_in_grace().await {
            self.input.close();
            self.group.terminate();
            // An engine with a keeper may be in another group than its keeper.
            let own = Some(self.id()).filter(|own| *own != self.group.number());
            let _none = own.and_then(Group::from_number).map(|own| own.terminate());
            self.ends_in_grace().await;
        }
        self.end().await
    }

    async fn ends_in_grace(&mut self) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < self.guardian.grace() {
            if self.ends_within(GRACE_STEP).await {
                return true;
            }
        }
        false
    }

    /// Kills the group at once, and says how the leader ended. stderr's last
    /// words are read.
    pub(crate) async fn end(&mut self) -> Option<ExitStatus> {
        if self.reaped.is_none() {
            if self.kept && self.engine().is_none_or(orphans::has_ended) {
                // Its keeper is about to say how.
                self.ends_in_grace().await;
            }
            self.kill();
            self.drain(Instant::now() + DRAIN).await;
            self.reaped = self.leader.wait();
        }
        self.reaped
    }

    /// How it ended, for people: what it was ended for, or its exit status.
    pub(crate) async fn end_and_describe(&mut self) -> String {
        let status = self.end().await;
        match self.exceeded {
            Some(exceeded) => exceeded.to_string(),
            None => describe_exit(status),
        }
    }

    /// Kills the group, the leader if it has left it, and all others that have left it.
    fn kill(&mut self) {
        if let Some(cgroup) = &self.cgroup {
            cgroup.kill();
        }
        self.group.kill();
        self.leader.kill();
        orphans::end(&self.mark);
        self.guardian.forget(&self.group);
        self.exceeded = self.exceeded();
        self.watched = None;
    }

    /// How many processes live that the engine has started, its own not counted once it
    /// has ended.
    pub(crate) fn companions(&self) -> usize {
        self.group.companions(&self.mark)
    }

    /// Whether the leader has ended by itself.
    pub(crate) fn has_ended(&self) -> bool {
        self.leader.has_ended()
    }

    /// How the leader has ended by itself, if it has.
    pub(crate) fn exit(&mut self) -> Option<Exit> {
        self.leader.status().and_then(exit_of)
    }

    /// Waits, while reading what the engine writes, until its leader has ended.
    pub(crate) async fn ends_within(&mut self, limit: Duration) -> bool {
        let end = self.attend(AwaitedReply::End, Instant::now() + limit);
        end.await.is_some()
    }

    /// Waits for output, and returns whether it is still open, or for the end of the leader; `None` if neither has come by
    /// then. The other pipes are kept moving: an engine that writes more to stderr than a pipe takes would not go on.
    pub(crate) async fn attend(&mut self, awaited: AwaitedReply, until: Instant) -> Option<bool> {
        let reads = awaited == AwaitedReply::Output;
        loop {
            tokio::select! {
                biased;
                () = self.leader.ended(), if !reads => return Some(false),
                // Before the pipes: an engine that writes without end does not buy time.
                () = sleep_until(until) => return None,
                open = self.output.fill(), if reads || self.output.is_open() => {
                    if reads {
                        return Some(open);
                    }
                    while self.output.lines.next_line().is_some() {}
                }
                () = self.errors.drain(), if self.errors.is_open() => {}
                flushed = self.input.flush(), if self.input.is_waiting() => {
                    if flushed.is_err() {
                        self.input.close();
                    }
                }
            }
        }
    }

    /// Reads stderr to its end, or to the deadline.
    async fn drain(&mut self, deadline: Instant) {
        while self.errors.is_open() {
            tokio::select! {
                biased;
                () = sleep_until(deadline) => return,
                () = self.errors.drain() => {}
            }
        }
    }
}

/// What is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AwaitedReply {
    Output,
    End,
}

impl Drop for Process {
    /// A last net for paths that forgot to end the engine: no wait, no words.
    fn drop(&mut self) {
        if self.reaped.is_none() {
            self.kill();
            let _ = self.leader.wait();
        }
    }
}

/// How a process ended that was not ended from here, as evidence.
pub(crate) fn exit_of(status: ExitStatus) -> Option<Exit> {
    let code = status.code().map(Exit::Status);
    code.or_else(|| signal_of(status).map(Exit::Signal))
}

/// How a process ended, for people.
pub(crate) fn describe_exit(status: Option<ExitStatus>) -> String {
    match status.map(|status| (status, exit_of(status))) {
        None => "its exit status is unknown".to_owned(),
        Some((_, Some(exit))) => format!("it {exit}"),
        Some((status, None)) => format!("it ended ({status})"),
    }
}
