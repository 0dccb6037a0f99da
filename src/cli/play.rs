//! What `run` and `match` have in common.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;

use crate::cli::exit;
use crate::config::{Tournament, Warnings};
use crate::run::Session;
use crate::store;
use crate::sink::Sinks;

/// How to play an event, and what to show.
#[derive(Debug, clap::Args)]
pub struct Play {
    /// The folder of all events; each has a folder of its own name below it
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub results: PathBuf,

    /// Print the plan, every pair with its start number, engines and colours; start no engine
    #[arg(long)]
    pub dry_run: bool,

    /// Begin again: an old folder of this name is moved aside first
    #[arg(long)]
    pub fresh: bool,

    /// Go on though the event file has changed since the first game; the change is recorded
    #[arg(long)]
    pub accept_changes: bool,

    /// Show no progress, only the result
    #[arg(long, conflicts_with = "json")]
    pub quiet: bool,

    /// Print one JSON event a line on stdout
    #[arg(long)]
    pub json: bool,
}

/// Plays the event; the exit code.
pub fn play(tournament: Tournament, options: &Play) -> anyhow::Result<u8> {
    let identity = tournament.identity()?;
    let session = Session::open(tournament, identity, &options.results, options.accept_changes)?;
    let ending = session.play(|_| Ok(Sinks::default()))?;
    Ok(match (ending.signal, ending.voided) {
        (Some(code), _) => code,
        (None, 0) => exit::DONE,
        (None, _) => exit::VOIDED,
    })
}
