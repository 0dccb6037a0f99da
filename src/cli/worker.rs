//! `arbiter960 worker`: plays for a coordinator on another machine.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Context;

use super::exit;
use super::listeners::begin_log;
use crate::cli::farm::ServerArguments;
use crate::cli::mistakes::at_least_one;
use crate::farm::{FarmName, WorkerSettings, work};
use crate::platform::machine;
use crate::run::signals::SignalWatch;
use crate::store::{EventLock, StoreError};
use crate::text::printable;

/// Maximum number of workers of one machine that find names automatically.
const MAX_WORKERS: u32 = 1000;

/// Play the pairs that a coordinator on another machine gives out.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 run event.toml --nats nats://box       the coordinator
  arbiter960 worker --nats nats://box --lanes 4     on every machine that plays
  arbiter960 worker --print-nats-config one two     a server's configuration with a user for each

Ctrl-C once finishes the running pairs; twice, or SIGTERM, gives them back at once. What was finished and
not taken yet stays in the worker's folder and is sent when it is started again.")]
pub(crate) struct WorkerArguments {
    /// The NATS server: nats://HOST or tls://HOST
    #[arg(
        long,
        value_name = "URL",
        required_unless_present = "print_nats_config"
    )]
    nats: Option<String>,

    /// Games at once
    #[arg(long, value_name = "N", required_unless_present = "print_nats_config", value_parser = at_least_one)]
    lanes: Option<NonZeroUsize>,

    /// The name by which the coordinator knows this worker; the machine's, if none is given, with a number where
    /// another worker has that
    #[arg(long, value_name = "NAME")]
    name: Option<FarmName>,

    /// Where engines and finished pairs are kept; arbiter960-worker-NAME, if no folder is given
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,

    /// Use a server that asks nobody for a password. Whoever reaches such a server can have programs run here
    #[arg(long)]
    open_server: bool,

    /// Print a configuration for nats-server, with a user of least privilege for each of these workers
    #[arg(long, value_name = "NAME", num_args = 1..)]
    print_nats_config: Vec<FarmName>,

    #[command(flatten)]
    server: ServerArguments,
}

/// Runs the command.
///
/// # Errors
/// The server refuses the connection, or the folder cannot be used.
pub(crate) fn run(arguments: &WorkerArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let farm = arguments.server.farm()?;
    if !arguments.print_nats_config.is_empty() {
        write!(
            out,
            "{}",
            configuration(&farm, &arguments.print_nats_config)
        )?;
        return Ok(exit::DONE);
    }
    let (Some(server), Some(lanes)) = (&arguments.nats, arguments.lanes) else {
        anyhow::bail!("a worker needs --nats and --lanes");
    };
    let (name, folder, lock) = own_folder(arguments)?;
    begin_log(&folder)?;
    let settings = WorkerSettings {
        access: arguments.server.access(server),
        farm,
        name,
        lanes,
        open_server: arguments.open_server,
        folder,
    };
    let signals = SignalWatch::start()?;
    Ok(work(&settings, &lock, &signals)?)
}

/// The worker's name, and a folder that no other worker has.
fn own_folder(arguments: &WorkerArguments) -> anyhow::Result<(FarmName, PathBuf, EventLock)> {
    let host = machine::host_name().replace('.', "-");
    for number in 1..=MAX_WORKERS {
        let name = match (&arguments.name, number) {
            (Some(name), _) => name.clone(),
            (None, 1) => named(&host)?,
            (None, _) => named(&format!("{host}-{number}"))?,
        };
        let usual = || PathBuf::from(format!("arbiter960-worker-{name}"));
        let folder = arguments.folder.clone().unwrap_or_else(usual);
        std::fs::create_dir_all(&folder).map_err(|error| StoreError::from_io(&folder, &error))?;
        match EventLock::acquire(&folder) {
            Ok(lock) => return Ok((name, folder, lock)),
            Err(StoreError::Locked { .. })
                if arguments.name.is_none() && arguments.folder.is_none() => {}
            Err(StoreError::Locked { .. }) => anyhow::bail!(
                "another worker uses {}: give this one another --name, or another --folder",
                printable(&folder.display().to_string())
            ),
            Err(error) => return Err(error.into()),
        }
    }
    anyhow::bail!("{MAX_WORKERS} workers have a folder here already: give --name")
}

fn named(text: &str) -> anyhow::Result<FarmName> {
    text.parse()
        .context("the machine's name cannot be the worker's: give --name")
}

/// A server's configuration with one user, who is the pattern of all.
const NATS_CONFIGURATION: &str = include_str!("nats-server.conf");

/// The permissions that a server needs: who may send what.
fn configuration(farm: &FarmName, workers: &[FarmName]) -> String {
    let user = NATS_CONFIGURATION.find("    { user: \"{worker}\"");
    let (head, rest) = NATS_CONFIGURATION.split_at(user.unwrap_or_default());
    let (user, end) = rest.split_at(rest.rfind("  ]\n}").unwrap_or(rest.len()));
    let users = workers
        .iter()
        .map(|worker| user.replace("{worker}", &worker.to_string()));
    [
        ("{farm}", farm.to_string()),
        ("{jobs}", farm.jobs_stream()),
        ("{events}", farm.event_stream()),
        ("{bucket}", farm.bucket()),
    ]
    .iter()
    .fold(
        format!("{head}{}{end}", users.collect::<String>()),
        |text, (name, value)| text.replace(name, value),
    )
}
