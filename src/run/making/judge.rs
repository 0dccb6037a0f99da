//! An engine that evaluates positions, on a separate clock for this phase. What the host takes of its time is not charged.

use std::pin::pin;
use std::time::Duration;

use tokio::time::sleep_until;

use crate::chess::{Color, FenDialect, Position};
use crate::clock::Stamp;
use crate::config::EngineSpec;
use crate::engine::process::Process;
use crate::engine::start::{Engine, EngineStartError};
use crate::engine::surroundings::Surroundings;
use crate::host::epoch::Epoch;
use crate::host::observer::HostObserver;
use crate::host::standstill;
use crate::referee::{FlagEvidence, Request};
use crate::run::replay::{ReplayReply, new_game, search};
use crate::text::duration;
use crate::uci::{Score, position_command};

/// The evaluation of a mate, centipawns.
const MATE: i32 = 30_000;
/// What an answer may come late before the engine is ended; all of it is taken from its clock.
const GRACE_AFTER_TIME: Duration = Duration::from_secs(2);

/// An engine with what is left of its time.
#[derive(Debug)]
pub(super) struct Judge {
    /// The participant.
    pub(super) name: String,
    process: Process,
    dialect: FenDialect,
    left: Duration,
    epoch: Epoch,
    observer: HostObserver,
    /// Why it does not answer any more, if it does not.
    trouble: Option<String>,
    /// Why it had no say in a choice, if it had none and answers.
    unheard: Option<&'static str>,
}

/// What came of one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JudgedPosition {
    /// Centipawns for White.
    pub(super) white: i32,
    /// The move that it would make, as it wrote it.
    pub(super) best: String,
}

impl Judge {
    /// Starts an engine.
    ///
    /// # Errors
    /// It does not start.
    pub(super) async fn start(
        name: String,
        spec: &EngineSpec,
        around: &Surroundings,
    ) -> Result<Judge, EngineStartError> {
        let process = Engine::start(spec, around).await?.process;
        let mut observer = HostObserver::of_this_thread();
        observer.meet(
            [process.engine_processes(), process.engine_processes()],
            true,
        );
        Ok(Judge {
            name,
            process,
            dialect: spec.fen,
            left: Duration::ZERO,
            epoch: Epoch::begin(),
            observer,
            trouble: None,
            unheard: None,
        })
    }

    /// The next start begins, with `time` on the clock.
    pub(super) async fn begin(&mut self, time: Duration, limit: Duration) {
        self.left = time;
        self.unheard = None;
        if self.trouble.is_none() {
            let begun = new_game(&mut self.process, None, limit).await;
            self.trouble = begun.map(|reply| words(&reply));
        }
    }

    /// Why it does not answer any more, if it does not; until the next start it is started again.
    pub(super) fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Why something that it had to choose was drawn, if anything was.
    pub(super) fn why_drawn(&self) -> Option<&str> {
        self.trouble().or(self.unheard)
    }

    /// What is left of its time; nothing once it does not answer any more.
    pub(super) fn left(&self) -> Duration {
        match self.trouble {
            None => self.left,
            Some(_) => Duration::ZERO,
        }
    }

    /// Its evaluation after at most this time; `None` if it has no time left, does not
    /// answer, or gives no evaluation.
    pub(super) async fn judge(
        &mut self,
        position: &Position,
        time: Duration,
    ) -> Option<JudgedPosition> {
        let time = time.min(self.left());
        if time.is_zero() {
            self.unheard = Some("its time was used up");
            return None;
        }
        let request = Request {
            position: position_command(position, self.dialect),
            go: format!("go movetime {}", time.as_millis().max(1)),
            allowed: Some(time),
        };
        let reply = self.search(&request, time).await;
        let ReplayReply::Move { text, thinking, .. } = reply else {
            self.trouble = Some(words(&reply));
            return None;
        };
        let Some(score) = thinking.score else {
            self.unheard = Some("it gave no evaluation");
            return None;
        };
        let score = match score {
            Score::Centipawns(centipawns) => centipawns.clamp(-MATE, MATE),
            Score::Mate(moves) if moves > 0 => MATE,
            Score::Mate(_) => -MATE,
        };
        let white = match position.side_to_move() {
            Color::White => score,
            Color::Black => -score,
        };
        Some(JudgedPosition { white, best: text })
    }

    /// One search of this time, with its clock running.
    async fn search(&mut self, request: &Request, time: Duration) -> ReplayReply {
        let (observer, epoch) = (&mut self.observer, self.epoch);
        let begun = epoch.now();
        observer.begin(Color::White, Some(time), begun);
        let (mut looked, ends) = (begun, begun + time);
        let mut answer = pin!(search(
            &mut self.process,
            request,
            self.left + GRACE_AFTER_TIME
        ));
        loop {
            let looks = [observer.due(), Some(ends).filter(|ends| *ends > looked)];
            let due = looks.into_iter().flatten().min();
            let due = epoch.instant(due.unwrap_or(Stamp(u64::MAX)));
            let answered = tokio::select! {
                biased;
                reply = &mut answer => Some(reply),
                () = sleep_until(due) => None,
            };
            let now = epoch.now();
            let overslept = standstill::overslept(due, epoch.instant(looked), epoch.instant(now));
            observer.woken(now, overslept);
            looked = now;
            if let Some(reply) = answered {
                let elapsed = now.saturating_since(begun);
                let seen = observer.evidence(true, now);
                let taken = FlagEvidence::judge(elapsed, Duration::ZERO, true, seen).taken;
                let charged = elapsed.saturating_sub(taken);
                self.left = self.left.saturating_sub(charged);
                return reply;
            }
        }
    }

    /// Ends the engine.
    pub(super) async fn end(self) {
        self.process.shut_down().await;
    }
}

/// What became of an engine that has not answered.
fn words(reply: &ReplayReply) -> String {
    match reply {
        ReplayReply::Move { .. } => "it answered".to_owned(),
        ReplayReply::Silent(limit) => format!("no answer within {}", duration(*limit)),
        ReplayReply::Ended { exit, stderr } if stderr.is_empty() => format!("it ended ({exit})"),
        ReplayReply::Ended { exit, stderr } => format!("it ended ({exit}): {stderr}"),
    }
}
