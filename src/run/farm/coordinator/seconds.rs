//! Some pairs are played by a second worker too, and what it says is compared: the games of the first count. Which
//! pairs these are is drawn with the coordinator's key, so no worker knows it beforehand.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use async_nats::jetstream::{AckKind, Message};

use crate::event::{PairId, PlayedGame};
use crate::platform::files::append_among_strangers;
use crate::run::farm::examine::examine;
use crate::run::farm::messages::ResultMessage;
use crate::run::farm::streams::acknowledge;
use crate::run::job::Job;
use crate::run::signals::Stop;
use crate::text::tell;
use crate::tournament::{PLAYED_TWICE_FILE, PairPlayedTwice};

use super::recomputing::is_repeatable;
use super::{RunningCoordinator, SILENT, write_down};

/// After this number of leases, and this time, without a sign of the second worker it is given up.
const LEASES: u32 = 3;
const PATIENCE: Duration = Duration::from_secs(60);

/// So many wait for a second worker at most.
const MOST: usize = 64;

/// A pair whose games are stored, and that another worker is to play.
#[derive(Debug)]
struct Second {
    job: Job,
    class: usize,
    first: ResultMessage,
    /// Nothing of its first playing is left with the server.
    closed: bool,
    /// When it was published, and when a worker last said that it holds it, or it was published.
    heard: Option<[Instant; 2]>,
}

/// The pairs that a second worker is to play.
#[derive(Debug)]
pub(super) struct Seconds {
    record: File,
    open: HashMap<PairId, Second>,
}

impl Seconds {
    pub(super) fn begin(folder: &Path) -> io::Result<Seconds> {
        Ok(Seconds {
            record: append_among_strangers(&folder.join(PLAYED_TWICE_FILE))?,
            open: HashMap::new(),
        })
    }

    /// Whether none is waited for.
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// A worker holds this pair.
    pub(super) fn heard(&mut self, pair: PairId) {
        if let Some(second) = self.open.get_mut(&pair) {
            second.heard = second.heard.map(|[since, _]| [since, Instant::now()]);
        }
    }
}

impl RunningCoordinator {
    /// A pair is stored: another worker is to play it too, if it is drawn.
    pub(super) fn consider_second(&mut self, result: &ResultMessage) {
        let pair = result.pair;
        let one_in = self.start.coordination.twice;
        let draw = self.tickets.draw("twice", &self.event, pair);
        let is_drawn = one_in > 0 && draw.is_multiple_of(one_in);
        let Some(known) = self.outstanding.get(&pair).filter(|_| is_drawn) else {
            return;
        };
        let (job, class) = (known.job, known.class);
        let whole = result.finished().count() as u64 == job.games()
            && job.games() == u64::from(job.spec.games);
        if whole && self.seconds.open.len() < MOST {
            let second = Second {
                job,
                class,
                first: result.clone(),
                closed: false,
                heard: None,
            };
            self.seconds.open.insert(pair, second);
        }
    }

    pub(super) fn is_another_there(&self, worker: &str, class: usize) -> bool {
        let class = &self.classes.all[class];
        let mut others = self.workers.iter().filter(|(name, _)| *name != worker);
        others.any(|(name, known)| {
            let there = known.heard.elapsed() < SILENT && class.is_for(&known.lacks);
            there && !self.barred.contains_key(name)
        })
    }

    /// The event's name in the tickets of second playings.
    fn again(&self) -> String {
        format!("{} again", self.event)
    }

    /// Nothing of the stored pair is left with the server.
    pub(super) fn close_first(&mut self, pair: PairId) {
        if let Some(second) = self.seconds.open.get_mut(&pair) {
            second.closed = true;
            self.look_after_seconds();
        }
    }

    /// Publishes what another worker can play, and gives up what nobody plays any more.
    pub(super) fn look_after_seconds(&mut self) {
        let ends = *self.stop.borrow() > Stop::No;
        let bound = PATIENCE.max(LEASES * self.start.coordination.lease);
        let longest = bound.max(self.longest_hold());
        // Workers that are there have said so by then.
        let comes = self.ending.is_none() || self.begun.elapsed() < SILENT;
        let mut open = std::mem::take(&mut self.seconds.open);
        open.retain(|pair, second| {
            let is_there = self.is_another_there(&second.first.worker, second.class);
            if second.closed && second.heard.is_none() && is_there && !ends {
                second.heard = Some([Instant::now(); 2]);
                let ticket = self.tickets.of(&self.again(), *pair);
                let worker = second.first.worker.clone();
                self.send_job(&second.job, second.class, ticket, Some(worker), false);
            }
            !ends
                && second.heard.map_or(comes || is_there, |[since, heard]| {
                    is_there && heard.elapsed() < bound && since.elapsed() < longest
                })
        });
        self.seconds.open = open;
    }

    /// A result of a pair that is stored: whether it comes from a second playing, and then what came of it.
    pub(super) async fn take_second(&mut self, message: &Message, result: &ResultMessage) -> bool {
        let pair = result.pair;
        let is_it = self.tickets.is_of(&result.ticket, &self.again(), pair);
        let second = is_it.then(|| self.seconds.open.remove(&pair));
        let Some(second) = second.flatten() else {
            return false;
        };
        let examined = match result.worker == second.first.worker {
            true => Err("it was for another worker".to_owned()),
            false => {
                let start = &self.start;
                examine(result, &second.job, &start.tournament, &start.identity)
            }
        };
        if let Err(why) = examined {
            self.refuse(message, &result.worker, pair, &why).await;
            return true;
        }
        self.compare(&second, result);
        let subject = self.subject(second.class, pair);
        if let Err(error) = self.streams.take_away(&subject).await {
            tracing::warn!(%error, ?pair, "a pair that was played is still with the server");
        }
        acknowledge(message, AckKind::Ack).await;
        self.receipt(&result.worker, pair, true, "compared").await;
        true
    }

    fn compare(&mut self, second: &Second, result: &ResultMessage) {
        let spec = &second.job.spec;
        let tournament = &self.start.tournament;
        let seats = [spec.first, spec.second];
        let repeats = seats
            .iter()
            .all(|seat| is_repeatable(tournament.engine(*seat)));
        let played = [&second.first, result];
        let moves = played.map(|result| {
            let games = result.finished();
            let moves = games.map(|game| (game.id, game.move_texts()));
            moves.collect::<Vec<_>>()
        });
        let line = PairPlayedTwice {
            pair: result.pair.0 + 1,
            workers: played.map(|result| result.worker.clone()),
            half_points: played.map(|result| half_points(result, spec.first.engine)),
            same_moves: repeats.then(|| moves[0] == moves[1]),
        };
        if line.same_moves == Some(false) {
            let [one, other] = &line.workers;
            let words = format!(
                "pair {}: {one} and {other} have played other moves",
                line.pair
            );
            tracing::error!("{words}");
            tell(&format!("warning: {words}"));
        }
        // What the second has played tells as much of its machine as what it plays for the store.
        self.count(result);
        write_down(&line, &self.seconds.record, "a pair that was played twice");
    }
}

fn half_points(result: &ResultMessage, engine: u16) -> u32 {
    let of_engine = |game: &PlayedGame| {
        let side = usize::from(game.seats[0].engine != engine);
        let scores = game.record.outcome.scores();
        scores.map_or(0, |scores| u32::from(scores[side].half_points()))
    };
    result.finished().map(of_engine).sum()
}
