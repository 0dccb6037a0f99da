//! Whether the host still lets games be finished at all.

use super::{Dispatcher, EndReason};
use crate::clock::Stamp;
use crate::event::{GameId, PlayedGame, UnixMillis};
use crate::referee::{FaultKind, Outcome, Referee, VoidReason};
use crate::run::game::PlannedGame;
use crate::run::signals::Stop;
use crate::schedule::PairSpec;
use crate::store::RunningGameFiles;
use crate::text::count;
use crate::tournament::{EventState, PendingReplay};

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
