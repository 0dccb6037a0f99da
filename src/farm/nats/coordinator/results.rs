//! Results: compared with the plan, reported, and acknowledged when they are durable.

use std::io::Write;
use std::sync::Arc;

use async_nats::jetstream::{AckKind, Message};
use serde_json::json;

use super::{Coordinator, HEARTBEAT_INTERVAL, MAX_LOOKS_AT_UNASKED, ReportedPair, StoredPair};
use crate::config::Tournament;
use crate::event::{GameId, PairId, PlayedGame, UnixMillis};
use crate::farm::nats::connection::send;
use crate::farm::nats::messages::{Receipt, ResultMessage, VERSION, read};
use crate::farm::nats::streams::acknowledge;
use crate::farm::{pair_of, worker_of};
use crate::run::game::Job;
use crate::run::signals::Stop;
use crate::run::source::{WorkSource, reported};
use crate::store::check_played;

/// What becomes of a result.
enum ResultVerdict {
    /// Its games go to the store.
    Store(ResultMessage),
    /// Another result of its pair is stored already.
    ThrowAway(ResultMessage),
    /// Its pair is about to be given out, or another result of it is on its way to the store.
    LookAgain,
    /// It is not what was asked for.
    Refuse(String),
}

impl Coordinator {
    /// Looks at a result, and reports its games.
    pub(super) async fn take(&mut self, message: Message) {
        // What it refuses is gone as well.
        if !self.still_holds_farm().await {
            return;
        }
        match self.judge(&message) {
            ResultVerdict::Store(result) => self.report(message, result),
            ResultVerdict::ThrowAway(result) => {
                tracing::info!(pair = ?result.pair, worker = result.worker, "a pair was played twice; the first counts");
                self.write_down_who(&result, true);
                acknowledge(&message, AckKind::Ack).await;
                let words = "another was stored before";
                self.send_receipt(&result.worker, result.pair, true, words)
                    .await;
            }
            ResultVerdict::LookAgain => {
                acknowledge(&message, AckKind::Nak(Some(HEARTBEAT_INTERVAL))).await;
            }
            ResultVerdict::Refuse(why) => self.refuse(&message, &why).await,
        }
    }

    fn judge(&mut self, message: &Message) -> ResultVerdict {
        let result: ResultMessage = match read(&message.payload) {
            Ok(result) => result,
            Err(error) => return ResultVerdict::Refuse(error),
        };
        let pair = result.pair;
        let is_its_subject = pair_of(&message.subject) == Some(pair)
            && worker_of(&message.subject) == Some(&result.worker);
        if !is_its_subject || result.event != self.event {
            return ResultVerdict::Refuse("it is not what its subject says".to_owned());
        }
        let is_asked = match self.published.get_mut(&pair) {
            Some(published) if !published.storing => {
                let checked = check(&result, &published.job, &self.run.tournament);
                published.storing = checked.is_ok();
                return match checked {
                    Ok(()) => ResultVerdict::Store(result),
                    Err(why) => ResultVerdict::Refuse(why),
                };
            }
            published => published.is_some(),
        };
        let games = self.run.tournament.games_per_pair();
        let mut ids = (0..games).map(|game| GameId { pair, game });
        let looks = message.info().map_or(0, |info| info.delivered);
        if ids.all(|id| self.stored.contains(&id)) {
            ResultVerdict::ThrowAway(result)
        } else if is_asked || looks < MAX_LOOKS_AT_UNASKED {
            ResultVerdict::LookAgain
        } else {
            ResultVerdict::Refuse("nobody has asked for its pair".to_owned())
        }
    }

    fn report(&mut self, message: Message, result: ResultMessage) {
        let source = Arc::clone(&self.run.source);
        self.storing.push(Box::pin(async move {
            let mut all = true;
            for game in &result.games {
                let (report, stored) = reported(game.clone());
                source.report(report);
                all &= stored.await.is_ok();
            }
            (message, result, all)
        }));
    }

    /// A result that is refused: its pair goes to another worker.
    async fn refuse(&mut self, message: &Message, why: &str) {
        let worker = worker_of(&message.subject).unwrap_or_default();
        let pair = pair_of(&message.subject).unwrap_or(PairId(u64::MAX));
        tracing::warn!(worker, ?pair, why, "a result was refused");
        acknowledge(message, AckKind::Ack).await;
        self.send_receipt(worker, pair, false, why).await;
        self.known_worker(worker).status.refused += 1;
        let known = self.published.get(&pair);
        if known.is_some_and(|known| !known.storing) {
            self.publish(pair, true);
        }
    }

    /// The games of a result are stored, or will not be.
    pub(super) async fn settle(&mut self, (message, result, stored): ReportedPair) {
        let pair = result.pair;
        if !stored && *self.stop.borrow() >= Stop::VoidGames {
            // The worker keeps it, and the next run takes it.
            return;
        }
        let finished = result.games.iter();
        let finished = finished.filter(|game| !game.record.outcome.is_void());
        self.stored.extend(finished.map(|game| game.id));
        self.write_down_who(&result, false);
        let known = self.known_worker(&result.worker);
        known.status.pairs += 1;
        let is_faulty =
            |game: &&PlayedGame| !game.record.faults.is_empty() || game.record.outcome.is_void();
        known.status.faults += result.games.iter().filter(is_faulty).count() as u64;
        // The same pair may be given out once more: then its subject has to be free.
        let subject = self.farm().job(&self.event, pair.0);
        let streams = self.streams.clone();
        self.closing.push(Box::pin(async move {
            if let Err(error) = streams.take_away(&subject).await {
                tracing::warn!(%error, ?pair, "a pair that was played is still with the server");
            }
            acknowledge(&message, AckKind::Ack).await;
            (pair, result.worker)
        }));
    }

    /// Nothing of a stored pair is left with the server.
    pub(super) async fn close(&mut self, (pair, worker): StoredPair) {
        self.take_back(pair);
        self.send_receipt(&worker, pair, true, "stored").await;
    }

    /// Who played what on which machine, and whether it was thrown away because the pair was stored before.
    fn write_down_who(&self, result: &ResultMessage, thrown_away: bool) {
        let line = json!({
            "pair": result.pair.0 + 1,
            "worker": result.worker,
            "host": result.host,
            "thrown_away": thrown_away,
            "stored_ms": UnixMillis::now().0,
        });
        if let Err(error) = writeln!(&self.record, "{line}") {
            tracing::warn!(%error, "who played a pair is not written down");
        }
    }

    async fn send_receipt(&self, worker: &str, pair: PairId, stored: bool, words: &str) {
        let receipt = Receipt {
            version: VERSION,
            event: self.event.clone(),
            epoch: self.epoch.own,
            pair,
            stored,
            words: words.to_owned(),
        };
        send(&self.client, self.farm().receipts(worker), &receipt).await;
    }
}

/// Whether a result has the games that were asked for, as the plan has them and by the rules.
fn check(result: &ResultMessage, job: &Job, tournament: &Tournament) -> Result<(), String> {
    for game in &result.games {
        let is_missing = job.missing.get(usize::from(game.id.game));
        if game.id.pair != job.pair || is_missing != Some(&true) {
            return Err(format!("nobody has asked for game {}", game.id));
        }
        let opening = tournament.openings.get(job.spec.opening);
        let checked = check_played(game, &job.spec, &opening);
        checked.map_err(|what| format!("game {}: {what}", game.id))?;
    }
    Ok(())
}
