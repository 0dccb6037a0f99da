//! `positions --evaluate`: an engine's evaluation of each position.

use std::io::Write;
use std::time::Duration;

use anyhow::{Context, anyhow};

use super::format::ShownPosition;
use crate::check::{CheckedEngine, Evaluation, Evaluator};
use crate::cli::check::program;
use crate::engine::guardian::Guardian;
use crate::text::csv_row;
use crate::uci::Score;

/// How long an engine may take for everything but a search.
const ANSWER: Duration = Duration::from_secs(60);

/// The columns. Values are White's; what the engine or the position does not have is empty.
const COLUMNS: [&str; 9] = [
    "engine",
    "nodes",
    "number",
    "fen",
    "centipawns",
    "mate",
    "wins",
    "draws",
    "losses",
];

fn row(
    engine: &str,
    nodes: u64,
    shown: &ShownPosition,
    evaluation: Evaluation,
) -> [String; COLUMNS.len()] {
    let (centipawns, mate) = Score::columns(Some(evaluation.score));
    let chance = |index: usize| cell(evaluation.chances.map(|chances| chances[index]));
    [
        engine.to_owned(),
        nodes.to_string(),
        cell(shown.number),
        shown.xfen(),
        cell(centipawns),
        cell(mate),
        chance(0),
        chance(1),
        chance(2),
    ]
}

fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// Prints a row for each position as soon as its evaluation is known.
///
/// # Errors
/// The engine is not found or fails, or `out` cannot be written.
pub(super) fn print(
    engine: &str,
    options: &[(String, String)],
    nodes: u64,
    positions: impl Iterator<Item = anyhow::Result<ShownPosition>>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let candidate = CheckedEngine {
        program: program(engine)?,
        arguments: Vec::new(),
        options: options.to_vec(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let guardian = Guardian::start()?;
    let met = runtime.block_on(Evaluator::meet(candidate, ANSWER, guardian.clone()));
    let evaluator = met.map_err(|why| anyhow!("{engine}: {why}"))?;
    let mut write = |fields: [String; COLUMNS.len()]| {
        let mut line = String::new();
        csv_row(&mut line, fields);
        line.push('\n');
        out.write_all(line.as_bytes())?;
        out.flush()
    };
    write(COLUMNS.map(str::to_owned))?;
    for shown in positions {
        let shown = shown?;
        let evaluation = runtime.block_on(evaluator.evaluate(&shown.position, nodes));
        let evaluation = evaluation
            .map_err(anyhow::Error::msg)
            .with_context(|| format!("{engine} in {}", shown.xfen()))?;
        write(row(evaluator.name(), nodes, &shown, evaluation))?;
    }
    guardian.dismiss();
    Ok(())
}
