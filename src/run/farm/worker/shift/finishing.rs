//! What lanes report: a finished pair is kept on the disk, an interrupted one given back.

use async_nats::jetstream::{AckKind, Message};
use tokio::time::sleep;

use crate::event::{PairId, PlayedGame};
use crate::referee::{Outcome, VoidReason};
use crate::run::farm::leases::Stage;
use crate::run::farm::messages::{JobMessage, ResultMessage, VERSION, read};
use crate::run::farm::speed::measured;
use crate::run::farm::worker::BEAT;
use crate::run::signals::Stop;
use crate::run::source::Report;
use crate::text::tell;

use super::{Shift, acknowledge};

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
                    && let Stage::Playing(games) = &mut lease.stage
                {
                    games.push(*game);
                }
            }
            Report::Done(pair) => {
                self.done(pair).await;
                self.free.add_permits(1);
            }
            Report::Ended { .. } => self.alive -= 1,
        }
    }

    /// The speed before a pair: measured once, and then that after the pair before it.
    pub(super) fn measure_before(&mut self, pair: PairId) {
        let speed = *self.station.speed.get_or_insert_with(measured);
        if let Some(lease) = self.leases.get_mut(pair) {
            lease.speed = speed;
        }
    }

    /// A lane is done with a pair: it is kept and sent, or given back if it was interrupted.
    async fn done(&mut self, pair: PairId) {
        let Some(lease) = self.leases.get_mut(pair) else {
            return;
        };
        let Stage::Playing(games) = &mut lease.stage else {
            return;
        };
        let games = std::mem::take(games);
        let interrupted =
            |game: &PlayedGame| game.record.outcome == Outcome::Void(VoidReason::Interrupted);
        let stops = *self.lanes.giver.stop.borrow() >= Stop::VoidGames;
        if games.iter().any(interrupted) || (stops && !is_whole(&games, lease.message.as_ref())) {
            if let Some(lease) = self.leases.remove(pair)
                && let Some(message) = lease.message
            {
                acknowledge(&message, AckKind::Nak(None)).await;
            }
            return;
        }
        lease.stage = Stage::Kept(None);
        // The lane has nothing to do for this moment, and no clock of its engines runs.
        let speed = [lease.speed, measured()];
        self.station.speed = Some(speed[1]);
        let result = ResultMessage {
            version: VERSION,
            event: self.event().to_owned(),
            pair,
            worker: self.station.worker.name.to_string(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            engines: self.assignment.programs(),
            host: self.station.host.clone(),
            speed,
            games,
        };
        self.keep(&result).await;
        self.send_due().await;
    }

    /// Writes a finished pair to the disk; while the disk is full nothing else is done, for nothing else
    /// could be kept either.
    async fn keep(&mut self, result: &ResultMessage) {
        let bytes = match serde_json::to_vec(result) {
            Ok(bytes) => bytes,
            Err(error) => return tracing::error!(%error, "a result cannot be written"),
        };
        while let Err(error) = self.station.spool.keep(&result.event, result.pair, &bytes) {
            let words = format!("a finished pair cannot be written: {error}; once more");
            if self.station.trouble.as_ref() != Some(&words) {
                tell(&words);
                self.station.trouble = Some(words);
            }
            self.leases.keep_alive().await;
            self.station.beat(&result.event, &self.leases).await;
            sleep(BEAT).await;
        }
        self.station.trouble = None;
    }
}

/// Whether every game that was asked for was finished.
fn is_whole(games: &[PlayedGame], message: Option<&Message>) -> bool {
    let job = message.and_then(|message| read::<JobMessage>(&message.payload).ok());
    job.is_some_and(|job| {
        let finished = |game: usize| {
            games.iter().any(|played| {
                usize::from(played.id.game) == game && !played.record.outcome.is_void()
            })
        };
        (0..2).all(|game| !job.missing[game] || finished(game))
    })
}
