//! What is shown of a game that runs.

use std::time::Duration;

use crate::chess::{Color, Position};
use crate::clock::Stamp;
use crate::referee::Thinking;
use crate::referee::player::Overrun;

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
}
