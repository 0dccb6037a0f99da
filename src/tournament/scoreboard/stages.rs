//! The groups of an event in stages, each as an event of its own.

use std::cmp::Reverse;

use crate::event::GameId;
use crate::tournament::rounds::{Contest, StagePart};

use super::{CountedGame, Scoreboard};

/// A group of a stage as an event of its own.
pub(crate) struct StageBoard {
    pub(crate) part: StagePart,
    pub(crate) board: Scoreboard,
}

impl Scoreboard {
    /// The groups of the stages as below, the last stage first.
    pub(crate) fn stages_from_last(&self) -> Vec<StageBoard> {
        let mut stages = self.stages();
        stages.sort_by_key(|stage| Reverse(stage.part.rounds.start));
        stages
    }

    /// The groups of the stages that have begun or can begin, in order; none of an event without stages.
    pub(crate) fn stages(&self) -> Vec<StageBoard> {
        let parts = self.contest.iter().flat_map(Contest::stages);
        parts.map(|part| self.of_part(part)).collect()
    }

    fn of_part(&self, part: StagePart) -> StageBoard {
        let own = part.engines.iter();
        let own = own.filter_map(|engine| Some(self.participants[self.place_of(*engine)?].clone()));
        let mut board = Scoreboard::new(&own.collect::<Vec<_>>());
        for history in [part.contest.history(), &part.carried] {
            for (pair, spec) in history.pairs() {
                for (game, scores) in (0..).zip(history.results(pair)) {
                    let Some(scores) = scores else { continue };
                    board.count(CountedGame {
                        id: GameId { pair, game },
                        seats: spec.seats(game),
                        scores,
                        evidence: None,
                    });
                }
            }
        }
        board.ranking.order = part.tie_breaks.clone();
        board.contest = Some(part.contest.clone());
        board.table = Some(part.table.clone());
        StageBoard { part, board }
    }
}
