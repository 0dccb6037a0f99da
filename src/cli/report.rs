//! `arbiter960 report`: events as a page of HTML.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::analysis::{Collector, Compared, ComparisonReport, EventStatistics};
use crate::cli::conclusion::LINTED;
use crate::cli::exit;
use crate::cli::stats::{folder_of, is_event};
use crate::page::{EventFacts, page};
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
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 report results/quickstart
  arbiter960 report results/nodes-1000 results/nodes-4000 --output nodes.html")]
pub(crate) struct ReportArguments {
    /// Event folders
    #[arg(value_name = "RESULTS", required = true)]
    results: Vec<PathBuf>,

    /// The file; without it report.html in the event's folder, of several events report.html here
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// An event cannot be read, or the file cannot be written.
pub(crate) fn run(arguments: &ReportArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let mut events = Vec::new();
    let mut sources = Vec::new();
    for path in &arguments.results {
        if !is_event(path) {
            anyhow::bail!(
                "{} is no event's folder: a page is made of events, `stats` reads PGN files too",
                path.display()
            );
        }
        let reader = Reader::open(folder_of(path))?;
        let mut collector = Collector::new(false);
        collector.add_store(&reader)?;
        let collection = collector.finish();
        let statistics = EventStatistics::new(&collection);
        let variations = Variations::of_event(&reader, &Roster::read(&reader)?, LINTED)?;
        let count = arguments.results.len();
        events.push(EventFacts::read(
            &reader,
            statistics,
            Some(variations),
            count,
        )?);
        sources.push(Compared {
            source: path.display().to_string(),
            collection,
        });
    }
    let text = match sources.len() {
        1 => page(&events, None),
        _ => compared(&events, &sources),
    };
    let file = file(arguments);
    replace_file(&file, text.as_bytes(), true)
        .with_context(|| format!("cannot write {}", file.display()))?;
    writeln!(out, "{}", printable(&file.display().to_string()))?;
    Ok(exit::DONE)
}

/// The page of one event.
///
/// # Errors
/// The event cannot be read.
pub(crate) fn report_of(folder: &Path) -> anyhow::Result<String> {
    let reader = Reader::open(folder)?;
    let mut collector = Collector::new(false);
    collector.add_store(&reader)?;
    let statistics = EventStatistics::new(&collector.finish());
    let variations = Variations::of_event(&reader, &Roster::read(&reader)?, LINTED)?;
    let facts = EventFacts::read(&reader, statistics, Some(variations), 1)?;
    Ok(page(&[facts], None))
}

/// The page of several events.
fn compared(events: &[EventFacts], sources: &[Compared]) -> String {
    match ComparisonReport::new(sources, DEFAULT_LEVEL) {
        Ok(report) => page(events, Some(Ok(&report))),
        Err(error) => page(events, Some(Err(&error.to_string()))),
    }
}

fn file(arguments: &ReportArguments) -> PathBuf {
    let own = || match arguments.results.as_slice() {
        [one] => folder_of(one).join("report.html"),
        _ => Path::new("report.html").to_path_buf(),
    };
    arguments.output.clone().unwrap_or_else(own)
}
