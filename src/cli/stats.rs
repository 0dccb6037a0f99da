//! `arbiter960 stats`: statistics of events and PGN files.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::analysis::{
    Collection, Collector, EventKind, EventStatistics, RatingModel, ResultTable, StatisticsOptions,
    USUAL_MARGIN, Verdict,
};
use crate::platform::terminal::shell_word;
use crate::report::statistics::{
    by_engine, by_pair, by_position, details, engines_csv, of_results, pairs_csv, positions_csv,
    ratings_beside,
};
use crate::report::tables::{FEW_GAMES, LEGEND, by_rounds, of_event, results};
use crate::report::variations::{Variations, variation_lines};
use crate::report::verdict::first_text;
use crate::stats::match_statistics::DEFAULT_LEVEL;
use crate::store::Reader;
use crate::text::{Document, Table, paragraph, write_json};
use crate::tournament::{EventState, Ratings, Roster};

use super::exit;
use super::sources::{add_all, folder_of, is_event};

/// Print statistics of events and of PGN files by anyone, one or many together.
///
/// For two engines: Elo with the profile-likelihood interval, nElo, likelihood of superiority, pair
/// ratio, the event's SPRT. For many: ratings with errors clustered by position, places, likelihood
/// of superiority. Always: the first-move advantage, over all start positions and at each. Every
/// number is explained in docs/statistics.md.
///
/// Engines with the same name are one engine, unless events ran them as different programs or under
/// different limits (see --pool). PGN games are replayed, so that illegal games are left out and copies
/// of games found; --fast reads tags only.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 stats results/quickstart
  arbiter960 stats results/first-move-advantage --by position
  arbiter960 stats results/first-move-advantage --by position --format csv > positions.csv
  arbiter960 stats results/first-move-advantage --equivalence 15
  arbiter960 stats --table published.csv
  arbiter960 stats games.pgn more.pgn --fast --format json
  arbiter960 stats games.pgn --anchor \"Stockfish 16=3640\"
  arbiter960 stats games.pgn --model davidson")]
pub(crate) struct StatsArguments {
    /// Event folders and PGN files, also compressed (gzip, Zstandard, bzip2); - is the standard input
    #[arg(value_name = "PATH", required_unless_present = "table")]
    paths: Vec<PathBuf>,

    /// A table of results instead of games: csv with the columns start, wins, draws, losses (White's), a
    /// start being a number or White's first rank
    #[arg(long, value_name = "FILE", conflicts_with_all = ["paths", "by"])]
    table: Option<PathBuf>,

    /// text for people, markdown for documents, json with everything, csv for a table
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: TableFormat,

    /// A table with a row for each of these instead of the summary; of csv the default is position
    #[arg(long, value_name = "WHAT")]
    by: Option<By>,

    /// Every number with its interval, and the checks of the models
    #[arg(long)]
    details: bool,

    /// Read tags only: no moves of PGN files
    #[arg(long, conflicts_with = "moves")]
    fast: bool,

    /// Read the moves of event folders too: the ply at which the games of a start first differ, and the
    /// principal variations that are wrong
    #[arg(long)]
    moves: bool,

    /// Take engines of one name for one engine, whatever program they ran under which limits
    #[arg(long)]
    pool: bool,

    /// Which positions differ from the mean of all by less than this number of Elo, in text; csv and json have
    /// it for 20 Elo unless this says otherwise
    #[arg(long, value_name = "ELO", value_parser = margin)]
    equivalence: Option<f64>,

    /// The model of the ratings that are shown; json has all
    #[arg(long, value_name = "MODEL", default_value = "logistic")]
    model: RatingModel,

    /// Hold an engine at a known rating, as in --anchor "Stockfish 16=3640"; may be repeated
    #[arg(long = "anchor", value_name = "ENGINE=ELO", value_parser = anchor)]
    anchors: Vec<(String, f64)>,
}

fn margin(text: &str) -> Result<f64, String> {
    let elo: Option<f64> = text.parse().ok();
    elo.filter(|elo| *elo > 0.0 && elo.is_finite())
        .ok_or_else(|| "a margin is a positive number of Elo".to_owned())
}

