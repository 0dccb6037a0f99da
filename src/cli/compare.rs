//! `arbiter960 compare`: compares events.

use std::io::Write;
use std::path::PathBuf;

use crate::analysis::{Compared, ComparisonReport};
use crate::cli::exit;
use crate::cli::sources::games_of;
use crate::cli::stats::TableFormat;
use crate::report::comparison::{comparison, comparison_csv, same_games};
use crate::stats::match_statistics::DEFAULT_LEVEL;

/// Compare events: do their maps of the first-move advantage agree, and what changes with the limit?
///
/// Each event or PGN file is one map: White's advantage between the engines that played, start by start (self-play
/// of several engines: one map an engine). Printed are the correlation of every two maps with the
/// noise taken off, the difference of their means, and the means pooled; of maps that have games in common, how many. Where the
/// same two engines met in all, their Elo at each limit and its trend. Explained in docs/statistics.md.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 compare results/stockfish-self results/ethereal-self
  arbiter960 compare results/nodes-1000 results/nodes-4000 results/nodes-16000
  arbiter960 compare a.pgn b.pgn --format csv > maps.csv")]
pub(crate) struct CompareArguments {
    /// Event folders and PGN files (also .gz, .zst, .bz2), two or more
    #[arg(value_name = "PATH", required = true, num_args = 2..)]
    paths: Vec<PathBuf>,

    /// text for people, markdown for documents, json with everything, csv with a row for each start of each map
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: TableFormat,
}

/// Runs the command.
///
/// # Errors
/// An event or a file cannot be read, or gives no map.
pub(crate) fn run(arguments: &CompareArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let mut sources = Vec::new();
    for path in &arguments.paths {
        sources.push(Compared {
            source: path.display().to_string(),
            collection: games_of(path)?,
        });
    }
    if matches!(arguments.format, TableFormat::Text | TableFormat::Markdown) {
        // Before what may refuse.
        writeln!(out, "{}", same_games(&sources).text())?;
        out.flush()?;
    }
    let report = ComparisonReport::new(&sources, DEFAULT_LEVEL).map_err(anyhow::Error::msg)?;
    match arguments.format {
        TableFormat::Csv => write!(out, "{}", comparison_csv(&report, &sources))?,
        format => format.write(&comparison(&report), &report, "it", out)?,
    }
    Ok(exit::DONE)
}
