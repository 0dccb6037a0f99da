//! `arbiter960 control`: pause an event that is being played, continue it, stop it, or change its pace; and the orders of the
//! organiser's desk on the page of `run --web --desk`, done as `control` and `decide` do them.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::{Value, json};

use super::decide::{DecisionAct, check_event_file, previewed, signature, write};
use crate::cli::exit;
use crate::cli::mistakes::at_least_one;
use crate::event::ArbiterAct;
use crate::run::control::{ControlReply, ControlRequest, StopWhen, ask_patiently};
use crate::store::{Reader, Signature, StoredAct, record_decision};
use crate::text::printable;
use crate::tournament::{DecisionRefusal, EventState};

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

/// Runs the command.
///
/// # Errors
/// As [`control`].
pub(crate) fn run(arguments: &ControlArguments, out: &mut dyn Write) -> Result<u8> {
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
pub(super) fn control(folder: &Path, request: ControlRequest) -> Result<ControlReply> {
    let reader = Reader::open(folder)?;
    let reply = ask_patiently(folder, request, || reader.is_running());
    let Some(reply) = reply.context("the run does not answer")? else {
        if reader.is_running() {
            anyhow::bail!(
                "the run does not listen here: it is about to begin or to end, or it plays in another container or on \
                 another machine, where it can be asked; signals reach it all the same (SIGUSR1 finishes the running pairs)"
            );
        }
        if EventState::read(&reader)?.is_over() {
            anyhow::bail!("the event is not running: it is complete");
        }
        anyhow::bail!("the event is not running: the command that began it goes on with it");
    };
    if !reply.done {
        anyhow::bail!("{}", printable(&reply.words));
    }
    Ok(reply)
}

/// What the page sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeskOrder {
    author: String,
    #[serde(default)]
    reason: String,
    /// How many decisions the book had when the consequences were shown; without it they are shown, and nothing is
    /// written.
    book: Option<u64>,
    #[serde(flatten)]
    what: DeskAct,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum DeskAct {
    Control(ControlRequest),
    Decide(DecisionAct),
}

/// Does what is asked in the event of this folder.
///
/// # Errors
/// Why not, in words.
pub(crate) fn order(folder: &Path, text: &[u8]) -> Result<String, String> {
    let done = || -> Result<Value> {
        let order: DeskOrder = serde_json::from_slice(text)?;
        let signature = signature(Some(&order.author), &order.reason)?;
        match order.what {
            DeskAct::Control(request @ ControlRequest::Status) => {
                Ok(json!(control(folder, request)?))
            }
            DeskAct::Control(request) => controlled(folder, request, &signature),
            DeskAct::Decide(act) => decided(folder, &act, &signature, order.book),
        }
    };
    let done = done().map(|answer| answer.to_string());
    done.map_err(|error| printable(&format!("{error:#}")).into_owned())
}

fn controlled(folder: &Path, request: ControlRequest, signature: &Signature) -> Result<Value> {
    let reply = control(folder, request)?;
    let act = ArbiterAct::Control {
        words: reply.words.clone(),
    };
    record_decision(folder, signature, |_| -> Result<_, DecisionRefusal> {
        let unpairs = Vec::new();
        Ok(StoredAct { act, unpairs })
    })?;
    Ok(json!({ "words": reply.words }))
}

/// What follows from a decision, which is written if nobody has decided anything since that was shown.
fn decided(
    folder: &Path,
    act: &DecisionAct,
    signature: &Signature,
    book: Option<u64>,
) -> Result<Value> {
    check_event_file(folder, act)?;
    let reader = Reader::open(folder)?;
    let (words, prepared) = previewed(&reader, act, true)?;
    let mut answer = json!({ "words": words, "consequences": prepared.consequences, "book": reader.decisions().len() });
    if book.is_some() {
        let shown = (Some(prepared), book);
        let (decision, consequences) = write(folder, act, signature, shown, true)?;
        answer["decision"] = json!(decision.id);
        answer["consequences"] = json!(consequences);
    }
    Ok(answer)
}
