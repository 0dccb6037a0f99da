//! From a line of the event file to an engine that is ready to play.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::config::{Confinement, EngineSpec, Launch, Sandbox};
use crate::engine::allowance;
use crate::engine::cgroup::Cgroup;
use crate::engine::environment;
use crate::engine::launcher::{self, Orders};
use crate::engine::originals::Marks;
use crate::engine::process::Process;
use crate::engine::surroundings::Surroundings;
use crate::engine::this_program;
use crate::host::standstill;
use crate::host::starvation::Starvation;
use crate::referee::Timeouts;
use crate::uci::{Handshake, HandshakeError, HandshakeStep, Phase, Ready, Wishes};

/// The hidden command that makes this program the sparring engine.
pub(crate) const SPARRING: &str = "sparring";

/// An engine that has said `readyok`.
#[derive(Debug)]
pub(crate) struct Engine {
    /// Its process.
    pub process: Process,
    /// What it said of itself, and what was set.
    pub ready: Ready,
    /// Its files when it was started, as far as somebody asked.
    pub files: Marks,
}

/// What every engine of an event is told of the variant, before it is asked whether it is ready.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Rules {
    /// The value of `UCI_Chess960`.
    pub chess960: bool,
    /// The absolute path of a file that explains the variant.
    pub variants_file: Option<String>,
}

/// Why an engine is not ready.
#[derive(Debug, thiserror::Error)]
pub enum EngineStartError {
    /// The program cannot be run.
    #[error("cannot run {command}: {source}")]
    Spawn {
        /// The program.
        command: String,
        /// What the system says.
        source: io::Error,
    },
    /// Somebody has put another file in the place of its program, or of one of its files.
    #[error(
        "{} is not what it was when the run began, and an event is played by the same engines from \
         its beginning to its end: put the old file back, or accept the new one with \
         --accept-changes",
        path.display()
    )]
    Replaced {
        /// The file.
        path: PathBuf,
    },
    /// The launcher could not restrict itself as the event file asks, or could not
    /// become the engine: the machine's doing, not the engine's.
    #[error("it was not launched: {0}")]
    NotLaunched(String),
    /// It did not answer in time.
    #[error("no {awaited} within {limit:?}{evidence}")]
    Silent {
        /// `uciok` or `readyok`.
        awaited: &'static str,
        /// The time it had.
        limit: Duration,
        /// What the host took of it, and how its stderr ended, if it wrote any.
        evidence: String,
    },
    /// It ended instead of answering.
    #[error("it closed its output before {awaited}; {evidence}")]
    Ended {
        /// `uciok` or `readyok`.
        awaited: &'static str,
        /// Its exit status, and how its stderr ended.
        evidence: String,
    },
    /// It cannot do what the event asks of it.
    #[error("{}", join(.0))]
    Unfit(Vec<HandshakeError>),
    /// The run stopped before it had answered.
    #[error("the run was stopped")]
    Interrupted,
}

impl EngineStartError {
    /// The system would not run it, or it is another program than the event was begun with.
    pub fn is_the_hosts(&self) -> bool {
        matches!(
            self,
            EngineStartError::Spawn { .. }
                | EngineStartError::NotLaunched(_)
                | EngineStartError::Replaced { .. }
        )
    }
}

fn join(errors: &[HandshakeError]) -> String {
    errors
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("; ")
}

impl Engine {
    /// Starts an engine and brings it to its first `readyok`. On an error
    /// nothing is left running. Must be called within a runtime.
    ///
    /// # Errors
    /// See [`EngineStartError`].
    pub(crate) async fn start(
        spec: &EngineSpec,
        rules: &Rules,
        timeouts: &Timeouts,
        around: &Surroundings,
    ) -> Result<Engine, EngineStartError> {
        let confinement = allowance::confinement(spec, around.lanes);
        let orders = Orders::new(&confinement, &around.cpus);
        let spawned = spawn(spec, &confinement, orders.as_ref(), around);
        let mut process = spawned.map_err(|source| {
            let command = shown_command(&spec.launch);
            EngineStartError::Spawn { command, source }
        })?;
        let wishes = Wishes {
            options: spec.options.clone(),
            chess960: rules.chess960,
            variants_file: rules.variants_file.clone(),
        };
        let mut last_line = String::new();
        match shake_hands(&mut process, wishes, timeouts, &mut last_line).await {
            Ok(ready) => Ok(Engine {
                process,
                ready,
                files: Marks::default(),
            }),
            Err(failure) => {
                let ended = process.end_and_describe().await;
                let stderr = process.errors.tail();
                let launch_failure = orders.and_then(|orders| orders.failure(&stderr));
                Err(match launch_failure {
                    Some(words) => EngineStartError::NotLaunched(words),
                    None => failure.explain(&ended, &evidence(spec, &last_line, &stderr)),
                })
            }
        }
    }
}

