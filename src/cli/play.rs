//! What `run` and `match` have in common.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use crate::cli::listeners::{Display, FinalStatistics, listeners};
use crate::cli::{conclusion, exit, log};
use crate::config::{Tournament, Warnings};
use crate::run::{Ending, Session, folder_of};
use crate::store;

/// How to play an event, and what to show.
#[derive(Debug, Clone, Default, clap::Args)]
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

    /// Write down all that runner and engines say to each other, with time stamps, in log/engines
    #[arg(long)]
    pub log_engines: bool,

    /// Print one JSON event a line on stdout
    #[arg(long)]
    pub json: bool,
}

impl Play {
    fn display(&self) -> Display {
        match (self.quiet, self.json) {
            (true, _) => Display::Quiet,
            (_, true) => Display::Json,
            _ => Display::Progress,
        }
    }
}

/// Plays the event that `text` describes; the exit code.
///
/// # Errors
/// Whatever keeps the event from being played or stored.
pub fn play(
    tournament: Tournament,
    text: &str,
    warnings: &Warnings,
    options: &Play,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    warn(warnings);
    if options.dry_run {
        conclusion::plan(&tournament, out)?;
        return Ok(exit::DONE);
    }
    let folder = folder_of(&tournament, &options.results);
    if options.fresh
        && let Some(aside) = store::set_aside(&folder)?
    {
        eprintln!("the old event was moved to {}", aside.display());
    }
    let identity = tournament.identity()?;
    let mut session = Session::open(
        tournament,
        text,
        identity,
        &options.results,
        options.accept_changes,
    )?;
    log::begin(&folder)?;
    if options.log_engines {
        session.log_engines(log::folder(&folder));
    }
    let complete = session.is_complete()?;
    let end = FinalStatistics::default();
    let ending = if complete {
        let sinks = listeners(&session, Display::Quiet, &end)?;
        session.complete(sinks)?
    } else {
        session.play(|session| listeners(session, options.display(), &end))?
    };
    if !options.json {
        let written = conclusion::write(&folder, complete, end.get(), out);
        let written = written.and_then(|()| Ok(out.flush()?));
        // The exit code still says how the run ended if nobody reads the rest.
        written.or_else(|error| match exit::is_closed_output(&error) {
            true => Ok(()),
            false => Err(error.context("the event is stored; its result could not be printed")),
        })?;
    }
    if ending.voided > 0 && ending.signal.is_none() {
        eprintln!("{}", conclusion::voided(&folder, ending.voided)?);
    }
    Ok(code(&ending))
}

fn code(ending: &Ending) -> u8 {
    match (ending.signal, ending.voided) {
        (Some(code), _) => code,
        (None, 0) => exit::DONE,
        (None, _) => exit::VOIDED,
    }
}

fn warn(warnings: &Warnings) {
    if warnings.is_empty() {
        return;
    }
    if io::stderr().is_terminal() {
        eprintln!("{}", warnings.coloured());
    } else {
        eprintln!("{warnings}");
    }
}