/// The last `=` ends the name: a name may have one too.
fn anchor(text: &str) -> Result<(String, f64), String> {
    let parts = text.rsplit_once('=');
    let (name, elo) = parts.ok_or("an anchor is ENGINE=ELO, such as Stockfish=3640")?;
    let elo: Option<f64> = elo.trim().parse().ok();
    let elo = elo.filter(|elo| elo.abs() <= 100_000.0);
    let elo = elo.ok_or("the rating is not a number of Elo")?;
    Ok((name.to_owned(), elo))
}

/// The formats of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TableFormat {
    Text,
    Markdown,
    Json,
    Csv,
}

impl TableFormat {
    /// Writes a text, or else the value that it was made of.
    ///
    /// # Errors
    /// There is no csv of it, or the output cannot be written.
    pub(super) fn write(
        self,
        document: &Document,
        value: &impl serde::Serialize,
        what: &str,
        out: &mut dyn Write,
    ) -> Result<()> {
        match self {
            TableFormat::Text => write!(out, "{}", document.text())?,
            TableFormat::Markdown => write!(out, "{}", document.markdown())?,
            TableFormat::Json => write_json(out, value)?,
            TableFormat::Csv => anyhow::bail!("{what} has no csv: give text, markdown or json"),
        }
        Ok(())
    }
}

/// What a table has a row for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    /// Start positions.
    Position,
    /// Engines.
    Engine,
    /// Complete pairs.
    Pair,
    /// Engines, with whom they met in every round and how it ended: the crosstable by rounds of one event. In csv every
    /// game has its sign.
    Round,
}

/// Runs the command.
///
/// # Errors
/// An event or a file cannot be read.
pub(crate) fn run(arguments: &StatsArguments, out: &mut dyn Write) -> Result<u8> {
    if let Some(path) = &arguments.table {
        return of_table(path, arguments, out);
    }
    let (collection, options) = arguments.counted()?;
    let statistics = EventStatistics::with(&collection, &options).map_err(anyhow::Error::msg)?;
    let table = || match arguments.by {
        None => Ok(details(&statistics)),
        Some(By::Position) => Ok(by_position(&statistics)),
        Some(By::Engine) => Ok(by_engine(&statistics)),
        Some(By::Pair) => Ok(by_pair(&statistics)),
        Some(By::Round) => arguments.rounds(&statistics, FEW_GAMES).map(|table| {
            Document::written(|document| {
                document.table(table);
                document.paragraph(LEGEND);
            })
        }),
    };
    match (arguments.format, arguments.by) {
        (TableFormat::Text, None) => arguments.summary(&statistics, out)?,
        (TableFormat::Text, Some(_)) => write!(out, "{}", table()?.text())?,
        (TableFormat::Markdown, _) => write!(out, "{}", table()?.markdown())?,
        (TableFormat::Json, _) => {
            let all = WithVariations {
                verdict: serde_json::json!(arguments.judged(&statistics)?.1),
                variations: arguments.variations()?,
                statistics,
            };
            write_json(out, &all)?;
        }
        (TableFormat::Csv, None | Some(By::Position)) => {
            write!(out, "{}", positions_csv(&statistics))?
        }
        (TableFormat::Csv, Some(By::Engine)) => {
            let (state, _) = arguments.judged(&statistics)?;
            let board = state.as_ref().map(EventState::board);
            write!(out, "{}", engines_csv(&statistics, board))?
        }
        (TableFormat::Csv, Some(By::Pair)) => write!(out, "{}", pairs_csv(&statistics))?,
        (TableFormat::Csv, Some(By::Round)) => {
            write!(out, "{}", arguments.rounds(&statistics, usize::MAX)?.csv())?
        }
    }
    Ok(exit::DONE)
}

/// A table of results from other programs.
fn of_table(path: &Path, arguments: &StatsArguments, out: &mut dyn Write) -> Result<u8> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    let table = ResultTable::read(&text).map_err(anyhow::Error::msg);
    let table = table.with_context(|| name.clone())?;
    let report = table.report(DEFAULT_LEVEL, arguments.equivalence);
    let document = of_results(table.total(), &report);
    arguments.format.write(&document, &report, "a table", out)?;
    Ok(exit::DONE)
}

impl StatsArguments {
    /// The crosstable by rounds.
    fn rounds(&self, statistics: &EventStatistics, one_by_one: usize) -> Result<Table> {
        let (state, verdict) = self.judged(statistics)?;
        let ratings = match verdict.kind {
            EventKind::Tree => Ratings::new(),
            _ => ratings_beside(statistics),
        };
        let table = state.and_then(|state| by_rounds(state.board(), &ratings, one_by_one));
        table.context(
            "--by round is about one event that is played in rounds, as a Swiss or a cup is: name its folder",
        )
    }

