//! From a line of the event file to an engine that is ready to play.
//!
//! | file | what it has |
//! |---|---|
//! | `mod` | how its process is started; what it says until it is ready, and how long it may take |
//! | `error` | why it is not |

mod error;

use std::io;
use std::process::Command;
use std::time::Duration;

use error::{evidence, given_back};
use tokio::time::Instant;

use crate::adapter::XBOARD;
use crate::config::{Confinement, EngineSpec, Launch};
use crate::engine::originals::Marks;
use crate::engine::process::{AwaitedReply, Process};
use crate::engine::surroundings::{Surroundings, dress};
use crate::engine::{allowance, launcher};
use crate::event::identity::Protocol;
use crate::host::standstill;
use crate::host::starvation::Starvation;
use crate::platform::cgroup::Cgroup;
use crate::platform::orders::Orders;
use crate::platform::process::{HAS_LAUNCHER, this_program};
use crate::referee::Timeouts;
use crate::uci::{Handshake, HandshakeStep, Phase, Ready, Wishes};

pub(crate) use error::EngineStartError;

/// The hidden command that makes this program the sparring engine.
pub(crate) const SPARRING: &str = "sparring";

/// An engine that has said `readyok`.
#[derive(Debug)]
pub(crate) struct Engine {
    pub process: Process,
    /// What it said of itself, and what was set.
    pub ready: Ready,
    /// Its files when it was started, as far as somebody asked.
    pub files: Marks,
}

impl Engine {
    /// Starts an engine and brings it to its first `readyok`. On an error
    /// nothing is left running. Must be called within a runtime.
    ///
    /// # Errors
    /// See [`EngineStartError`].
    pub(crate) async fn start(
        spec: &EngineSpec,
        around: &Surroundings,
    ) -> Result<Engine, EngineStartError> {
        let rules = around.rules.clone();
        let confinement = allowance::confinement(spec, around.lanes);
        let guarded = around.guarded.iter();
        let guarded = guarded.filter(|file| file.owner.as_ref() != Some(&spec.name));
        let orders = launcher::orders(&confinement, &around.cpus);
        let orders = orders.map(|orders| orders.guarding(guarded.map(|file| file.path.as_path())));
        let spawned = spawn(spec, &confinement, orders.as_ref(), around);
        let mut process = spawned.map_err(|error| {
            let command = shown_command(&spec.launch);
            EngineStartError::Host(format!("cannot run {command}: {error}"))
        })?;
        let wishes = Wishes {
            options: spec.options.clone(),
            chess960: rules.chess960,
            chess960_undeclared: spec.plays_chess960_undeclared,
            ponder: spec.ponder,
            variants_file: rules.variants_file,
            variant: rules.variant,
            leaves_out_refused: spec.leaves_out_refused_options,
        };
        let mut last_line = String::new();
        match shake_hands(&mut process, wishes, &around.timeouts, &mut last_line).await {
            Ok(ready) => Ok(Engine {
                process,
                ready,
                files: Marks::default(),
            }),
            Err(error) => {
                let ended = process.end_and_describe().await;
                let stderr = process.errors.tail();
                let launch_failure = orders.and_then(|orders| orders.failure(&stderr));
                Err(match launch_failure {
                    Some(words) => EngineStartError::Host(format!("it was not launched: {words}")),
                    None => error.with_evidence(&ended, &evidence(spec, &last_line, &stderr)),
                })
            }
        }
    }
}

/// Starts the program: directly if it asks for nothing, else by the launcher.
fn spawn(
    spec: &EngineSpec,
    confinement: &Confinement,
    orders: Option<&Orders>,
    around: &Surroundings,
) -> io::Result<Process> {
    let (memory, tasks) = (confinement.memory_mib, confinement.processes);
    let cgroups = around.cgroups.as_ref().filter(|_| orders.is_some());
    let cgroup = cgroups.and_then(|cgroups| cgroups.engine(memory, tasks).ok());
    let (mut command, mut orders) = (command(spec)?, orders.cloned());
    if let Some(orders) = orders.as_mut().filter(|_| HAS_LAUNCHER) {
        orders.cgroup = cgroup.as_ref().map(Cgroup::entrance);
        command = launched(spec, &command, orders)?;
    }
    dress(&mut command, spec);
    let log = around.uci_log.as_ref();
    let logs = log.map(|log| log.engine_logs(&around.place, &spec.name));
    let mut process = Process::spawn(command, orders.as_ref(), &around.guardian, logs)?;
    process.hold_to(confinement, &around.watch)?;
    process.cgroup = cgroup;
    Ok(process)
}

/// The launcher, which becomes the engine in its folder. The program itself may be read and run.
fn launched(spec: &EngineSpec, engine: &Command, orders: &mut Orders) -> io::Result<Command> {
    if orders.allowed.is_shut_in() {
        let readable = &mut orders.allowed.readable;
        readable.push(engine.get_program().into());
        if let Launch::Program { path, .. } = &spec.launch {
            readable.push(path.clone());
        }
    }
    let mut command = this_program()?;
    command.args([launcher::COMMAND, "--"]);
    command.arg(engine.get_program()).args(engine.get_args());
    if let Some(directory) = engine.get_current_dir() {
        command.current_dir(directory);
    }
    Ok(command)
}

/// The command of an engine. Never a shell's line: every argument is its own.
fn command(spec: &EngineSpec) -> io::Result<Command> {
    let Launch::Program {
        path,
        args,
        directory,
        protocol,
        ..
    } = &spec.launch
    else {
        let mut command = this_program()?;
        command.arg(SPARRING);
        return Ok(command);
    };
    let mut command = Command::new(path);
    if *protocol == Protocol::Xboard {
        command = this_program()?;
        command.args([XBOARD, "--"]).arg(path);
    }
    command.args(args).current_dir(directory);
    Ok(command)
}

