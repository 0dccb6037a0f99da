//! Workers that play no more: whose results were refused again and again, or are unlike those of the others.
//! What they have played stays until the arbiter decides; `arbiter960 decide RESULTS purge WORKER` has it
//! played again.

use crate::event::{PairId, PlayedGame};
use crate::run::farm::messages::ResultMessage;
use crate::text::{printable, tell};
use crate::tournament::WorkersGame;

use super::RunningCoordinator;

impl RunningCoordinator {
    /// Looks at everybody who has played.
    pub(super) fn look_at_all(&mut self) {
        let unlike = self.start.counts.unlike();
        for (worker, why) in unlike.apart {
            self.quarantine(&worker, &why.to_string());
        }
        self.doubted.clear();
        for doubt in unlike.undecided {
            let why = doubt.to_string();
            if self.doubts.insert(why.clone()) {
                tracing::error!(why, "nobody can say which workers are right");
                tell(&format!("warning: {}", printable(&why)));
            }
            let each = doubt.workers.into_iter();
            self.doubted
                .extend(each.map(|worker| (worker, why.clone())));
        }
    }

    /// Counts a pair that is stored, and looks at all workers now and then.
    pub(super) fn count(&mut self, result: &ResultMessage) {
        let games: Vec<WorkersGame> = result.games.iter().filter_map(counted).collect();
        self.start.counts.add(&result.worker, &games);
        if self.start.counts.is_due(&result.worker) {
            self.look_at_all();
        }
    }

    /// A worker plays no more, until the coordinator is started again without the reason.
    pub(super) fn quarantine(&mut self, worker: &str, why: &str) {
        if self.barred.contains_key(worker) {
            return;
        }
        tracing::error!(worker, why, "a worker is quarantined: it plays no more");
        self.barred.insert(worker.to_owned(), why.to_owned());
        self.known(worker).status.trouble = Some(format!("quarantined: {why}"));
    }

    /// A pair whose result was refused goes to another worker.
    pub(super) fn play_elsewhere(&mut self, pair: PairId) {
        let known = self.outstanding.get(&pair);
        if known.is_some_and(|known| !known.storing) {
            self.publish(pair, true, None);
        }
    }
}

fn counted(game: &PlayedGame) -> Option<WorkersGame> {
    Some(WorkersGame {
        seats: game.seats,
        white: game.record.outcome.white_score()?,
        faulty: !game.record.faults.is_empty(),
    })
}