    /// The first lines, and below them a table or every number.
    fn summary(&self, statistics: &EventStatistics, out: &mut dyn Write) -> Result<()> {
        let (state, verdict) = self.judged(statistics)?;
        let places = self.paths.iter();
        let places = places.map(|path| shell_word(&path.display().to_string()));
        let places: Vec<_> = places.collect();
        writeln!(out, "{}", first_text(&verdict, &places.join(" ")))?;
        let numbers = || details(statistics).text();
        let below = match state.as_ref() {
            state if !self.details => results(&verdict, state, Some(statistics)),
            Some(state) if verdict.kind.is_contest() => {
                of_event(verdict.kind, state, Some(statistics)) + "\n" + &numbers()
            }
            _ => numbers(),
        };
        write!(out, "{below}")?;
        for found in self.variations()? {
            for line in variation_lines(&found, found.games, 0) {
                write!(out, "{}", paragraph(&line, 0))?;
            }
        }
        Ok(())
    }

    /// The games, and what is computed of them.
    fn counted(&self) -> Result<(Collection, StatisticsOptions)> {
        let for_programs = matches!(self.format, TableFormat::Json | TableFormat::Csv);
        let usual = for_programs.then_some(USUAL_MARGIN);
        let options = StatisticsOptions {
            model: self.model,
            anchors: self.anchors.clone(),
            everything: self.format != TableFormat::Text,
            equivalence: self.equivalence.or(usual),
        };
        let is_anchored = !options.anchors.is_empty();
        if is_anchored && options.model != RatingModel::Logistic {
            anyhow::bail!("anchors hold logistic ratings: take --anchor out, or --model");
        }
        let collection = self.collect()?;
        if is_anchored && (collection.self_play || collection.table.engines().len() < 2) {
            anyhow::bail!("there are no ratings to be anchored: one engine played itself");
        }
        Ok((collection, options))
    }

    /// The claims about one event, or about games without an event.
    fn judged(&self, statistics: &EventStatistics) -> Result<(Option<EventState>, Verdict)> {
        match self.paths.as_slice() {
            [one] if is_event(one) => {
                let state = EventState::read(&Reader::open(folder_of(one))?)?;
                let verdict = Verdict::of_event(&state, Some(statistics));
                Ok((Some(state), verdict))
            }
            _ => Ok((None, Verdict::of_games(statistics))),
        }
    }

    /// The principal variations of the events, with `--moves`.
    fn variations(&self) -> Result<Vec<Variations>> {
        let folders = self.paths.iter().filter(|path| is_event(path));
        let folders = folders.filter(|_| self.moves);
        let of = |folder: &PathBuf| {
            let reader = Reader::open(folder_of(folder))?;
            let roster = Roster::read(&reader)?;
            Ok(Variations::of_event(&reader, &roster, u64::MAX)?)
        };
        folders.map(of).collect()
    }

    fn collect(&self) -> Result<Collection> {
        let mut collector = Collector::new(self.moves);
        collector.compares = self.paths.len() > 1;
        collector.pools = self.pool;
        let stores = self.paths.iter().filter(|path| is_event(path)).count();
        if self.fast && stores > 0 && stores < self.paths.len() {
            anyhow::bail!(
                "--fast reads no moves, so it cannot tell whether a file has the games of an event: \
                 leave --fast out, or give one of the two"
            );
        }
        add_all(&mut collector, &self.paths, !self.fast)?;
        Ok(collector.finish())
    }
}

/// The statistics, and what the moves of events show in addition.
#[derive(serde::Serialize)]
struct WithVariations {
    /// The claims that the games allow.
    verdict: serde_json::Value,
    #[serde(flatten)]
    statistics: EventStatistics,
    /// Variations that do not hold, by event; only with `--moves`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Variations>,
}

impl ValueEnum for RatingModel {
    fn value_variants<'a>() -> &'a [RatingModel] {
        &RatingModel::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            RatingModel::Logistic => {
                "Expected points on the logistic curve, nothing assumed of draws; errors by position or pair"
            }
            RatingModel::Davidson => "Davidson's model of wins, draws and losses; errors by pair",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}