fn shown_command(launch: &Launch) -> String {
    match launch {
        Launch::Program { path, .. } => path.display().to_string(),
        Launch::Sparring => "the built-in sparring engine".to_owned(),
    }
}

// What an engine says until it is ready, and how long it may take.

async fn shake_hands(
    process: &mut Process,
    wishes: Wishes,
    timeouts: &Timeouts,
    last_line: &mut String,
) -> Result<Ready, EngineStartError> {
    let (mut handshake, mut commands) = (Handshake::new(wishes), String::new());
    handshake.start(&mut commands);
    let mut patience = ReplyDeadline::new(timeouts.start);
    loop {
        // A write error shows as end of file a moment later, with evidence.
        let _ = process.input.send(&std::mem::take(&mut commands));
        let awaited = match handshake.phase() {
            Phase::Identifying => "uciok",
            Phase::Preparing | Phase::Ready => "readyok",
        };
        let open = patience.read(process).await;
        let open = open.ok_or_else(|| EngineStartError::Silent {
            awaited,
            limit: patience.limit,
            evidence: given_back(patience.given),
        })?;
        if !open {
            let evidence = String::new();
            return Err(EngineStartError::Ended { awaited, evidence });
        }
        while let Some(line) = process.output.lines.next_line() {
            if !line.text.trim().is_empty() {
                last_line.clear();
                last_line.extend(line.text.trim().chars().take(LINE_SHOWN));
            }
            let step = handshake.line(line.text, &mut commands);
            match step.map_err(EngineStartError::Unfit)? {
                HandshakeStep::Waiting => {}
                HandshakeStep::Configured => patience = ReplyDeadline::new(timeouts.ready),
                HandshakeStep::Ready(ready) => return Ok(*ready),
            }
        }
    }
}

/// The most characters of an engine's line that are shown.
const LINE_SHOWN: usize = 120;

/// How long an engine that has no clock may take to answer: its time, and what the host takes of it.
#[derive(Debug)]
pub(crate) struct ReplyDeadline {
    limit: Duration,
    deadline: Instant,
    /// When it was looked at last.
    looked: Instant,
    /// What it was given beyond its time.
    given: Duration,
    /// Whether the runner itself was stopped meanwhile.
    stood_still: bool,
}

impl ReplyDeadline {
    /// More than this number of times what an engine has to answer it is not given for what the host takes.
    pub(crate) const MAX_EXTENSION: u32 = 10;

    /// How often an engine is looked at during its time: a wait that has begun after one look and not ended before the
    /// next is seen by nobody.
    pub(crate) const OBSERVATIONS: u32 = 8;

    /// It has this time, from now on.
    pub(crate) fn new(limit: Duration) -> ReplyDeadline {
        let looked = Instant::now();
        ReplyDeadline {
            limit,
            deadline: looked + limit,
            looked,
            given: Duration::ZERO,
            stood_still: false,
        }
    }

    /// Reads stdout once; `Some(false)` at its end, `None` when the time is over.
    pub(crate) async fn read(&mut self, process: &mut Process) -> Option<bool> {
        self.wait(process, AwaitedReply::Output).await
    }

    /// Whether the process ends in its time. What it still says is read and dropped.
    pub(crate) async fn sees_the_end_of(&mut self, process: &mut Process) -> bool {
        self.wait(process, AwaitedReply::End).await.is_some()
    }

    /// An engine that is kept from running in the second half of its time gets that back, and again.
    async fn wait(&mut self, process: &mut Process, awaited: AwaitedReply) -> Option<bool> {
        let half = self.deadline - self.limit / 2;
        if half > self.looked {
            let read = self.wait_until(half, process, awaited).await;
            if read.is_some() {
                return read;
            }
        }
        // The engine itself may not be there yet.
        let mut starvation = Starvation::begin(process.root().process);
        let between = self.limit / ReplyDeadline::OBSERVATIONS;
        loop {
            let next = self.deadline.min(self.looked + between);
            let read = self.wait_until(next, process, awaited).await;
            if read.is_some() {
                return read;
            }
            let waited = starvation.as_mut().map(|look| look.since(between));
            self.give_back(waited.unwrap_or_default());
            if self.looked >= self.deadline {
                return None;
            }
        }
    }

    fn give_back(&mut self, waited: Duration) {
        let more =
            waited.min((self.limit * ReplyDeadline::MAX_EXTENSION).saturating_sub(self.given));
        if !more.is_zero() && self.given.is_zero() {
            tracing::info!("an engine was kept from running and is given more time");
        }
        self.given += more;
        self.deadline += more;
    }

    /// Waits once, up to this moment. If the runner itself was stopped until after it, that time is not counted, and the
    /// engine gets once what it had left until then: it may have been stopped, too.
    async fn wait_until(
        &mut self,
        moment: Instant,
        process: &mut Process,
        awaited: AwaitedReply,
    ) -> Option<bool> {
        let mut read = process.attend(awaited, moment).await;
        let now = Instant::now();
        let late = standstill::overslept(moment, self.looked, now);
        if let Some(late) = late.filter(|_| read.is_none()) {
            self.deadline += late;
            if !std::mem::replace(&mut self.stood_still, true) {
                self.deadline += moment.saturating_duration_since(self.looked);
            }
            // What it has written meanwhile.
            let until = now + standstill::MIN_LATENESS;
            read = process.attend(awaited, until).await;
        }
        self.looked = Instant::now();
        read
    }
}
