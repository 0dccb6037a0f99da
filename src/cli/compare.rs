//! `arbiter960 compare`: events beside each other.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::analysis::{Collection, Collector, Compared, ComparisonReport};
use crate::cli::exit;
use crate::cli::stats::{add_pgn, folder_of, is_event};
use crate::report::comparison::{csv, text};
use crate::stats::match_statistics::DEFAULT_LEVEL;
use crate::store::Reader;
use crate::text::write_json;

/// Compare events: do their maps of the first-move advantage agree, and what changes with the limit?
///
/// Each event or PGN file is one map: White's advantage between the engines that played, start by start (self-play
/// of several engines: one map an engine). Printed are the correlation of every two maps with the
/// noise taken off, the difference of their means, and the means pooled. Where the same two engines met in all, their Elo at
/// each limit and its trend. Explained in docs/statistics.md.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 compare results/stockfish-self results/ethereal-self
  arbiter960 compare results/nodes-1000 results/nodes-4000 results/nodes-16000
  arbiter960 compare a.pgn b.pgn --format csv > maps.csv")]
pub(crate) struct CompareArguments {
    /// Event folders and PGN files (also .gz, .zst, .bz2), two or more
    #[arg(value_name = "PATH", required = true, num_args = 2..)]
    paths: Vec<PathBuf>,

    /// text for people, json with everything, csv with a row for each start of each map
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Csv,
}

/// Runs the command.
///
/// # Errors
/// An event or a file cannot be read, gives no map, or two of them have games in common.
pub(crate) fn run(arguments: &CompareArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    if arguments.paths.iter().any(|path| path.as_os_str() == "-") {
        anyhow::bail!("`-`: compare reads its sources twice; put the games into a file");
    }
    refuse_shared_games(&arguments.paths)?;
    let sources: Vec<Compared> = arguments
        .paths
        .iter()
        .map(|path| {
            Ok(Compared {
                source: path.display().to_string(),
                collection: collect(path)?,
            })
        })
        .collect::<anyhow::Result<_>>()?;
    let report = ComparisonReport::new(&sources, DEFAULT_LEVEL)?;
    match arguments.format {
        Format::Text => write!(out, "{}", text(&report))?,
        Format::Csv => write!(out, "{}", csv(&report, &sources))?,
        Format::Json => write_json(out, &report)?,
    }
    Ok(exit::DONE)
}

fn collect(path: &Path) -> anyhow::Result<Collection> {
    let mut collector = Collector::new(false);
    add(&mut collector, path)?;
    Ok(collector.finish())
}

fn add(collector: &mut Collector, path: &Path) -> anyhow::Result<()> {
    if is_event(path) {
        return Ok(collector.add_store(&Reader::open(folder_of(path))?)?);
    }
    add_pgn(collector, path, true)
}

/// Games in two sources would make two maps of one agree.
fn refuse_shared_games(paths: &[PathBuf]) -> anyhow::Result<()> {
    let mut collector = Collector::new(false).comparing();
    for path in paths {
        add(&mut collector, path)?;
    }
    let shared = collector.finish().sources.into_iter().find(|source| {
        let first = source.repeated_from.as_ref();
        first.is_some_and(|first| *first != source.path) || source.games == 0
    });
    if let Some(source) = shared {
        let first = source.repeated_from.unwrap_or_default();
        anyhow::bail!(
            "{} and {first} have {} games in common: two maps of the same games agree by \
             construction, give sources that share none",
            source.path,
            source.repeated
        );
    }
    Ok(())
}
