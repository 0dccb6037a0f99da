//! `arbiter960 control`: pause an event that is being played, continue it, stop it, or change its pace.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::cli::exit;
use crate::cli::mistakes::at_least_one;
use crate::run::control::{ControlReply, ControlRequest, StopWhen, ask_patiently};
use crate::store::Reader;
use crate::text::printable;
use crate::tournament::EventState;

/// Pause an event that is being played, go on with it, change its number of games at once, or stop it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 control results/cup pause
  arbiter960 control results/cup resume
  arbiter960 control results/league concurrency 2
  arbiter960 control results/swiss stop --after-round
  arbiter960 control results/swiss stop --now

A stopped event is resumed by the command that began it. `status` says what runs.")]
pub(crate) struct ControlArguments {
    /// The event's folder
    #[arg(value_name = "RESULTS")]
    results: PathBuf,

    #[command(subcommand)]
    act: ControlAct,
}

#[derive(Debug, clap::Subcommand)]
enum ControlAct {
    /// Finish the pairs in progress, and begin no other
    Pause,
    /// Go on after a pause
    Resume,
    /// Change the number of games at once; for more than at the beginning the engines are started anew
    Concurrency {
        /// Games
        #[arg(value_parser = at_least_one)]
        games: NonZeroUsize,
    },
    /// Finish the pairs in progress, then end the run
    Stop {
        /// Not before the round is finished
        #[arg(long, conflicts_with = "now")]
        after_round: bool,
        /// At once; the next run plays the games in progress again
        #[arg(long)]
        now: bool,
    },
}

/// Whether there is nothing left to play.
fn is_complete(folder: &Path) -> anyhow::Result<bool> {
    Ok(EventState::read(&Reader::open(folder)?)?.is_over())
}

/// Runs the command.
///
/// # Errors
/// As [`control`].
pub(crate) fn run(arguments: &ControlArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let request = match arguments.act {
        ControlAct::Pause => ControlRequest::Pause,
        ControlAct::Resume => ControlRequest::Resume,
        ControlAct::Concurrency { games } => ControlRequest::Concurrency { games },
        ControlAct::Stop { after_round, now } => ControlRequest::Stop {
            when: match (after_round, now) {
                (true, _) => StopWhen::AfterRound,
                (_, true) => StopWhen::Now,
                _ => StopWhen::AfterPairs,
            },
        },
    };
    let reply = control(&arguments.results, request)?;
    writeln!(out, "{}", printable(&reply.words))?;
    Ok(exit::DONE)
}

/// Asks the run of the event in this folder.
///
/// # Errors
/// The event is not being played, or it cannot do what is requested.
pub(super) fn control(folder: &Path, request: ControlRequest) -> anyhow::Result<ControlReply> {
    let reader = Reader::open(folder)?;
    let reply = ask_patiently(folder, request, || reader.is_running());
    let Some(reply) = reply.context("the run does not answer")? else {
        if reader.is_running() {
            anyhow::bail!(
                "the run does not listen here: it is about to begin or to end, or it plays in another container or on \
                 another machine, where it can be asked; signals reach it all the same (SIGUSR1 finishes the running pairs)"
            );
        }
        if is_complete(folder)? {
            anyhow::bail!("the event is not running: it is complete");
        }
        anyhow::bail!("the event is not running: the command that began it goes on with it");
    };
    if !reply.done {
        anyhow::bail!("{}", printable(&reply.words));
    }
    Ok(reply)
}
