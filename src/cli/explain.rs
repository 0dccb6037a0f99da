//! `arbiter960 explain`: why a game was lost.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use serde::Serialize;
use serde_json::json;

use crate::chess::{CastlingRule, UciDialect};
use crate::cli::exit;
use crate::config::{Overrides, RealFiles, Tournament, load, parse};
use crate::event::identity::EventEngine;
use crate::referee::{FaultKind, GameRecord, MoveRecord};
use crate::report::explain::{
    EventFiles, Explanation, GameSource, Reproduction, explanation_text, findings, findings_text,
    voided_games, voided_text,
};
use crate::run::replay::{Questions, ReplayReply};
use crate::store::Reader;
use crate::text::{count, duration, paragraph, printable, write_json};
use crate::uci::chess480_variant;

/// Say why a game was lost, or list the games that were.
///
/// First in one sentence. For a fault: the last moves, the last lines from and to both engines, the
/// end of stderr, how the process ended. For a loss on the board: the move that cost most, where the
/// engines began to disagree, and the commands that show the search for that move again.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 explain results/quickstart
  arbiter960 explain results/quickstart 17.1
  arbiter960 explain results/quickstart --voided
  arbiter960 explain results/quickstart 17.1 --replay")]
pub(crate) struct ExplainArguments {
    /// The event's folder
    #[arg(value_name = "RESULTS")]
    results: PathBuf,

    /// The game, as in the PGN tag Round; or pair and game (17.1); or a pair, for all its games (17)
    #[arg(value_name = "GAME")]
    game: Option<String>,

    /// Its last voided attempt, if it was voided and played again; without a game: list the voided
    /// games
    #[arg(long)]
    voided: bool,

    /// text for people, json with everything
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: OutputFormat,

    /// Start the engine as in the event, ask it the same again, and compare
    #[arg(long, requires = "game")]
    replay: bool,

    /// The event file for --replay, if it is not where it was
    #[arg(long, value_name = "EVENT.toml", requires = "replay")]
    event: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    Text,
    Json,
}

/// Runs the command.
///
/// # Errors
/// The event cannot be read, or has no such game; the engine cannot be started.
pub(crate) fn run(arguments: &ExplainArguments, out: &mut dyn Write) -> Result<u8> {
    let files = EventFiles::new(Reader::open(&arguments.results)?)?;
    let Some(name) = &arguments.game else {
        let games = if arguments.voided {
            voided_games(&files)?
        } else {
            findings(&files)?
        };
        match arguments.format {
            OutputFormat::Text if arguments.voided => write!(out, "{}", voided_text(&games))?,
            OutputFormat::Text => write!(out, "{}", findings_text(&games))?,
            OutputFormat::Json => write_json(out, &json!({ "schema": 1, "games": games }))?,
        }
        return Ok(exit::DONE);
    };
    let games = files.games(name, arguments.voided)?;
    if games.is_empty() {
        if let Some(why) = files.unplayed(name)? {
            bail!("game {} {why}", printable(name));
        }
        bail!(
            "there is no game {} in this event: games are named as the tag Round of games.pgn has it, or by \
             pair and game, such as 17.1",
            printable(name)
        );
    }
    for source in &games {
        explain(arguments, &files, source, out)?;
    }
    Ok(exit::DONE)
}

/// Prints why one game was lost.
fn explain(
    arguments: &ExplainArguments,
    files: &EventFiles,
    source: &GameSource,
    out: &mut dyn Write,
) -> Result<()> {
    let explanation = Explanation::new(files, source)?;
    let replayed = match (arguments.replay, &explanation.reproduction) {
        (false, _) => None,
        (true, Some(search)) => Some(replay(files, source, search, arguments.event.as_deref())?),
        (true, None) => {
            let what = "there is no search to replay: nobody lost it by a move";
            return Err(anyhow!(what)).with_context(|| format!("game {}", explanation.game));
        }
    };
    match arguments.format {
        OutputFormat::Text => {
            write!(out, "{}", explanation_text(&explanation))?;
            for line in replayed.iter().flat_map(|replayed| &replayed.lines) {
                write!(out, "{}", paragraph(line, 0))?;
            }
        }
        OutputFormat::Json => {
            let mut value = serde_json::to_value(&explanation)?;
            value["replay"] = serde_json::to_value(&replayed)?;
            write_json(out, &value)?;
        }
    }
    Ok(())
}

