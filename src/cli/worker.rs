//! `arbiter960 worker`: plays for a coordinator on another machine; how a farm is reached, and how a run coordinates one.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};

use super::exit;
use super::listeners::begin_log;
use crate::cli::mistakes::at_least_one;
use crate::farm::{CoordinatorSettings, FarmName, ServerAccess, WorkerSettings, work};
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
pub(crate) fn run(arguments: &WorkerArguments, out: &mut dyn Write) -> Result<u8> {
    let farm = arguments.server.farm.clone();
    if !arguments.print_nats_config.is_empty() {
        let workers = &arguments.print_nats_config;
        write!(out, "{}", configuration(&farm, workers))?;
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
fn own_folder(arguments: &WorkerArguments) -> Result<(FarmName, PathBuf, EventLock)> {
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

fn named(text: &str) -> Result<FarmName> {
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
    let users = workers.iter();
    let users = users.map(|worker| user.replace("{worker}", &worker.to_string()));
    format!("{head}{}{end}", users.collect::<String>())
        .replace("{farm}", &farm.to_string())
        .replace("{jobs}", &farm.jobs_stream())
        .replace("{events}", &farm.event_stream())
        .replace("{bucket}", &farm.bucket())
}

/// How to reach the NATS server of a farm.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ServerArguments {
    /// The farm, if one server has several
    #[arg(long, value_name = "NAME", default_value = "arbiter960")]
    pub farm: FarmName,

    /// The user at the NATS server
    #[arg(long, value_name = "USER", requires = "nats_password_file")]
    pub nats_user: Option<String>,

    /// A file with the user's password
    #[arg(long, value_name = "FILE", requires = "nats_user")]
    pub nats_password_file: Option<PathBuf>,

    /// A file with the seed of an nkey
    #[arg(long, value_name = "FILE", conflicts_with = "nats_user")]
    pub nats_nkey: Option<PathBuf>,

    /// A file with NATS credentials
    #[arg(long, value_name = "FILE", conflicts_with_all = ["nats_user", "nats_nkey"])]
    pub nats_credentials: Option<PathBuf>,

    /// The certificate of the authority that has signed the server's, if the system does not know it
    #[arg(long, value_name = "FILE")]
    pub nats_ca: Option<PathBuf>,

    /// A certificate of one's own; needs --nats-key
    #[arg(long, value_name = "FILE", requires = "nats_key")]
    pub nats_certificate: Option<PathBuf>,

    /// The key of that certificate
    #[arg(long, value_name = "FILE", requires = "nats_certificate")]
    pub nats_key: Option<PathBuf>,
}

impl ServerArguments {
    /// The same for a server at this address.
    pub(crate) fn access(&self, server: &str) -> ServerAccess {
        ServerAccess {
            server: server.to_owned(),
            user: self.nats_user.clone().zip(self.nats_password_file.clone()),
            nkey: self.nats_nkey.clone(),
            credentials: self.nats_credentials.clone(),
            authority: self.nats_ca.clone(),
            certificate: self.nats_certificate.clone().zip(self.nats_key.clone()),
        }
    }
}

/// How a run has other machines play for it.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct FarmArguments {
    /// Let workers on other machines play, through the NATS server there: nats://HOST or tls://HOST
    /// (docs/many-machines.md)
    #[arg(long, value_name = "URL", conflicts_with = "shard")]
    pub nats: Option<String>,

    /// With --nats: games at once on this machine, too
    #[arg(long, value_name = "N", requires = "nats", value_parser = at_least_one)]
    pub lanes: Option<NonZeroUsize>,

    /// With --nats: after this time without a sign of life, the pairs of a worker go to others
    #[arg(long, value_name = "SECONDS", requires = "nats", default_value = "60", value_parser = at_least_one)]
    pub lease: NonZeroUsize,

    #[command(flatten)]
    pub server: ServerArguments,
}

impl FarmArguments {
    /// How to coordinate, if requested.
    pub(crate) fn settings(&self) -> Option<CoordinatorSettings> {
        Some(CoordinatorSettings {
            access: self.server.access(self.nats.as_ref()?),
            farm: self.server.farm.clone(),
            lease: Duration::from_secs(self.lease.get() as u64),
        })
    }
}
