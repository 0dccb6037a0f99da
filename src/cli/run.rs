//! `arbiter960 run`: plays an event, or goes on with it.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::cli::play::{Play, drawn_seed, play};
use crate::config::{Overrides, load};

/// Check an event file, then play the event, or go on with it where it stopped.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 run configs/quickstart.toml
  arbiter960 run configs/quickstart.toml --dry-run
  arbiter960 run event.toml --concurrency 4 --json > events.jsonl

Ctrl-C once finishes the running pairs; twice voids the running games, which are
played again by the same command.")]
pub(crate) struct RunArguments {
    /// The event file
    #[arg(value_name = "EVENT.toml")]
    event: PathBuf,

    /// Games at once, instead of the event file's number
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,

    /// The seed of every random choice, instead of the event file's
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    #[command(flatten)]
    play: Play,
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps the event from being played.
pub(crate) fn run(arguments: &RunArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let recorded = arguments.play.recorded();
    let overrides = Overrides {
        seed: arguments.seed,
        concurrency: arguments.concurrency,
        recorded: Some(&recorded),
        drawn: Some(drawn_seed()),
    };
    let read = |concurrency: Option<NonZeroUsize>| {
        let overrides = Overrides {
            concurrency: concurrency.or(overrides.concurrency),
            ..overrides
        };
        Ok(load(&arguments.event, overrides)?)
    };
    play(read, &arguments.play, out)
}
