//! `positions --evaluate`: an engine's evaluation of each position, as lines of EPD.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use indicatif::ProgressBar;

use super::format::ShownPosition;
use crate::check::{CheckedEngine, Evaluation, Evaluator};
use crate::chess::start::epd;
use crate::cli::check::{option, program};
use crate::cli::mistakes::at_least_one;
use crate::engine::guardian::Guardian;
use crate::platform::runtime;
use crate::uci::Score;

/// How long an engine may take for everything but a search.
const REPLY_TIMEOUT: Duration = Duration::from_secs(60);

/// The engine that evaluates positions, and what becomes of its evaluations.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct EvaluateArguments {
    /// What this engine thinks of each position, as EPD: `ce` or `dm` as the side to move sees it, `acn` the
    /// nodes, `c0` the engine, `c1` its chances of a win, a draw and a loss in 1,000 where it tells them
    #[arg(long, value_name = "ENGINE", requires = "nodes", conflicts_with_all = ["format", "unicode", "place"])]
    pub(super) evaluate: Option<String>,

    /// The nodes of each search of --evaluate
    #[arg(long, value_name = "N", requires = "evaluate", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Set an option of the engine that evaluates; repeatable
    #[arg(long = "option", value_name = "NAME=VALUE", requires = "evaluate", value_parser = option)]
    options: Vec<(String, String)>,

    /// Print only positions that White's evaluation puts here: centipawns such as 80..120, or its chance of a
    /// win such as 0.5..0.6
    #[arg(
        long,
        value_name = "FROM..TO",
        requires = "evaluate",
        allow_hyphen_values = true
    )]
    between: Option<EvaluationRange>,

    /// Keep every evaluation in this file; the same command goes on where it was stopped
    #[arg(long, short, value_name = "FILE.epd", requires = "evaluate")]
    output: Option<PathBuf>,

    /// Searches at once, each in a process of its own; by default as many as there are processors
    #[arg(long, value_name = "N", requires = "evaluate", value_parser = at_least_one)]
    concurrency: Option<NonZeroUsize>,
}

/// Evaluations from one to another.
#[derive(Debug, Clone, Copy, PartialEq)]
struct EvaluationRange {
    from: f64,
    to: f64,
    /// Chances of a win, not centipawns.
    is_chance: bool,
}

impl FromStr for EvaluationRange {
    type Err = String;

    fn from_str(text: &str) -> Result<EvaluationRange, String> {
        let ends = text.split_once("..");
        let numbers = ends.and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
        let (from, to): (f64, f64) = numbers.ok_or("a range is FROM..TO, such as 80..120")?;
        if from > to {
            return Err("a range begins with its smaller end".to_owned());
        }
        let is_chance = ends.is_some_and(|(from, to)| from.contains('.') || to.contains('.'));
        Ok(EvaluationRange {
            from,
            to,
            is_chance,
        })
    }
}

impl EvaluationRange {
    /// Whether White's evaluation in this line is in the range; an engine without chances has none in a range of them.
    fn holds(self, line: &str) -> bool {
        let for_white = line.split(' ').nth(1) == Some("w");
        let value = || {
            if self.is_chance {
                let mut chances = operand(line, "c1")?.trim_matches('"').split(' ').skip(1);
                let chance = chances.nth(if for_white { 0 } else { 2 })?;
                return Some(chance.parse::<f64>().ok()? / 1000.0);
            }
            let centipawns = operand(line, "ce")?.parse::<f64>().ok()?;
            Some(if for_white { centipawns } else { -centipawns })
        };
        value().is_some_and(|value| (self.from..=self.to).contains(&value))
    }
}

/// What an opcode of a line of EPD says.
fn operand<'a>(line: &'a str, opcode: &str) -> Option<&'a str> {
    let operations = line.split("; ").map(|part| part.trim_end_matches(';'));
    // The first one stands behind the four fields of the position.
    let operations = operations.map(|part| {
        let behind = part.splitn(5, ' ').nth(4);
        behind.filter(|_| part.contains('/')).unwrap_or(part)
    });
    let mut named = operations.filter_map(|part| part.split_once(' '));
    named.find_map(|(name, value)| (name == opcode).then_some(value))
}

/// A line of EPD without its line feed.
fn line(shown: &ShownPosition, evaluation: Evaluation, engine: &str, nodes: u64) -> String {
    let fen = shown.xfen();
    let mut counters = fen.split(' ').skip(4);
    let counters = match (counters.next(), counters.next()) {
        (Some("0"), Some("1")) | (None, _) | (_, None) => String::new(),
        (Some(halfmoves), Some(number)) => format!("; hmvc {halfmoves}; fmvn {number}"),
    };
    let score = match evaluation.score {
        Score::Centipawns(centipawns) => format!("ce {centipawns}"),
        Score::Mate(moves) => format!("dm {moves}"),
    };
    let chances = match evaluation.chances {
        Some([wins, draws, losses]) => format!(" c1 \"wdl {wins} {draws} {losses}\";"),
        None => String::new(),
    };
    let (position, engine) = (epd(&fen), quoted(engine));
    format!("{position} {score}; acn {nodes}{counters}; c0 {engine};{chances}")
}

/// A text as an operand.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace(['"', ';'], " "))
}