/// A failed handshake, before the process has been ended and asked for evidence.
enum Failure {
    /// In which phase, within which limit, and what the host took, which it was given besides.
    Silent(Phase, Duration, Duration),
    Ended(Phase),
    Unfit(Vec<HandshakeError>),
}

impl Failure {
    fn explain(self, exit: &str, evidence: &str) -> EngineStartError {
        match self {
            Failure::Silent(phase, limit, given) => EngineStartError::Silent {
                awaited: awaited(phase),
                limit,
                evidence: given_back(given) + evidence,
            },
            Failure::Ended(phase) => EngineStartError::Ended {
                awaited: awaited(phase),
                evidence: format!("{exit}{evidence}"),
            },
            Failure::Unfit(errors) => EngineStartError::Unfit(errors),
        }
    }
}

/// What the host took of an engine's time; nothing if it took none.
fn given_back(given: Duration) -> String {
    match given.is_zero() {
        true => String::new(),
        false => format!(
            " and {:.1} s besides, for which the host kept it from running",
            given.as_secs_f64()
        ),
    }
}

/// What an engine that did not start leaves to say.
fn evidence(spec: &EngineSpec, last_line: &str, stderr: &str) -> String {
    let mut words = String::new();
    if !stderr.is_empty() {
        words += &format!("; stderr: {stderr:?}");
    }
    let declares = ["id ", "option "]
        .iter()
        .any(|word| last_line.starts_with(word));
    if last_line.is_empty() && stderr.is_empty() {
        words += "; it wrote no line: its output may wait in a buffer, or it needs an argument \
                  (docs/engine-setup.md)";
    } else if !last_line.is_empty() && !declares {
        words += &format!("; its last line: {last_line:?}");
    }
    if spec.confinement.sandbox != Sandbox::Off {
        words += "; its sandbox lets it read its program, its `directory`, the files that the \
                  event file names for it, and the system's; sandbox_read = [\"…\"] opens more";
    }
    words
}

fn awaited(phase: Phase) -> &'static str {
    match phase {
        Phase::Identifying => "uciok",
        Phase::Preparing | Phase::Ready => "readyok",
    }
}

async fn shake_hands(
    process: &mut Process,
    wishes: Wishes,
    timeouts: &Timeouts,
    last_line: &mut String,
) -> Result<Ready, Failure> {
    let mut handshake = Handshake::new(wishes);
    let mut commands = String::new();
    handshake.start(&mut commands);
    let mut limit = timeouts.start;
    let mut looked = Instant::now();
    let mut deadline = looked + limit;
    let mut given = Duration::ZERO;
    loop {
        // A write error shows as end of file a moment later, with evidence.
        let _ = process.input.send(&std::mem::take(&mut commands));
        let phase = handshake.phase();
        let open = read_leniently(process, &mut deadline, looked, limit, &mut given).await;
        looked = Instant::now();
        if !open.ok_or(Failure::Silent(phase, limit, given))? {
            return Err(Failure::Ended(phase));
        }
        while let Some(line) = process.output.lines.next_line() {
            if !line.text.trim().is_empty() {
                last_line.clear();
                last_line.extend(line.text.trim().chars().take(LINE_SHOWN));
            }
            match handshake
                .line(line.text, &mut commands)
                .map_err(Failure::Unfit)?
            {
                HandshakeStep::Waiting => {}
                HandshakeStep::Configured => {
                    limit = timeouts.ready;
                    deadline = looked + limit;
                    given = Duration::ZERO;
                }
                HandshakeStep::Ready(ready) => return Ok(*ready),
            }
        }
    }
}

/// The most characters of an engine's line that are shown.
const LINE_SHOWN: usize = 120;

