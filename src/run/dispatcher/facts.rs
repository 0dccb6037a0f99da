//! What the store says: games that are durable are counted, told to the listeners, and have
//! consequences. One of them is whether the host still lets games be finished at all.

use std::io;
use std::sync::Arc;

use super::{Dispatcher, EndReason};
use crate::clock::Stamp;
use crate::config::AtDecision;
use crate::event::{GameId, PlayedGame, UnixMillis};
use crate::referee::{Fault, FaultKind, Outcome, Referee, VoidReason};
use crate::run::error::RunError;
use crate::run::game::PlannedGame;
use crate::run::signals::Stop;
use crate::schedule::PairSpec;
use crate::store::{RunningGameFiles, StoreNotice};
use crate::text::count;
use crate::tournament::{EventState, PendingReplay};

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

/// So many games for each lane, one after the other, voided by the host's fault.
const IN_A_ROW: u32 = 20;

/// More lanes than these do not make it more: an engine that is away voids no more games than an
/// event excuses of it before that is noticed.
const LANES: u32 = 3;

/// An engine that cannot be started has been tried for seconds: it counts for several.
const START_FAILURE: u32 = 5;

/// Counts games that the host has voided since one was finished.
#[derive(Debug)]
pub(super) struct HostFaultCount {
    limit: u32,
    weight: u32,
    games: u32,
}

impl HostFaultCount {
    /// For this number of lanes.
    pub(super) fn new(lanes: usize) -> HostFaultCount {
        let lanes = u32::try_from(lanes).unwrap_or(u32::MAX);
        HostFaultCount {
            limit: IN_A_ROW * lanes.clamp(1, LANES),
            weight: 0,
            games: 0,
        }
    }

    /// A game was finished: the host lets games be played.
    pub(super) fn finished(&mut self) {
        (self.weight, self.games) = (0, 0);
    }

    /// A game is void. When it is one too many: what to tell the user.
    pub(super) fn voided(&mut self, game: &PlayedGame) -> Option<String> {
        let Outcome::Void(VoidReason::HostFault(what)) = &game.record.outcome else {
            return None;
        };
        let is_other = |kind| kind != FaultKind::StartFailure;
        let other = game.record.faults.iter().any(|fault| is_other(fault.kind));
        let not_started = !other && game.record.moves.is_empty();
        self.weight += if not_started { START_FAILURE } else { 1 };
        self.games += 1;
        (self.weight >= self.limit).then(|| {
            format!(
                "stopping: the host has voided {} one after the other, and none was finished \
                 between them. The last, {}: {what}",
                count(self.games, "game"),
                game.id
            )
        })
    }
}

impl Dispatcher<'_> {
    /// A game that is void is played again after a while.
    pub(super) fn hear_wait(&mut self, game: GameId, until: UnixMillis, why: String) {
        let name = |event: &EventState| event.roster().games.name(game).into();
        let replay = PendingReplay {
            round: self.event.read(name),
            at_ms: until.0,
            why,
        };
        self.listeners.say(&replay.to_string());
        self.state.ledger.waits(game.pair, replay);
        let waiting = self.state.ledger.waiting();
        self.event.update(|event| event.waits(waiting));
    }

    /// A lane was given up, and replaced by another if the run continues.
    pub(super) fn give_up(&mut self, lane: usize, words: String, replaced: bool) {
        self.listeners.say_to_all(&format!(
            "warning: {words}: its engines are ended, and its pair is played by another lane"
        ));
        for (id, spec) in self.state.ledger.in_play(lane) {
            // The lane may write on.
            RunningGameFiles::of_event(self.store.folder()).remove(id);
            if let Some(game) = self.void(id, spec, &words) {
                self.state.unstored += 1;
                self.state.ledger.submitted(&game);
                self.store.submit(game);
            }
        }
        for pair in self.state.ledger.lane_ended(lane) {
            self.settle(pair);
        }
        self.supply.lanes -= usize::from(!replaced);
        if self.supply.lanes == 0 {
            let reason = EndReason::GaveUp(format!("no lane moves any more: {words}"));
            self.raise(Stop::FinishPairs, reason);
        }
        self.state.overdue.push(words);
    }

    /// The fact that a game was broken off.
    fn void(&self, id: GameId, spec: PairSpec, words: &str) -> Option<PlayedGame> {
        let planned = PlannedGame::new(&self.tournament, id, spec);
        let mut referee = Referee::new(planned.settings.clone(), Stamp(0));
        referee.interrupt(VoidReason::HostFault(words.to_owned()));
        Some(planned.finished(UnixMillis::now(), referee.finish()?))
    }
}