/// Evaluates the positions, and prints those that are wanted, in their order.
///
/// # Errors
/// The engine is not found or fails (what was evaluated before is printed), or a file or `out` cannot be written.
pub(super) fn print(
    arguments: &EvaluateArguments,
    positions: impl Iterator<Item = Result<ShownPosition>>,
    out: &mut dyn Write,
) -> Result<()> {
    let positions = positions.collect::<Result<Vec<_>>>()?;
    let engine = arguments.evaluate.as_deref().unwrap_or_default();
    let nodes = arguments.nodes.unwrap_or(1);
    let candidate = CheckedEngine {
        program: program(engine)?,
        arguments: Vec::new(),
        options: arguments.options.clone(),
    };
    let guardian = Guardian::start()?;
    let name = with_engine(&candidate, &guardian, async |evaluator| {
        evaluator.name().to_owned()
    });
    let name = name.map_err(|why| anyhow!("{engine}: {why}"))?;
    let output = arguments.output.as_deref();
    let mut known = match output {
        Some(path) => kept(path, &name, nodes)?,
        None => HashMap::new(),
    };
    let mut open: Vec<&ShownPosition> = positions.iter().collect();
    open.retain(|shown| !known.contains_key(&epd(&shown.xfen())));
    let processors = thread::available_parallelism()?;
    let lanes = arguments.concurrency.unwrap_or(processors).get();
    let appended = |path| OpenOptions::new().append(true).create(true).open(path);
    let mut file = output.map(appended).transpose()?;
    let progress = ProgressBar::new(open.len() as u64);
    let found = |shown: &ShownPosition, found: Evaluation| {
        let line = line(shown, found, &name, nodes);
        if let Some(file) = &mut file {
            file.write_all(format!("{line}\n").as_bytes())?;
        }
        known.insert(epd(&shown.xfen()), line);
        progress.inc(1);
        anyhow::Ok(())
    };
    let evaluated = in_lanes(&candidate, &guardian, (&open, nodes, lanes), found);
    progress.finish_and_clear();
    guardian.dismiss();
    for shown in &positions {
        let line = known.get(&epd(&shown.xfen()));
        let is_wanted = |line: &&String| arguments.between.is_none_or(|range| range.holds(line));
        if let Some(line) = line.filter(is_wanted) {
            writeln!(out, "{line}")?;
        }
    }
    out.flush()?;
    evaluated.with_context(|| engine.to_owned())
}

/// The lines of a file of evaluations by this engine, by their positions; a line that was not finished is cut off.
fn kept(path: &Path, engine: &str, nodes: u64) -> Result<HashMap<String, String>> {
    let name = path.display();
    let mut text = match fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(HashMap::new()),
        read => read.with_context(|| format!("cannot read {name}"))?,
    };
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    if whole < text.len() {
        text.truncate(whole);
        fs::write(path, &text)?;
    }
    let (engine, nodes) = (quoted(engine), nodes.to_string());
    let mut known = HashMap::new();
    for line in text.lines() {
        ensure!(
            operand(line, "c0") == Some(&engine) && operand(line, "acn") == Some(&nodes),
            "{name} has evaluations of another engine or other nodes: name another file"
        );
        known.insert(epd(line), line.to_owned());
    }
    Ok(known)
}

/// Runs a task with an engine that has been heard, in a runtime of this thread.
fn with_engine<T>(
    candidate: &CheckedEngine,
    guardian: &Guardian,
    task: impl AsyncFnOnce(&Evaluator) -> T,
) -> Result<T, String> {
    let runtime = runtime().map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let met = Evaluator::meet(candidate.clone(), REPLY_TIMEOUT, guardian.clone()).await?;
        Ok(task(&met).await)
    })
}

/// Evaluates the positions in several processes at once; `found` gets each evaluation as it comes.
fn in_lanes(
    candidate: &CheckedEngine,
    guardian: &Guardian,
    (open, nodes, lanes): (&[&ShownPosition], u64, usize),
    mut found: impl FnMut(&ShownPosition, Evaluation) -> Result<()>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..lanes.min(open.len()) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let places = std::iter::from_fn(|| {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    Some((place, open.get(place)?.position.clone()))
                });
                let searched = with_engine(candidate, guardian, async |evaluator| {
                    let send = |place, evaluation| drop(sender.send(Ok((place, evaluation))));
                    let searched = evaluator.evaluate(nodes, places, send).await;
                    searched.map_err(|(place, why)| format!("in {}: {why}", open[place].xfen()))
                });
                if let Err(why) = searched.flatten() {
                    drop(sender.send(Err(why)));
                }
            });
        }
        drop(sender);
        let mut outcome = Ok(());
        for result in results {
            let taken = match result {
                Ok((place, evaluation)) => found(open[place], evaluation),
                Err(why) => Err(anyhow!(why)),
            };
            if taken.is_err() {
                // No lane takes another position.
                next.store(open.len(), Ordering::Relaxed);
            }
            outcome = outcome.and(taken);
        }
        outcome
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_whites_whoever_is_to_move() {
        let white = "k7/8/8/8/8/8/8/K7 w - - ce 90; acn 5; c0 \"A B\"; c1 \"wdl 500 300 200\";";
        let black = white.replace(" w - - ce 90", " b - - ce -90");
        let range = |text: &str| text.parse::<EvaluationRange>().unwrap();
        assert!(range("80..120").holds(white) && range("80..120").holds(&black));
        assert!(!range("-120..80").holds(white));
        assert!(range("0.5..0.6").holds(white) && range("0.1..0.2").holds(&black));
        assert_eq!(operand(white, "c0"), Some("\"A B\""));
        assert!(
            "5".parse::<EvaluationRange>().is_err() && "2..1".parse::<EvaluationRange>().is_err()
        );
    }
}
