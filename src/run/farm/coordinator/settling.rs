//! Results: examined, reported, and acknowledged when they are durable.

use std::sync::Arc;

use async_nats::jetstream::{AckKind, Message};

use crate::event::{GameId, PairId, PlayedGame, UnixMillis};
use crate::run::farm::examine::examine;
use crate::run::farm::messages::{Receipt, ResultMessage, VERSION, read};
use crate::run::farm::names::{pair_of, worker_of};
use crate::run::farm::streams::acknowledge;
use crate::run::signals::Stop;
use crate::run::source::{WorkSource, reported};

use super::{BEAT, Closed, LOOKS, REFUSALS, RunningCoordinator, Settled, write_down};

impl RunningCoordinator {
    /// Looks at a result, and reports its games.
    pub(super) async fn take(&mut self, message: Message) {
        // What it refuses is gone as well.
        if !self.still_holds_farm().await {
            return;
        }
        let subject = message.subject.to_string();
        let worker = worker_of(&subject).unwrap_or_default().to_owned();
        let result: ResultMessage = match read(&message.payload) {
            Ok(result) => result,
            Err(error) => {
                let pair = pair_of(&subject).unwrap_or(PairId(u64::MAX));
                return self
                    .refuse(&message, &worker, pair, &error.to_string())
                    .await;
            }
        };
        let pair = result.pair;
        if pair_of(&subject) != Some(pair) || result.worker != worker || result.event != self.event
        {
            let why = "it is not what its subject says";
            return self.refuse(&message, &worker, pair, why).await;
        }
        if self.barred.contains_key(&worker) {
            let why = "its worker is quarantined";
            self.refuse(&message, &worker, pair, why).await;
            return self.play_elsewhere(pair);
        }
        let Some(outstanding) = self
            .outstanding
            .get_mut(&pair)
            .filter(|known| !known.storing)
        else {
            return self.unasked(message, result).await;
        };
        let given = self.tickets.is_of(&result.ticket, &self.event, pair);
        let checked = match given {
            true => examine(
                &result,
                &outstanding.job,
                &self.start.tournament,
                &self.start.identity,
            ),
            false => Err(
                "it does not quote the ticket of its pair: the pair was not given to it".to_owned(),
            ),
        };
        if let Err(why) = checked {
            self.refuse(&message, &worker, pair, &why).await;
            return self.play_elsewhere(pair);
        }
        outstanding.storing = true;
        let source = Arc::clone(&self.start.source);
        self.settling.push(Box::pin(async move {
            let mut all = true;
            for game in &result.games {
                let (report, stored) = reported(game.clone());
                source.report(report);
                all &= stored.await.is_ok();
            }
            (message, result, all)
        }));
    }

    /// A result of a pair that is not given out: stored already, about to be given out, or nobody's.
    pub(super) async fn unasked(&mut self, message: Message, result: ResultMessage) {
        if self.take_second(&message, &result).await {
            return;
        }
        let pair = result.pair;
        let games = self.start.tournament.games_per_pair();
        let mut ids = (0..games).map(|game| GameId { pair, game });
        if ids.all(|id| self.start.stored.contains(&id)) {
            self.twice += 1;
            let (worker, twice) = (&result.worker, self.twice);
            tracing::info!(
                ?pair,
                worker,
                twice,
                "a pair was played twice; the first counts"
            );
            self.write_down_who(&result, true);
            acknowledge(&message, AckKind::Ack).await;
            return self
                .receipt(&result.worker, pair, true, "another was stored before")
                .await;
        }
        let looks = message.info().map_or(0, |info| info.delivered);
        if looks < LOOKS || self.outstanding.contains_key(&pair) {
            return acknowledge(&message, AckKind::Nak(Some(BEAT))).await;
        }
        let why = "nobody has asked for its pair";
        self.refuse(&message, &result.worker.clone(), pair, why)
            .await;
    }

    pub(super) async fn refuse(
        &mut self,
        message: &Message,
        worker: &str,
        pair: PairId,
        why: &str,
    ) {
        tracing::warn!(worker, ?pair, why, "a result was refused");
        acknowledge(message, AckKind::Ack).await;
        self.receipt(worker, pair, false, why).await;
        if !self.has_place_for(worker) {
            return;
        }
        let known = self.known(worker);
        known.status.refused += 1;
        known.refused_in_a_row += 1;
        if known.refused_in_a_row >= REFUSALS {
            let why = format!("{REFUSALS} results in a row were refused; the last: {why}");
            self.quarantine(worker, &why);
        }
    }

    /// The games of a result are stored, or will not be.
    pub(super) async fn settle(&mut self, (message, result, stored): Settled) {
        let pair = result.pair;
        if !stored && *self.stop.borrow() >= Stop::VoidGames {
            // The worker keeps it, and the next run takes it.
            return;
        }
        let finished = result.finished().map(|game| game.id);
        self.start.stored.extend(finished);
        self.write_down_who(&result, false);
        let known = self.known(&result.worker);
        known.status.pairs += 1;
        known.refused_in_a_row = 0;
        let faulty =
            |game: &&PlayedGame| !game.record.faults.is_empty() || game.record.outcome.is_void();
        known.status.faults += result.games.iter().filter(faulty).count() as u64;
        self.count(&result);
        self.recompute(&result);
        self.consider_second(&result);
        // The same pair may be given out once more: then its subject has to be free.
        let known = self.outstanding.get(&pair);
        let subject = known.map(|known| self.subject(known.class, pair));
        // How long it was played, if a worker was seen to play it.
        let begun = known.and_then(|known| known.begun);
        self.longest = self
            .longest
            .max(begun.map_or(BEAT, |begun| begun.elapsed()));
        let streams = self.streams.clone();
        self.closing.push(Box::pin(async move {
            if let Some(subject) = subject
                && let Err(error) = streams.take_away(&subject).await
            {
                tracing::warn!(%error, ?pair, "a pair that was played is still with the server");
            }
            acknowledge(&message, AckKind::Ack).await;
            (pair, result.worker)
        }));
    }

    /// Nothing of a stored pair is left with the server.
    pub(super) async fn closed(&mut self, (pair, worker): Closed) {
        self.take_back(pair);
        self.receipt(&worker, pair, true, "stored").await;
        self.close_first(pair);
    }

    /// Who played what on which machine, and whether it was thrown away because the pair was stored before.
    fn write_down_who(&self, result: &ResultMessage, thrown_away: bool) {
        let line = serde_json::json!({
            "pair": result.pair.0 + 1,
            "worker": result.worker,
            "program": result.program,
            "host": result.host,
            "speed": result.speed,
            "thrown_away": thrown_away,
            "stored_ms": UnixMillis::now().0,
        });
        write_down(&line, &self.record, "who played a pair");
    }

    pub(super) async fn receipt(&self, worker: &str, pair: PairId, stored: bool, words: &str) {
        let receipt = Receipt {
            version: VERSION,
            event: self.event.clone(),
            epoch: self.epoch.own,
            pair,
            stored,
            words: words.to_owned(),
        };
        self.say(self.farm().receipts(worker), &receipt).await;
    }
}
