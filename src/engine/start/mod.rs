//! From a line of the event file to an engine that is ready to play.
//!
//! | file | what it has |
//! |---|---|
//! | `mod` | how its process is started |
//! | `answers` | what it says until it is ready, and how long it may take |
//! | `error` | why it is not |

mod answers;
mod error;

use std::io;
use std::path::Path;
use std::process::Command;

use crate::adapter::XBOARD;
use crate::config::{Confinement, EngineSpec, Launch};
use crate::engine::originals::Marks;
use crate::engine::process::Process;
use crate::engine::surroundings::Surroundings;
use crate::engine::{allowance, environment, launcher};
use crate::event::identity::Protocol;
use crate::platform::cgroup::Cgroup;
use crate::platform::orders::Orders;
use crate::platform::process::{HAS_LAUNCHER, this_program};
use crate::referee::Timeouts;
use crate::uci::{Ready, Wishes};

use answers::shake_hands;
pub(crate) use answers::{ReplyDeadline, read_once};
pub(crate) use error::EngineStartError;
use error::evidence;

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

/// What is sent to every engine of an event about the variant, before it is asked whether it is ready.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct VariantSetup {
    /// The value of `UCI_Chess960`.
    pub chess960: bool,
    /// The absolute path of a file that explains the variant.
    pub variants_file: Option<String>,
    /// The name of a variant that engines must know by themselves.
    pub variant: Option<&'static str>,
}

impl Engine {
    /// Starts an engine and brings it to its first `readyok`. On an error
    /// nothing is left running. Must be called within a runtime.
    ///
    /// # Errors
    /// See [`EngineStartError`].
    pub(crate) async fn start(
        spec: &EngineSpec,
        rules: &VariantSetup,
        timeouts: &Timeouts,
        around: &Surroundings,
    ) -> Result<Engine, EngineStartError> {
        let confinement = allowance::confinement(spec, around.lanes);
        let guarded = around.guarded.iter();
        let guarded = guarded.filter_map(|file| file.against(&spec.name));
        let orders = launcher::orders(&confinement, &around.cpus);
        let orders = orders.map(|orders| orders.guarding(guarded));
        let spawned = spawn(spec, &confinement, orders.as_ref(), around);
        let mut process = spawned.map_err(|source| {
            let command = shown_command(&spec.launch);
            EngineStartError::Spawn { command, source }
        })?;
        let wishes = Wishes {
            options: spec.options.clone(),
            chess960: rules.chess960,
            chess960_undeclared: spec.plays_chess960_undeclared,
            ponder: spec.ponder,
            variants_file: rules.variants_file.clone(),
            variant: rules.variant,
            leaves_out_refused: spec.leaves_out_refused_options,
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
    let orders = orders.cloned();
    let (mut command, orders) = match orders {
        Some(orders) if HAS_LAUNCHER => {
            let entrance = cgroup.as_ref().map(Cgroup::entrance);
            let (command, orders) = launched(spec, orders.joining(entrance))?;
            (command, Some(orders))
        }
        orders => (command(spec)?, orders),
    };
    environment::dress(&mut command, spec);
    let log = around.uci_log.as_ref();
    let log = log.map(|log| log.engine_log(&around.place, &spec.name));
    let mut process = Process::spawn(command, orders.as_ref(), &around.guardian, log)?;
    process.hold_to(confinement, &around.watch)?;
    process.cgroup = cgroup;
    Ok(process)
}

/// The launcher, which becomes the engine in its folder, and its instructions.
fn launched(spec: &EngineSpec, orders: Orders) -> io::Result<(Command, Orders)> {
    let engine = command(spec)?;
    let mut command = this_program()?;
    let mut orders = orders.opening(engine.get_program());
    if let Launch::Program { path, .. } = &spec.launch {
        orders = orders.opening(path.as_os_str());
    }
    command.args([launcher::COMMAND, "--"]);
    command.arg(engine.get_program()).args(engine.get_args());
    if let Some(directory) = engine.get_current_dir() {
        command.current_dir(directory);
    }
    Ok((command, orders))
}

/// The command of an engine. Never a shell's line: every argument is its own.
fn command(spec: &EngineSpec) -> io::Result<Command> {
    Ok(match &spec.launch {
        Launch::Program {
            path,
            args,
            directory,
            protocol,
            ..
        } => {
            let mut command = match protocol {
                Protocol::Uci => Command::new(path),
                Protocol::Xboard => {
                    let mut command = this_program()?;
                    command.args([XBOARD, "--"]).arg(path);
                    command
                }
            };
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