// `explain --replay`: the engine is asked to do the same search again.

/// Repeats the engine's `search` of the game. If only nodes and depth limit its searches, all its earlier searches of
/// the game come first, so that its tables have the same content as in the game.
///
/// # Errors
/// The event file cannot be read or has another engine in this place; the engine cannot
/// be started.
fn replay(
    files: &EventFiles,
    source: &GameSource,
    search: &Reproduction,
    event: Option<&Path>,
) -> Result<ReplayComparison> {
    let tournament = tournament(files, event)?;
    let seat = source.game.seat(search.side);
    let stored = files.engine(source.revision, seat)?;
    let spec = tournament.engines.get(usize::from(seat.engine));
    let spec = spec.filter(|spec| stored.name == spec.name);
    let spec = spec.with_context(|| {
        let name = printable(&search.engine);
        format!("the event file has no engine {name} in this place; name the right one by --event")
    })?;
    let record = &source.game.record;
    let players = files.players(source)?;
    let first = if search.fixed {
        search.index % 2
    } else {
        search.index
    };
    let indices: Vec<usize> = (first..=search.index).step_by(2).collect();
    let searches = indices.iter().map(|&index| {
        let mut request = record.request(&players, files.roster.variant.uci_dialect(), index);
        if index == search.index {
            request.go.clone_from(&search.go);
        }
        // As long as in the event: what the clock allowed, else `timeouts.stall`, but never less than four times what
        // the search took in the game.
        let played = record.moves.get(index);
        let took = played.map_or(Duration::ZERO, MoveRecord::elapsed);
        let stall = tournament.timeouts.stall.max(4 * took);
        let limit = request.allowed.unwrap_or(stall);
        (request, limit)
    });
    let from_file = tournament.variant.castling_rule() == CastlingRule::Chess480;
    let replies = Questions {
        spec,
        tournament: &tournament,
        folder: files.reader.folder(),
        variant: from_file.then(|| chess480_variant(&record.start)).flatten(),
        searches: searches.collect(),
    }
    .ask()?;
    let changes = changes(stored, &tournament, seat.engine)?;
    let asked = (indices.as_slice(), replies.as_slice());
    let dialect = files.roster.variant.uci_dialect();
    Ok(compare_replies(record, search, dialect, asked, changes))
}

/// The stored event file, or its present version.
fn tournament(files: &EventFiles, event: Option<&Path>) -> Result<Tournament> {
    if let Some(path) = event {
        return Ok(load(path, Overrides::default())?.0);
    }
    let value = |key| files.reader.value(key);
    let (Some(text), Some(origin)) = (value("config")?, value("source")?) else {
        bail!("the store does not say where the event file lay: name it by --event");
    };
    let parsed = parse(&text, Path::new(&origin), Overrides::default(), &RealFiles);
    let parsed = parsed.context("the event file as it was stored; --event names another one")?;
    Ok(parsed.0)
}

/// How the engine differs from the one that played the game.
fn changes(stored: &EventEngine, tournament: &Tournament, engine: u16) -> Result<Vec<String>> {
    let now = tournament.identity()?;
    let differences = stored.differences(&now.engines[usize::from(engine)]);
    let lines = differences.iter();
    let lines = lines.map(|one| format!("The engine is not what it was: {one}."));
    Ok(lines.collect())
}

/// The result of the comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct ReplayComparison {
    /// Searches before the one in question that were asked again too.
    earlier: usize,
    /// How many of them gave the same move after the same nodes.
    earlier_same: usize,
    /// Whether the one in question gave the same move after the same nodes, or the same
    /// fault; `None` if the engine failed before.
    same: Option<bool>,
    /// The answer, as the engine wrote it.
    answer: Option<String>,
    /// The nodes it took.
    nodes: Option<u64>,
    /// All of it in sentences.
    lines: Vec<String>,
}

