//! `arbiter960 status`: where an event stands.

use std::io::Write;
use std::path::PathBuf;

use crate::cli::exit;
use crate::store::Reader;
use crate::text::{harmless_json, printable};
use crate::tournament::{Roster, scoreboard};
use crate::tournament::{ruling_lines, ruling_values};

/// Say where an event stands: played, missing, voided, running.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  arbiter960 status results/quickstart")]
pub(crate) struct StatusArguments {
    /// The event's folder
    #[arg(value_name = "RESULTS")]
    results: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// There is no event in the folder, or it cannot be read.
pub(crate) fn run(arguments: &StatusArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let reader = Reader::open(&arguments.results)?;
    let roster = Roster::read(&reader)?;
    let counts = reader.counts()?;
    let board = scoreboard(&reader, &roster)?;
    let missing = roster
        .planned_games
        .map(|planned| board.missing_games(planned));
    let running = reader.is_running();
    if arguments.json {
        let value = serde_json::json!({
            "event": roster.event,
            "planned_games": roster.planned_games,
            "played_games": counts.finished,
            "played_pairs": counts.pairs,
            "missing_games": missing,
            "voided_games": counts.voided,
            "annulled_games": board.annulled_games(),
            "cancelled_games": board.cancelled_games(),
            "disqualified": ruling_values(&board),
            "running": running,
            "adaptive": roster.adaptive,
        });
        writeln!(out, "{}", harmless_json(&value.to_string()))?;
        return Ok(exit::DONE);
    }
    let known = |number: Option<u64>| number.map_or("open".to_owned(), |n| n.to_string());
    writeln!(out, "event     {}", printable(&roster.event))?;
    writeln!(out, "planned   {} games", known(roster.planned_games))?;
    writeln!(
        out,
        "played    {} games, {} pairs",
        counts.finished, counts.pairs
    )?;
    writeln!(out, "missing   {} games", known(missing))?;
    writeln!(
        out,
        "voided    {} (logged, to be played again)",
        counts.voided
    )?;
    if let Some(adaptive) = &roster.adaptive {
        writeln!(out, "adaptive  {adaptive}")?;
    }
    for line in ruling_lines(&board) {
        writeln!(out, "note      {line}")?;
    }
    writeln!(out, "running   {}", if running { "yes" } else { "no" })?;
    Ok(exit::DONE)
}
