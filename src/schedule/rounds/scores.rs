//! The points of an event in rounds: games, byes, and games that were not played because the
//! opponent was withdrawn.

use super::{History, SwissPlayer};
use crate::event::ByePoints;

/// What one engine has so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Score {
    /// The engine.
    pub engine: u16,
    /// Half points with byes and walkovers.
    pub half_points: u32,
    /// Half points of these for games that were not played.
    pub unplayed_half_points: u32,
    /// Byes.
    pub byes: u32,
    /// How often it began an encounter, less how often its opponent did.
    pub begun: i32,
}

impl Score {
    pub(super) fn player(&self) -> SwissPlayer {
        SwissPlayer {
            engine: self.engine,
            half_points: self.half_points,
            byes: self.byes,
            begun: self.begun,
        }
    }
}

/// The scores of these engines, in their order. `full` are the half points of an encounter whose
/// games are all won.
pub(crate) fn scores(engines: &[u16], full: u32, bye: ByePoints, history: &History) -> Vec<Score> {
    let blank = |engine: &u16| Score {
        engine: *engine,
        half_points: 0,
        unplayed_half_points: 0,
        byes: 0,
        begun: 0,
    };
    let mut scores: Vec<Score> = engines.iter().map(blank).collect();
    let place = |engine: u16| engines.iter().position(|one| *one == engine);
    for encounter in history.encounters().values() {
        for (side, engine) in encounter.engines.into_iter().enumerate() {
            let Some(place) = place(engine) else { continue };
            let score = &mut scores[place];
            score.begun += if side == 0 { 1 } else { -1 };
            score.half_points += encounter.half_points[side];
            let opponent = encounter.engines[1 - side];
            if history.withdrawn().contains(&opponent) && !history.withdrawn().contains(&engine) {
                let missing = 2 * (encounter.games - encounter.played);
                score.half_points += missing;
                score.unplayed_half_points += missing;
            }
        }
    }
    let worth = match bye {
        ByePoints::Win => full,
        ByePoints::Draw => full / 2,
        ByePoints::Nothing => 0,
    };
    for bye in history.byes() {
        if let Some(place) = place(bye.engine) {
            scores[place].byes += 1;
            scores[place].half_points += worth;
            scores[place].unplayed_half_points += worth;
        }
    }
    scores
}
