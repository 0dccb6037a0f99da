//! What is seen of a game while it is played: by people, by those who look at every line of a search, and what the host
//! and the side that waits did during a move.

use std::time::Duration;

use crate::chess::{Color, Position};
use crate::clock::Stamp;
use crate::referee::player::Overrun;
use crate::referee::{EndedSearch, FaultKind, IdlePolicy, IdleTimes, Observation, Thinking};
use crate::text::duration;

use super::{GamePhase, Referee};

impl Referee {
    /// Whether both engines were ready, and the first has got `go` or is about to get it.
    pub(crate) fn has_begun(&self) -> bool {
        !matches!(self.phase, GamePhase::Preparing(_))
    }

    /// Whether a search of this side ran on past its limit, until it was told to stop.
    pub(crate) fn limit_ignored(&self, side: Color) -> Option<Overrun> {
        self.players[side.index()].limit_ignored
    }

    /// The position on the board.
    pub(crate) fn position(&self) -> &Position {
        self.game.position()
    }

    /// What was on a clock when the present turn began; `None` where no clock runs.
    pub(crate) fn clock(&self, side: Color) -> Option<Duration> {
        self.players[side.index()].clock.remaining()
    }

    /// Since when the clock of the side to move runs.
    pub(crate) fn clock_runs_since(&self) -> Option<Stamp> {
        match self.phase {
            GamePhase::Running(turn) if self.fallen.is_none() => Some(turn.sent + turn.taken),
            GamePhase::Preparing(_)
            | GamePhase::Checking(_)
            | GamePhase::Due
            | GamePhase::Running(_) => None,
        }
    }

    /// What an engine reports about the search that runs, or ran last.
    pub(crate) fn thinking(&self, side: Color) -> Thinking {
        self.players[side.index()].thinking()
    }

    /// The same, or from the search before if this one has no report yet.
    pub(crate) fn said_last(&self, side: Color) -> Thinking {
        let thinking = self.thinking(side);
        let before = usize::from(self.side_to_move() == side);
        match self.moves.iter().rev().nth(before) {
            Some(record) if thinking.score.is_none() => record.thinking.clone(),
            _ => thinking,
        }
    }

    /// What the host did during the last move.
    pub fn observed(&mut self, host: Box<Observation>) {
        if let Some(last) = self.moves.last_mut() {
            last.host = Some(host);
        }
    }

    /// Processor time that the side to move used while its opponent made the last move. Above the limit of the event it
    /// may have lost the game by that.
    pub fn idled(&mut self, times: IdleTimes, now: Stamp) {
        let Some(last) = self.moves.last_mut() else {
            return;
        };
        last.idle = Some(times);
        let side = self.game.position().side_to_move();
        let all = self.idle[side.index()].plus(times);
        self.idle[side.index()] = all;
        let rule = self.settings.idle_cpu;
        if rule.policy == IdlePolicy::Fault && rule.is_exceeded(all) {
            let detail = format!(
                "{} on a processor in {} of its opponent's time, {:.0} %; allowed {} %",
                duration(all.cpu),
                duration(all.watched),
                all.percent(),
                rule.percent
            );
            self.fault(side, FaultKind::IdleCpu, detail, now);
        }
    }

    /// Whether this side is to be frozen now: it waits for its opponent, the event freezes engines that wait, and it
    /// has nothing to do.
    pub fn is_to_freeze(&self, side: Color) -> bool {
        self.settings.idle_cpu.policy == IdlePolicy::Freeze && self.is_idling(side)
    }

    /// Whether this side has nothing to do until its opponent has moved.
    pub fn is_idling(&self, side: Color) -> bool {
        side != self.side_to_move() && self.players[side.index()].is_ready()
    }

    /// From here on every line with a score is kept, for [`Referee::take_search`].
    pub(crate) fn followed(mut self) -> Referee {
        for player in &mut self.players {
            player.scored_lines = Some(Vec::new());
        }
        self
    }

    /// The search that has ended since the last call, if one has.
    pub(crate) fn take_search(&mut self) -> Option<Box<EndedSearch>> {
        self.ended_search.take()
    }

    /// A side has answered with this move.
    pub(super) fn search_ended(&mut self, side: Color, answer: &str, is_legal: bool) {
        let player = &mut self.players[side.index()];
        let Some(lines) = &mut player.scored_lines else {
            return;
        };
        self.ended_search = Some(Box::new(EndedSearch {
            side,
            start: self.game.start().clone(),
            moves: self.game.moves().to_vec(),
            lines: std::mem::take(lines),
            said_more: player.said_more,
            answer: answer.to_owned(),
            is_legal,
        }));
    }
}
