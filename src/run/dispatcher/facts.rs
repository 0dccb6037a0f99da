//! What the store says: games that are durable are told to the sinks, and have consequences.

use std::io;

use crate::event::FinishedGame;
use crate::referee::{Fault, Outcome, VoidReason};
use crate::run::error::RunError;
use crate::run::signals::Stop;
use crate::store::StoreNotice;

use super::Dispatcher;

impl Dispatcher<'_> {
    pub(super) fn hear_store(&mut self, notice: StoreNotice) {
        match notice {
            StoreNotice::Committed(games) => {
                self.state.unstored -= games.len() as u64;
                games.iter().for_each(|game| self.publish(game));
            }
            StoreNotice::Voided(games) => {
                self.state.unstored -= games.len() as u64;
                games.iter().for_each(|game| self.bury(game));
            }
            StoreNotice::Duplicate(games) => {
                tracing::error!(?games, "a game was played twice; the first one counts");
                self.state.unstored -= games.len() as u64;
            }
            StoreNotice::Failed(error) => self.fail(RunError::Storage(error)),
        }
        self.hand_out();
    }

    /// The store ends before the run only by a failure, which was heard before, or
    /// by a panic.
    pub(super) fn miss_store(&mut self) {
        self.state.store_gone = true;
        self.fail(RunError::System(io::Error::other("the store has ended")));
    }

    fn publish(&mut self, game: &FinishedGame) {
        log_flag_fall(game);
        self.state.voided.remove(&game.id);
        if let Err(error) = self.sinks.committed(game) {
            self.fail(RunError::Sink(error));
        }
        self.conduct.hear(game);
        self.discipline(game);
        let half_points = game.record.outcome.white_half_points();
        if half_points.is_some_and(|points| self.stop_rule.result(game.id, game.seats, points)) {
            self.raise(Stop::FinishPairs);
        }
    }

    /// A voided game is in the log. One that was voided for a fault is played again in
    /// its lane at once, and is not left over.
    fn bury(&mut self, game: &FinishedGame) {
        log_flag_fall(game);
        self.sinks.voided(game);
        if game.record.outcome == Outcome::Void(VoidReason::FaultReplayed) {
            self.conduct.hear(game);
            self.discipline(game);
        } else {
            self.state.voided.insert(game.id);
        }
    }

    /// After a game with a fault: an engine that is disqualified now plays no more pairs
    /// than those that are running.
    fn discipline(&mut self, game: &FinishedGame) {
        let Some(fault) = game.record.faults.first() else {
            return;
        };
        let engine = game.seat(fault.side).engine;
        if self.conduct.is_disqualified(engine) && self.work.withdraw(engine) {
            self.sinks.disqualified(engine);
            self.state.outstanding -= self.queue.withdraw(engine);
            self.hand_out();
        }
    }
}

/// A flag that fell is worth a line in the log, with who is to blame.
fn log_flag_fall(game: &FinishedGame) {
    let explained = |fault: &Fault| Some((fault.side, fault.evidence?));
    for (side, evidence) in game.record.faults.iter().filter_map(explained) {
        let (game, verdict) = (game.id, evidence.verdict.word());
        tracing::info!(%game, %side, verdict, "a flag fell: {evidence}");
    }
}
