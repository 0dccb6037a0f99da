//! `arbiter960 stats`: statistics of events.

use std::io::Write;
use std::path::PathBuf;

use crate::cli::exit;
use crate::cli::roster::{roster, scoreboard};
use crate::report::tables;
use crate::store::Reader;

/// Print statistics of events.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  arbiter960 stats results/quickstart")]
pub struct StatsArguments {
    /// Event folders
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// An event cannot be read.
pub fn run(arguments: &StatsArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    for path in &arguments.paths {
        let reader = Reader::open(path)?;
        let roster = roster(&reader)?;
        let board = scoreboard(&reader, &roster)?;
        tables::summary(&roster, &board, out)?;
    }
    Ok(exit::DONE)
}
