//! `arbiter960 report` and `compare`: events as a page of HTML, and their maps beside each other.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::analysis::{
    Collection, Collector, Compared, ComparisonReport, EventStatistics, Verdict,
};
use crate::cli::conclusion::MAX_LINTED_GAMES;
use crate::cli::exit;
use crate::cli::sources::{add, add_all, folder_of, games_of, is_event};
use crate::cli::stats::TableFormat;
use crate::page::{Carried, EventFacts, page};
use crate::report::comparison::{comparison, comparison_csv, same_games};
use crate::report::variations::Variations;
use crate::sink::replace_file;
use crate::stats::match_statistics::DEFAULT_LEVEL;
use crate::store::Reader;
use crate::text::printable;
use crate::tournament::Roster;

/// Write a page of HTML about an event: figures, tables, and every game on a board.
///
/// One file that needs no network: who is stronger and how sure, whether start positions differ, what went
/// wrong in which game; the map of start numbers, estimates with intervals, the course of Elo and of a
/// sequential test, standings, crosstable, games. `run` writes it at its end. Several events stand on one
/// page, their maps of White's advantage beside each other. Also while an event is being played.
///
/// A PGN file by anyone will do for an event's folder; the page says what such a file does not know.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 report results/quickstart
  arbiter960 report results/nodes-1000 results/nodes-4000 --output nodes.html
  arbiter960 report games.pgn.zst --output games.html")]
pub(crate) struct ReportArguments {
    /// Event folders and PGN files, also compressed (gzip, Zstandard, bzip2)
    #[arg(value_name = "RESULTS", required = true)]
    results: Vec<PathBuf>,

    /// The file; without it report.html in the event's folder, of several events and of a PGN file report.html here
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// An event cannot be read, or the file cannot be written.
pub(crate) fn run(arguments: &ReportArguments, out: &mut dyn Write) -> Result<u8> {
    let mut events = Vec::new();
    let mut sources = Vec::new();
    for path in &arguments.results {
        let (facts, collection) = read(path, arguments.results.len())?;
        events.push(facts);
        sources.push(Compared {
            source: path.display().to_string(),
            collection,
        });
    }
    let text = match sources.len() {
        1 => page(&events, None),
        _ => compared(&events, &sources, together(&arguments.results)?),
    };
    let file = file(arguments);
    replace_file(&file, text.as_bytes(), true)
        .with_context(|| format!("cannot write {}", file.display()))?;
    writeln!(out, "{}", printable(&file.display().to_string()))?;
    Ok(exit::DONE)
}

/// An event, or the games of a PGN file, on a page with this number of them.
fn read(path: &Path, events: usize) -> Result<(EventFacts, Collection)> {
    if !is_event(path) {
        return read_pgn(path, events);
    }
    let reader = Reader::open(folder_of(path))?;
    let collection = games_of(path)?;
    let statistics = EventStatistics::new(&collection);
    let variations = Variations::of_event(&reader, &Roster::read(&reader)?, MAX_LINTED_GAMES)?;
    let (variations, carried) = (Some(variations), Carried::SharedBy(events));
    let facts = EventFacts::read(&reader, statistics, variations, carried)?;
    Ok((facts, collection))
}

fn read_pgn(path: &Path, events: usize) -> Result<(EventFacts, Collection)> {
    if path.as_os_str() == "-" {
        anyhow::bail!("`-`: report reads its games twice; put them into a file");
    }
    let mut collector = Collector::new(false);
    collector.places = true;
    add(&mut collector, path, true)?;
    let collection = collector.finish();
    let statistics = EventStatistics::new(&collection);
    let facts = EventFacts::of_pgn(path, &collection, statistics, events)
        .with_context(|| format!("cannot read {}", path.display()))?;
    Ok((facts, collection))
}

/// The page of an event that nobody plays; the store may be locked by the caller.
///
/// # Errors
/// The event cannot be read.
pub(crate) fn report_of(folder: &Path) -> Result<String> {
    let (facts, _) = read(folder, 1)?;
    let facts = facts.of_a_finished_run();
    Ok(page(&[facts], None))
}

/// The verdict over the games of all together, as `stats` has it.
fn together(paths: &[PathBuf]) -> Result<Verdict> {
    let mut collector = Collector::new(false);
    collector.compares = true;
    add_all(&mut collector, paths, true)?;
    let statistics = EventStatistics::new(&collector.finish());
    Ok(Verdict::of_games(&statistics))
}

/// The page of several events.
fn compared(events: &[EventFacts], sources: &[Compared], together: Verdict) -> String {
    let report = ComparisonReport::new(sources, DEFAULT_LEVEL);
    let each = events.iter();
    let each: Vec<_> = each
        .map(|facts| (facts.roster.event.as_str(), &facts.verdict))
        .collect();
    let verdict = together.beside(&each, report.as_ref().ok());
    let report = report.as_ref().map_err(String::as_str);
    page(events, Some((&verdict, report)))
}

fn file(arguments: &ReportArguments) -> PathBuf {
    let own = || match arguments.results.as_slice() {
        [one] if is_event(one) => folder_of(one).join("report.html"),
        _ => Path::new("report.html").to_path_buf(),
    };
    arguments.output.clone().unwrap_or_else(own)
}

// `arbiter960 compare`: events beside each other.

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
pub(crate) fn compare(arguments: &CompareArguments, out: &mut dyn Write) -> Result<u8> {
    let read = |path: &PathBuf| {
        let source = path.display().to_string();
        games_of(path).map(|collection| Compared { source, collection })
    };
    let sources = arguments.paths.iter().map(read);
    let sources = sources.collect::<Result<Vec<_>>>()?;
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
