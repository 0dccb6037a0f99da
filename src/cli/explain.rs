//! `arbiter960 explain`: why a game was lost.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::ValueEnum;
use serde_json::{Value, json};

use crate::cli::replay::replay;
use crate::cli::{exit, tablebase};
use crate::event::GameId;
use crate::report::explain::{
    EventFiles, Explanation, explanation_text, findings, findings_text, parse_round, voided_games,
    voided_text,
};
use crate::store::Reader;
use crate::text::{harmless_json, paragraph};

/// Say why a game was lost, or list the games that were.
///
/// First in one sentence. For a fault: the last moves, the last lines from and to both engines, the
/// end of stderr, how the process ended. For a loss on the board: the move that cost most, where the
/// engines began to disagree, and the commands that show the search for that move again. With
/// tablebases: the moves that gave a won or drawn ending away.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 explain results/quickstart
  arbiter960 explain results/quickstart 17.1
  arbiter960 explain results/quickstart --voided
  arbiter960 explain results/quickstart 17.1 --replay
  arbiter960 explain results/quickstart 17.1 --tablebase /srv/syzygy")]
pub(crate) struct ExplainArguments {
    /// The event's folder
    #[arg(value_name = "RESULTS")]
    results: PathBuf,

    /// The game, as in the PGN tag Round: 17.1 is the first game of the 17th pair
    #[arg(value_name = "GAME", value_parser = game)]
    game: Option<GameId>,

    /// Its last voided attempt, if it was voided and played again; without a game: list the voided
    /// games
    #[arg(long)]
    voided: bool,

    /// text for people, json with everything
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Say what the Syzygy tables in this folder know of the ending; several times for several
    /// folders
    #[arg(long, requires = "game", value_name = "FOLDER")]
    tablebase: Vec<PathBuf>,

    /// Start the engine as in the event, ask it the same again, and compare
    #[arg(long, requires = "game")]
    replay: bool,

    /// The event file for --replay, if it is not where it was
    #[arg(long, value_name = "EVENT.toml", requires = "replay")]
    event: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

fn game(text: &str) -> Result<GameId, String> {
    parse_round(text).ok_or_else(|| "a pair and a game of it, as in 17.1 or 17.2".to_owned())
}

/// Runs the command.
///
/// # Errors
/// The event cannot be read, or has no such game; the engine cannot be started.
pub(crate) fn run(arguments: &ExplainArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let tables = tablebase::open(&arguments.tablebase)?;
    let files = EventFiles::new(Reader::open(&arguments.results)?)?;
    let Some(id) = arguments.game else {
        let (games, text) = if arguments.voided {
            let games = voided_games(&files)?;
            let text = voided_text(&games);
            (games, text)
        } else {
            let games = findings(&files)?;
            let text = findings_text(&games);
            (games, text)
        };
        match arguments.format {
            Format::Text => write!(out, "{text}")?,
            Format::Json => print(out, &json!({ "schema": 1, "games": games }))?,
        }
        return Ok(exit::DONE);
    };
    let source = files.game(id, arguments.voided)?;
    let source = source.ok_or_else(|| anyhow!("there is no game {id} in this event"))?;
    let explanation = Explanation::new(&files, &source, tables.as_deref())?;
    let replayed = match (arguments.replay, &explanation.reproduction) {
        (false, _) => None,
        (true, Some(search)) => Some(replay(&files, &source, search, arguments.event.as_deref())?),
        (true, None) => {
            let what = "there is no search to replay: nobody lost it by a move";
            return Err(anyhow!(what)).with_context(|| format!("game {id}"));
        }
    };
    match arguments.format {
        Format::Text => {
            write!(out, "{}", explanation_text(&explanation))?;
            for line in replayed.iter().flat_map(|replayed| &replayed.lines) {
                write!(out, "{}", paragraph(line, 0))?;
            }
        }
        Format::Json => {
            let mut value = serde_json::to_value(&explanation)?;
            value["replay"] = serde_json::to_value(&replayed)?;
            print(out, &value)?;
        }
    }
    let unreadable = tables.map_or(0, |tables| tablebase::tell_troubles(tables.as_ref()));
    Ok(if unreadable > 0 {
        exit::USAGE
    } else {
        exit::DONE
    })
}

fn print(out: &mut dyn Write, value: &Value) -> anyhow::Result<()> {
    Ok(writeln!(out, "{}", harmless_json(&format!("{value:#}")))?)
}
