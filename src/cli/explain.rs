//! `arbiter960 explain`: why a game was lost.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use clap::ValueEnum;
use clap_complete::ArgValueCandidates;
use serde_json::{Value, json};

use crate::cli::completions::games;
use crate::cli::exit;
use crate::cli::replay::replay;
use crate::report::explain::{
    EventFiles, Explanation, GameSource, explanation_text, findings, findings_text, voided_games,
    voided_text,
};
use crate::store::Reader;
use crate::text::{harmless_json, paragraph, printable};

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
    #[arg(value_name = "GAME", add = ArgValueCandidates::new(games))]
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
pub(crate) fn run(arguments: &ExplainArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let files = EventFiles::new(Reader::open(&arguments.results)?)?;
    let Some(name) = &arguments.game else {
        let games = match arguments.voided {
            true => voided_games(&files)?,
            false => findings(&files)?,
        };
        match arguments.format {
            OutputFormat::Text if arguments.voided => write!(out, "{}", voided_text(&games))?,
            OutputFormat::Text => write!(out, "{}", findings_text(&games))?,
            OutputFormat::Json => print(out, &json!({ "schema": 1, "games": games }))?,
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
) -> anyhow::Result<()> {
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
            print(out, &value)?;
        }
    }
    Ok(())
}

fn print(out: &mut dyn Write, value: &Value) -> anyhow::Result<()> {
    Ok(writeln!(out, "{}", harmless_json(&format!("{value:#}")))?)
}