/// More than this number of times what an engine has to answer it is not given for what the host takes.
const MOST: u32 = 10;

/// Reads stdout once, within `limit` and what the host took of it: an engine that was kept from
/// running in the second half of its time gets that back, and again. It is added to `given`.
async fn read_leniently(
    process: &mut Process,
    deadline: &mut Instant,
    looked: Instant,
    limit: Duration,
    given: &mut Duration,
) -> Option<bool> {
    let mut half = *deadline - limit / 2;
    if half > looked {
        let read = read_patiently(process, &mut half, looked).await;
        if read.is_some() {
            return read;
        }
    }
    // The engine itself may not be there yet.
    let mut starvation = Starvation::begin(process.root().process);
    let latest = *deadline + limit * MOST;
    loop {
        let read = read_patiently(process, deadline, Instant::now()).await;
        let waited = starvation.as_mut().map(|look| look.since(limit));
        let waited = waited.unwrap_or_default();
        if read.is_some() || waited.is_zero() || *deadline >= latest {
            return read;
        }
        tracing::info!(
            ?waited,
            "an engine that starts was kept from running and is given more time"
        );
        let later = (*deadline + waited).min(latest);
        *given += later - *deadline;
        *deadline = later;
    }
}

/// Reads stdout once, where somebody looked last at the moment `looked`. If the runner itself
/// stood still until after the deadline, the engine gets what it had left again.
async fn read_patiently(
    process: &mut Process,
    deadline: &mut Instant,
    looked: Instant,
) -> Option<bool> {
    let read = read_once(process, *deadline).await;
    if read.is_some() || standstill::overslept(*deadline, looked).is_none() {
        return read;
    }
    let left = deadline.saturating_duration_since(looked);
    *deadline = Instant::now() + left.max(standstill::LEAST);
    read_once(process, *deadline).await
}

/// Reads stdout once; `Some(false)` at its end, `None` at the deadline.
pub(crate) async fn read_once(process: &mut Process, deadline: Instant) -> Option<bool> {
    loop {
        tokio::select! {
            biased;
            // Also reached by an engine that writes without end.
            () = sleep_until(deadline) => return None,
            open = process.output.fill() => return Some(open),
            () = process.errors.drain(), if process.errors.is_open() => {}
            flushed = process.input.flush(), if process.input.is_waiting() => {
                if flushed.is_err() {
                    process.input.close();
                }
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
    let mut command = match orders {
        None => command(spec)?,
        Some(orders) => {
            let entrance = cgroup.as_ref().map(Cgroup::entrance);
            launched(spec, &orders.clone().joining(entrance))?
        }
    };
    environment::dress(&mut command, spec);
    let kept = orders.is_some_and(Orders::are_kept);
    let mut process = Process::spawn(command, kept, &around.guardian)?;
    process.hold_to(confinement, &around.watch)?;
    process.hold_in(cgroup);
    if let Some(uci_log) = &around.uci_log {
        process.record(&uci_log.engine_log(&around.place, &spec.name));
    }
    Ok(process)
}

/// The launcher, which becomes the engine in its folder.
fn launched(spec: &EngineSpec, orders: &Orders) -> io::Result<Command> {
    let engine = command(spec)?;
    let mut command = this_program()?;
    let orders = orders.clone().opening(engine.get_program());
    command.args([launcher::COMMAND, &orders.to_json()?, "--"]);
    command.arg(engine.get_program()).args(engine.get_args());
    if let Some(directory) = engine.get_current_dir() {
        command.current_dir(directory);
    }
    Ok(command)
}

/// The command of an engine. Never a shell's line: every argument is its own.
fn command(spec: &EngineSpec) -> io::Result<Command> {
    Ok(match &spec.launch {
        Launch::Program {
            path,
            args,
            directory,
            ..
        } => {
            let mut command = Command::new(path);
            command.args(args).current_dir(directory);
            command
        }
        Launch::Sparring => {
            let mut command = this_program()?;
            command.arg(SPARRING);
            command
        }
    })
}

fn shown_command(launch: &Launch) -> String {
    let shown = |path: &Path| path.display().to_string();
    match launch {
        Launch::Program { path, .. } => shown(path),
        Launch::Sparring => "the built-in sparring engine".to_owned(),
    }
}
