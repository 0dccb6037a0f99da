//! Lanes that do not move any more: what they played is void by the host's fault, and is played by another.

use crate::clock::Stamp;
use crate::event::{GameId, PlayedGame, UnixMillis};
use crate::referee::{Referee, VoidReason};
use crate::run::game::PlannedGame;
use crate::run::signals::Stop;
use crate::schedule::PairSpec;

use super::{Dispatcher, EndReason};

impl Dispatcher<'_> {
    /// A lane was given up, and replaced by another if the run continues.
    pub(super) fn give_up(&mut self, lane: usize, words: String, replaced: bool) {
        self.listeners.say_to_all(&format!(
            "warning: {words}: its engines are ended, and its pair is played by another lane"
        ));
        for (id, spec) in self.state.ledger.in_play(lane) {
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