/// Compares; `indices` are the places of the searches among the engines' moves, `lines` come before those of the comparison.
fn compare_replies(
    record: &GameRecord,
    search: &Reproduction,
    dialect: UciDialect,
    (indices, replies): (&[usize], &[ReplayReply]),
    mut lines: Vec<String>,
) -> ReplayComparison {
    let earlier = indices.len().saturating_sub(1);
    let pairs = indices.iter().zip(replies).take(earlier);
    let earlier_same = pairs
        .filter(|(index, reply)| is_same(record, dialect, **index, reply))
        .count();
    if earlier > 0 {
        lines.push(format!(
            "Asked again from its first move on: {earlier_same} of {earlier} earlier searches gave \
             the same move after the same nodes."
        ));
    }
    let reply = replies.get(earlier);
    let same = reply.map(|reply| match record.faults.first() {
        Some(fault) => is_fault(record, dialect, fault.kind, reply),
        None => is_same(record, dialect, search.index, reply),
    });
    match (reply, same) {
        (Some(reply), Some(same)) => lines.push(verdict(search, reply, same)),
        _ => {
            let last = replies.last().map_or("no answer".to_owned(), words);
            lines.push(format!("It did not come that far this time: {last}."));
        }
    }
    if !search.fixed {
        lines.push("Under a clock a search may differ from one time to the next.".to_owned());
    }
    let (answer, nodes) = match reply {
        Some(ReplayReply::Move { text, thinking, .. }) => (Some(text.clone()), thinking.nodes),
        _ => (None, None),
    };
    ReplayComparison {
        earlier,
        earlier_same,
        same,
        answer,
        nodes,
        lines,
    }
}

/// Whether it is the same move after the same nodes.
fn is_same(record: &GameRecord, dialect: UciDialect, index: usize, reply: &ReplayReply) -> bool {
    let (ReplayReply::Move { text, thinking, .. }, Some(played)) = (reply, record.moves.get(index))
    else {
        return false;
    };
    let board = record.board();
    let here = &board.positions()[record.opening.len() + index];
    here.uci(played.chess_move, dialect).to_string() == *text
        && played.thinking.nodes == thinking.nodes
}

/// Whether it is the fault that lost the game.
fn is_fault(
    record: &GameRecord,
    dialect: UciDialect,
    kind: FaultKind,
    reply: &ReplayReply,
) -> bool {
    match reply {
        ReplayReply::Ended { .. } => kind == FaultKind::Crash,
        ReplayReply::Silent(_) => matches!(kind, FaultKind::FlagFall | FaultKind::Stall),
        ReplayReply::Move { text, .. } => {
            let parsed = record.board().position().parse_uci(text, dialect);
            kind == FaultKind::IllegalMove && parsed.is_err()
        }
    }
}

fn verdict(search: &Reproduction, reply: &ReplayReply, same: bool) -> String {
    let now = words(reply);
    match (&search.played, same) {
        (Some(_), true) => format!("The same again: {now}."),
        (None, true) => format!("The same fault again: {now}."),
        (None, false) => format!("The fault did not show this time: {now}."),
        (Some(played), false) => {
            let after = nodes_words(search.nodes);
            format!("Not the same: {now}; in the game {played}{after}.")
        }
    }
}

/// An answer in words, without a full stop.
fn words(reply: &ReplayReply) -> String {
    match reply {
        ReplayReply::Move {
            text,
            thinking,
            elapsed,
        } => {
            let shown: String = text.chars().take(40).collect();
            let after = nodes_words(thinking.nodes);
            format!("{}{after}, {}", printable(&shown), duration(*elapsed))
        }
        ReplayReply::Silent(limit) => format!("no answer within {}", duration(*limit)),
        ReplayReply::Ended { exit, stderr } if stderr.is_empty() => exit.clone(),
        ReplayReply::Ended { exit, stderr } => {
            let last = stderr.lines().last().unwrap_or_default();
            let last: String = last.chars().take(200).collect();
            format!("{exit}; stderr ends with {last:?}")
        }
    }
}

fn nodes_words(nodes: Option<u64>) -> String {
    let words = nodes.map(|nodes| format!(" after {}", count(nodes, "node")));
    words.unwrap_or_default()
}
