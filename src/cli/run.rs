//! `arbiter960 run`: plays an event, or continues it.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Result;

use crate::cli::mistakes::at_least_one;
use crate::cli::play::{drawn_seed, play, refused};
use crate::cli::play_options::Play;
use crate::config::{Overrides, RefusedByEngine, Tournament, Warnings, load, rehearsal_name};
use crate::run::capacity;
use crate::text::tell;

/// Check an event file, then play the event, or go on with it where it stopped.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 run configs/quickstart.toml
  arbiter960 run configs/quickstart.toml --dry-run
  arbiter960 run event.toml --concurrency 4 --json > events.jsonl
  arbiter960 run event.toml --rehearse

Ctrl-C once finishes the running pairs; twice leaves the running games. The same
command goes on with them, or plays short ones again (`interrupted` in [event]).")]
pub(crate) struct RunArguments {
    /// The event file
    #[arg(value_name = "EVENT.toml")]
    event: PathBuf,

    /// Games at once, instead of the event file's number
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    concurrency: Option<NonZeroUsize>,

    /// The seed of every random choice, instead of the event file's
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Rehearse the event: the built-in engine plays in the place of each, in a hundredth of the
    /// time; the results are those of an event of its own, "NAME (rehearsal)"
    #[arg(long)]
    rehearse: bool,

    #[command(flatten)]
    play: Play,
}

/// Runs the command.
///
/// # Errors
/// Whatever keeps the event from being played.
pub(crate) fn run(arguments: &RunArguments, out: &mut dyn Write) -> Result<u8> {
    let drawn = drawn_seed();
    let copy = arguments.clone();
    let options = Play {
        concurrency: arguments.concurrency,
        ..arguments.play.clone()
    };
    play(move |found: &[_]| copy.read(drawn, found), &options, out)
}

impl RunArguments {
    /// The event of the file, with a seed in case that it names none.
    fn read(&self, drawn: u64, found: &[RefusedByEngine]) -> Result<(Tournament, Warnings)> {
        let trial = |event: &Tournament, has_errors: bool| refused(event, has_errors, found);
        let of_event = self.play.recorded();
        let recorded = |name: &str| {
            if self.rehearse && !name.is_empty() {
                of_event(&rehearsal_name(name))
            } else {
                of_event(name)
            }
        };
        let overrides = Overrides {
            seed: self.seed,
            concurrency: self.concurrency,
            recorded: Some(&recorded),
            // The engines of a rehearsed event are not started.
            trial: (!self.rehearse).then_some(&trial),
            drawn: Some(drawn),
            rehearsal: self.rehearse,
            ..Overrides::default()
        };
        let (tournament, warnings) = load(&self.event, overrides)?;
        if !self.rehearse {
            return Ok((tournament, warnings));
        }
        // Their memory is taken from the file.
        if let Some(warning) = capacity::check_here(&tournament, &[], tournament.concurrency)? {
            tell(&warning);
        }
        Ok((tournament.rehearsal(), warnings))
    }
}
