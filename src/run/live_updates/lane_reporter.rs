//! A lane's end of the way: what to tell of its game, and when.

use std::time::Duration;

use crate::chess::Color;
use crate::clock::Stamp;
use crate::event::live::{GameChange, LaneUpdate, RunningGame};
use crate::event::{GameId, UnixMillis};
use crate::host::epoch::Epoch;
use crate::referee::{Outcome, Referee};
use crate::run::game::PlannedGame;

use super::LiveUpdates;

/// Minimum time between two reports of what an engine thinks, and between two attempts at a whole game.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// Tells what passes in the game of one lane.
#[derive(Debug)]
pub(crate) struct LaneReporter {
    live_updates: LiveUpdates,
    epoch: Epoch,
    lane: usize,
    /// The game, and when it began.
    game: Option<(PlannedGame, UnixMillis)>,
    /// Whom all of the game so far was told, and how many half-moves that were.
    told: Option<(u32, usize)>,
    /// A game that was told of, and not yet its end.
    open: Option<(GameId, Outcome)>,
    /// When something was told the last time.
    last: Stamp,
    /// Set after a live update that found no room: before this moment a whole game is not tried either.
    patient_until: Stamp,
}

impl LaneReporter {
    /// The reporter of this lane.
    pub(crate) fn new(live_updates: LiveUpdates, epoch: Epoch, lane: usize) -> LaneReporter {
        LaneReporter {
            live_updates,
            epoch,
            lane,
            game: None,
            told: None,
            open: None,
            last: Stamp(0),
            patient_until: Stamp(0),
        }
    }

    /// A game is about to begin.
    pub(crate) fn begin(&mut self, game: &PlannedGame) {
        self.told = None;
        self.game = Some((game.clone(), UnixMillis::now()));
    }

    /// What has changed on the board, if anything. To be called between an answer and the next
    /// `go`, where no clock runs.
    pub(crate) fn board(&mut self, referee: &Referee) {
        let Some(audience) = self.live_updates.audience() else {
            return;
        };
        match self.told.filter(|(to, _)| *to == audience) {
            Some((_, plies)) if plies == referee.plies() => {}
            Some((_, plies)) if plies + 1 == referee.plies() => self.moved(referee, audience),
            _ if referee.has_begun() && !referee.is_over() => self.whole_game(referee, audience),
            _ => {}
        }
    }

    /// What an engine said while its clock runs, if there was time enough since the last live update.
    pub(crate) fn thinking(&mut self, referee: &Referee, side: Color, now: Stamp) {
        let told = self.told.map(|(to, _)| to);
        if told.is_none() || told != self.live_updates.audience() {
            return;
        }
        let searches = referee.side_to_move() == side && referee.clock_runs_since().is_some();
        if !searches || now.saturating_since(self.last) < REPORT_INTERVAL {
            return;
        }
        let thinking = Box::new(referee.thinking(side));
        if thinking.score.is_some() {
            self.tell(GameChange::Thinking { side, thinking }, now);
        }
    }

    /// The game is over.
    pub(crate) fn over(&mut self, outcome: &Outcome) {
        let told = self.told.take();
        let game = self.game.take();
        if let Some((game, _)) = game.filter(|_| told.is_some()) {
            self.open = Some((game.id, outcome.clone()));
            self.rest();
        }
    }

    /// Tells of an end that was not told yet: it may have found no room, and nothing else may
    /// follow for a while.
    pub(crate) fn rest(&mut self) {
        let now = self.epoch.now();
        if let Some((game, outcome)) = &self.open
            && self.send(*game, GameChange::Over(outcome.clone()), now)
        {
            self.open = None;
        }
    }

    fn moved(&mut self, referee: &Referee, audience: u32) {
        let Some(played) = referee.moves().last() else {
            return;
        };
        let change = GameChange::Moved {
            ply: referee.plies(),
            chess_move: played.chess_move,
            clocks: Color::ALL.map(|side| referee.clock(side)),
            thinking: Box::new(played.thinking.clone()),
        };
        if self.tell(change, played.received) {
            self.told = Some((audience, referee.plies()));
        }
    }

    fn whole_game(&mut self, referee: &Referee, audience: u32) {
        let now = self.epoch.now();
        let Some((planned, started)) = self.game.as_ref().filter(|_| now >= self.patient_until)
        else {
            return;
        };
        let since = referee.clock_runs_since().unwrap_or(now);
        let game = RunningGame {
            id: planned.id,
            seats: planned.seats,
            number: planned.number,
            started: *started,
            start: planned.settings.start.clone(),
            position: referee.position().clone(),
            opening: planned.settings.opening.clone(),
            moves: referee.moves().to_vec(),
            clocks: Color::ALL.map(|side| referee.clock(side)),
            since: self.epoch.instant(since).into_std(),
            thinking: Color::ALL.map(|side| referee.said_last(side)),
        };
        if self.tell(GameChange::Game(Box::new(game)), now) {
            self.told = Some((audience, referee.plies()));
            // This also reports the end of the game before.
            self.open = None;
        }
    }

    /// Tells of the game; if that fails, the whole game is sent again later.
    fn tell(&mut self, change: GameChange, at: Stamp) -> bool {
        let Some(game) = self.game.as_ref().map(|(game, _)| game.id) else {
            return false;
        };
        self.last = at;
        let sent = self.send(game, change, at);
        if !sent {
            self.told = None;
            self.patient_until = at + REPORT_INTERVAL;
        }
        sent
    }

    fn send(&self, game: GameId, change: GameChange, at: Stamp) -> bool {
        self.live_updates.send(LaneUpdate {
            lane: self.lane,
            game,
            at: self.epoch.instant(at).into_std(),
            change,
        })
    }
}

#[cfg(test)]
mod tests;
