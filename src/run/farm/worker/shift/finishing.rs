//! What lanes report: a finished pair is to be kept, an interrupted one given back.

use async_nats::jetstream::{AckKind, Message};
use tokio::task::spawn_blocking;

use crate::event::{PairId, PlayedGame};
use crate::referee::{Outcome, VoidReason};
use crate::run::farm::leases::PairState;
use crate::run::farm::messages::{JobMessage, ResultMessage, VERSION, programs, read};
use crate::run::farm::speed::measured;
use crate::run::farm::streams::acknowledge;
use crate::run::signals::Stop;
use crate::run::source::Report;
use crate::text::tell;

use super::Shift;

impl Shift<'_, '_> {
    pub(super) async fn hear(&mut self, report: Report) {
        match report {
            Report::Begun { pair, .. } => {
                if let Some(lease) = self.leases.get_mut(pair) {
                    lease.begun = true;
                }
            }
            // Whoever waits for what follows from it does not hear of it here: it follows from the
            // games of all machines, and the coordinator says it in its own time.
            Report::Game { game, stored: _ } => {
                if let Some(lease) = self.leases.get_mut(game.id.pair)
                    && let PairState::Playing(games) = &mut lease.stage
                {
                    games.push(*game);
                }
            }
            Report::Remark { engine, words, .. } => {
                tracing::warn!(engine, words, "an engine is named");
            }
            Report::Done(pair) => {
                // The server is asked for another while the machine is measured.
                self.free.add_permits(1);
                self.done(pair).await;
            }
            Report::Overdue {
                pair,
                words,
                replaced,
                ..
            } => {
                tell(&format!("warning: {words}"));
                self.alive -= usize::from(!replaced);
                if let Some(pair) = pair {
                    self.free.add_permits(1);
                    self.give_back(pair).await;
                }
            }
            Report::Ended { .. } => self.alive -= 1,
        }
    }

    /// The speed before a pair: measured once, and then that after the pair before it.
    pub(super) async fn measure_before(&mut self, pair: PairId) {
        let speed = match self.station.speed {
            Some(speed) => speed,
            None => self.measure().await,
        };
        if let Some(lease) = self.leases.get_mut(pair) {
            lease.speed = speed;
        }
    }

    /// Nodes a second now. It costs a lane's time, not that of the connection.
    async fn measure(&mut self) -> u64 {
        let speed = spawn_blocking(measured).await.unwrap_or_default();
        self.station.speed = Some(speed);
        speed
    }

    /// Another worker may have this pair.
    async fn give_back(&mut self, pair: PairId) {
        self.release(pair, AckKind::Nak(None)).await;
    }

    /// A pair is held no more; the server hears why.
    pub(super) async fn release(&mut self, pair: PairId, why: AckKind) {
        if let Some(lease) = self.leases.remove(pair)
            && let Some(message) = lease.message
        {
            acknowledge(&message, why).await;
        }
    }

    /// A lane is done with a pair: it is kept and sent, or given back if it was interrupted.
    async fn done(&mut self, pair: PairId) {
        let Some(lease) = self.leases.get_mut(pair) else {
            return;
        };
        let PairState::Playing(games) = &mut lease.stage else {
            return;
        };
        let games = std::mem::take(games);
        let interrupted =
            |game: &PlayedGame| game.record.outcome == Outcome::Void(VoidReason::Interrupted);
        let stops = *self.lanes.giver.stop.borrow() >= Stop::VoidGames;
        if games.iter().any(interrupted) || (stops && !is_whole(&games, lease.message.as_ref())) {
            self.give_back(pair).await;
            return;
        }
        lease.stage = PairState::Finished;
        let before = lease.speed;
        let ticket = job_of(lease.message.as_ref()).map_or_else(String::new, |job| job.ticket);
        // The lane has nothing to do for this moment, and no clock of its engines runs.
        let speed = [before, self.measure().await];
        let result = ResultMessage {
            version: VERSION,
            event: self.event().to_owned(),
            pair,
            ticket,
            worker: self.station.worker.name.to_string(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            engines: programs(&self.assignment.announced.identity),
            host: self.station.host.clone(),
            speed,
            games,
        };
        match serde_json::to_vec(&result) {
            Ok(bytes) => self.keep(pair, bytes),
            Err(error) => tracing::error!(%error, "a result cannot be written"),
        }
    }
}

/// The pair as the server gave it.
fn job_of(message: Option<&Message>) -> Option<JobMessage> {
    message.and_then(|message| read(&message.payload).ok())
}

/// Whether every game that was asked for was finished.
fn is_whole(games: &[PlayedGame], message: Option<&Message>) -> bool {
    let Some(JobMessage { job, .. }) = job_of(message) else {
        return false;
    };
    let has_ended = |played: &PlayedGame| !played.record.outcome.is_void();
    let finished = |id| {
        games
            .iter()
            .any(|played| played.id == id && has_ended(played))
    };
    (0..2).all(|game| !job.missing[usize::from(game)] || finished(job.game(game)))
}
