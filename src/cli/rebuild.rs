//! `arbiter960 rebuild`: a store out of `games.pgn`.

use std::io::Write;
use std::path::PathBuf;

use crate::cli::exit;
use crate::config::{Overrides, load};
use crate::run::signals::SignalWatch;
use crate::run::{Rebuilding, rebuild};
use crate::text::{count, printable, printable_lines};
use crate::tournament::NOT_IN_PGN;

/// Make the store of an event anew out of its games.pgn, where event.db is gone.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  arbiter960 rebuild event.toml
  arbiter960 run event.toml

Every game of games.pgn is replayed and compared with the plan: pair, colours, engines with their \
options and limits, start and book; its result is compared with its end. A game that does not fit is \
named, and nothing is changed; a game that a power cut has torn at the end of the file is played again. The engines are started once, to learn their names. What only the store knew is lost.

Of an event of `match`: the same options with --print-config write its event file. A seed that was \
drawn stands in log/run.log in the event's folder.")]
pub(crate) struct RebuildArguments {
    /// The event file, as it was when the games were played
    #[arg(value_name = "EVENT.toml")]
    event: PathBuf,

    /// The folder of all events
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,

    /// The seed of the event, if it was drawn
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Leave games out that do not fit: the next run plays them again, and keeps the old games.pgn
    #[arg(long)]
    leave_out: bool,
}

/// Runs the command.
///
/// # Errors
/// The store cannot be made; then nothing was changed.
pub(crate) fn run(arguments: &RebuildArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let overrides = Overrides {
        seed: arguments.seed,
        ..Overrides::default()
    };
    let (tournament, _) = load(&arguments.event, overrides)?;
    let identity = tournament.identity()?;
    let signals = SignalWatch::start()?;
    let results = &arguments.results;
    let made = rebuild(tournament, identity, results, arguments.leave_out, &signals)?;
    let (folder, made) = match made {
        Rebuilding::Stopped(code) => return Ok(code),
        Rebuilding::Done { folder, games } => (folder, games),
    };
    for words in &made.left_out {
        writeln!(out, "left out: {}", printable_lines(words))?;
    }
    if let Some(words) = made.torn {
        writeln!(
            out,
            "the end of the file is not a whole game, and is left out: {}",
            printable_lines(&words)
        )?;
    }
    writeln!(
        out,
        "{} was made anew out of games.pgn: {}. Of these is not known: {NOT_IN_PGN}. The \
         programs of the engines were taken to be those that are there now.\n`arbiter960 run {}` goes on \
         with the event.",
        printable(&folder.join("event.db").display().to_string()),
        count(made.games, "game"),
        printable(&arguments.event.display().to_string())
    )?;
    if !made.rulings.is_empty() {
        writeln!(
            out,
            "The arbiter's book is not restored. games.pgn had these rulings; the games count as they were \
             played until you make them again with `arbiter960 decide`:"
        )?;
    }
    for ruling in &made.rulings {
        writeln!(out, "  {}", printable_lines(ruling))?;
    }
    Ok(exit::DONE)
}
