//! What the store says: games that are durable are counted, told to the listeners, and have
//! consequences.

use std::io;
use std::sync::Arc;

use crate::config::AtDecision;
use crate::event::PlayedGame;
use crate::referee::{Fault, Outcome, VoidReason};
use crate::run::error::RunError;
use crate::run::signals::Stop;
use crate::store::{RunningGameFiles, StoreNotice};

use super::{Dispatcher, EndReason};

impl Dispatcher<'_> {
    pub(super) fn hear_store(&mut self, notice: StoreNotice) {
        match notice {
            StoreNotice::Committed(games) => {
                games.into_iter().for_each(|game| self.publish(game));
            }
            StoreNotice::Voided(games) => {
                games.iter().for_each(|game| self.hear_void(game));
            }
            StoreNotice::Duplicate(games) => {
                tracing::error!(?games, "a game was played twice; the first one counts");
                for game in games {
                    self.state.unstored -= 1;
                    self.state.ledger.known(game);
                    self.state.waiting.remove(&game);
                    self.settle(game.pair);
                }
            }
            StoreNotice::Decided => self.hear_decisions(),
            StoreNotice::Waiting(words) => self.listeners.say(&words),
            StoreNotice::Failed(error) => self.fail(RunError::Storage(error)),
        }
        self.hand_out();
    }

    /// The store ends before the run only by a failure, which was heard before, or
    /// by a panic.
    pub(super) fn miss_store(&mut self) {
        self.state.store_gone = true;
        self.state.waiting.clear();
        self.fail(RunError::System(io::Error::other("the store has ended")));
    }

    fn publish(&mut self, game: PlayedGame) {
        log_flag_fall(&game);
        self.state.voided.remove(&game.id);
        self.state.host_faults.finished();
        let decided = self.event.update(|event| {
            event.hear(&game);
            event.is_decided()
        });
        if self.state.decisions.changes(game.id) {
            self.count_as_decided();
        }
        // It cannot be left behind any more.
        RunningGameFiles::of_event(self.store.folder()).remove(game.id);
        let game = Arc::new(game);
        self.listeners.committed(&game);
        if decided {
            let running = self.tournament.sprt.map(|sprt| sprt.running);
            let stop = match running {
                Some(AtDecision::Void) => Stop::VoidGames,
                _ => Stop::FinishPairs,
            };
            self.raise(stop, EndReason::NothingLeft);
        }
        if self.tournament.faults.stop_after(&game.record) {
            tracing::warn!(game = %game.id, "a fault ends the run");
            self.raise(Stop::VoidGames, EndReason::Fault);
        }
        self.concluded(&game);
    }

    /// A voided game is in the log. One that was voided for a fault is played again in
    /// its lane at once, and is not left over.
    fn hear_void(&mut self, game: &PlayedGame) {
        log_flag_fall(game);
        self.event.update(|event| event.hear(game));
        if game.record.outcome != Outcome::Void(VoidReason::FaultReplayed) {
            self.state.voided.insert(game.id, game.seats);
        }
        if let Some(words) = self.state.host_faults.voided(game)
            && self.state.phase.end(EndReason::GaveUp(words.clone()))
        {
            tracing::error!("{words}");
            self.listeners.say(&words);
            self.raise(Stop::FinishPairs, EndReason::NothingLeft);
        }
        self.concluded(game);
    }

    /// All that follows from a game is known: its lane may act on it.
    fn concluded(&mut self, game: &PlayedGame) {
        self.apply_disqualification(game);
        self.state.unstored -= 1;
        self.state.ledger.stored(game);
        if let Some(lane) = self.state.waiting.remove(&game.id) {
            // A lane that has given up the wait has no use for it.
            let _ = lane.send(());
        }
        self.settle(game.id.pair);
    }

    /// After a game with a fault: an engine that is disqualified now plays no more pairs
    /// than those that are running.
    fn apply_disqualification(&mut self, game: &PlayedGame) {
        let Some(fault) = game.record.faults.first() else {
            return;
        };
        let engine = game.seat(fault.side).engine;
        let [is_excused, is_out] = self.event.read(|event| {
            let counts = event.fault_counts();
            [counts.excuses(engine), counts.is_out(engine)]
        });
        if !is_excused {
            self.publish_disqualifications();
        }
        if is_out && self.supply.work.withdraw(engine) {
            self.publish_disqualifications();
            self.listeners.disqualified(engine);
            let withdrawn = self.supply.giver.queue.withdraw(engine);
            self.state.ledger.withdrawn(withdrawn);
            self.state.forget_voids_of(|other| other == engine);
        }
    }
}

/// Logs a flag that fell, with the side to blame.
fn log_flag_fall(game: &PlayedGame) {
    let explained = |fault: &Fault| Some((fault.side, fault.evidence?));
    for (side, evidence) in game.record.faults.iter().filter_map(explained) {
        let (game, verdict) = (game.id, evidence.verdict.word());
        tracing::info!(%game, %side, verdict, "a flag fell: {evidence}");
    }
}
