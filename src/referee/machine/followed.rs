//! Searches that have ended, for programs that look at every line of them. Nothing is kept if no program does.

use crate::chess::Color;
use crate::referee::EndedSearch;

use super::Referee;

impl Referee {
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
