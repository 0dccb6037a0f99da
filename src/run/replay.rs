//! One engine is asked again what it was asked in a game: started as in the event, with
//! the same commands and the same limits of time.

use std::path::Path;
use std::time::Duration;

use tokio::time::Instant;

use crate::config::{EngineSpec, Tournament};
use crate::engine::guardian::Guardian;
use crate::engine::probe::UnfitEngine;
use crate::engine::process::{Process, describe_exit};
use crate::engine::start::{Engine, EngineStartError, ReplyDeadline};
use crate::engine::surroundings::Surroundings;
use crate::platform::runtime;
use crate::referee::{Remarks, Request, Thinking};
use crate::run::error::RunError;
use crate::run::prepare;
use crate::uci::{Message, VARIANT_OPTION, set_option};

/// What came of one question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ReplayReply {
    /// A move, in the engine's words, and what it said of its search.
    Move {
        text: String,
        thinking: Thinking,
        /// From `go` to `bestmove`.
        elapsed: Duration,
    },
    /// Nothing within this time; the engine was ended.
    Silent(Duration),
    /// The engine ended instead: how, and the end of its stderr.
    Ended {
        exit: String,
        /// The end of its stderr.
        stderr: String,
    },
}

/// What is asked, and under which rules.
#[derive(Debug)]
pub(crate) struct Questions<'a> {
    pub spec: &'a EngineSpec,
    pub tournament: &'a Tournament,
    /// The event's folder.
    pub folder: &'a Path,
    /// The value of `UCI_Variant`, where engines choose it from a file.
    pub variant: Option<String>,
    /// The searches, in order, and how long each may take.
    pub searches: Vec<(Request, Duration)>,
}

impl Questions<'_> {
    /// Asks until the engine does not answer any more; one reply for each question that
    /// was asked. The engine is ended afterwards.
    ///
    /// # Errors
    /// The engine cannot be started; the system refuses a process.
    pub(crate) fn ask(&self) -> Result<Vec<ReplayReply>, RunError> {
        let runtime = runtime()?;
        let guardian = Guardian::start()?;
        let around = prepare::of_trial(self.tournament, self.folder, &guardian)?;
        let replies = runtime.block_on(self.ask_all(&around));
        guardian.dismiss();
        replies.map_err(|error| {
            let name = self.spec.name.clone();
            RunError::Engines(vec![UnfitEngine { name, error }])
        })
    }

    async fn ask_all(&self, around: &Surroundings) -> Result<Vec<ReplayReply>, EngineStartError> {
        let mut process = Engine::start(self.spec, around).await?.process;
        let mut replies = Vec::new();
        let (variant, limit) = (self.variant.as_deref(), around.timeouts.new_game);
        replies.extend(new_game(&mut process, variant, limit).await);
        let fails = |reply: &ReplayReply| !matches!(reply, ReplayReply::Move { .. });
        for (request, limit) in &self.searches {
            if replies.last().is_some_and(fails) {
                break;
            }
            replies.push(search(&mut process, request, *limit).await);
        }
        process.shut_down().await;
        Ok(replies)
    }
}

/// As at the beginning of a game, with this value of `UCI_Variant`; what went wrong, if anything did.
pub(super) async fn new_game(
    process: &mut Process,
    variant: Option<&str>,
    limit: Duration,
) -> Option<ReplayReply> {
    let mut text = String::new();
    if variant.is_some() {
        set_option(VARIANT_OPTION, variant, &mut text);
    }
    text.push_str("ucinewgame\nisready\n");
    let is_ready = |line: &str| (Message::parse(line) == Message::ReadyOk).then_some(());
    converse(process, &text, limit, is_ready).await.err()
}

/// One search, which is answered within this time.
pub(super) async fn search(
    process: &mut Process,
    request: &Request,
    limit: Duration,
) -> ReplayReply {
    let text = format!("{}\n{}\n", request.position, request.go);
    let begun = Instant::now();
    let mut remarks = Remarks::default();
    let answer = |line: &str| match Message::parse(line) {
        Message::BestMove { text, .. } => Some(text.to_owned()),
        Message::Info(info) => {
            remarks.note(info);
            None
        }
        _ => None,
    };
    match converse(process, &text, limit, answer).await {
        Ok(text) => ReplayReply::Move {
            text,
            thinking: remarks.thinking(),
            elapsed: begun.elapsed(),
        },
        Err(reply) => reply,
    }
}

/// Sends the text and reads lines until one is an answer.
async fn converse<T>(
    process: &mut Process,
    text: &str,
    limit: Duration,
    mut answer: impl FnMut(&str) -> Option<T>,
) -> Result<T, ReplayReply> {
    // A write error shows as end of file a moment later.
    let _ = process.input.send(text);
    let mut patience = ReplyDeadline::new(limit);
    loop {
        while let Some(line) = process.output.lines.next_line() {
            if let Some(found) = answer(line.text) {
                return Ok(found);
            }
        }
        match patience.read(process).await {
            Some(true) => {}
            Some(false) => {
                let last = process.output.lines.finish();
                if let Some(found) = last.and_then(|line| answer(line.text)) {
                    return Ok(found);
                }
                return Err(ended(process).await);
            }
            None => {
                process.end().await;
                return Err(ReplayReply::Silent(limit));
            }
        }
    }
}

async fn ended(process: &mut Process) -> ReplayReply {
    // It is ending by itself: its own exit status is the evidence.
    process.ends_within(Duration::from_millis(200)).await;
    ReplayReply::Ended {
        exit: describe_exit(process.end().await),
        stderr: process.errors.tail(),
    }
}
