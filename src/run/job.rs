//! A pair that is given out to be played.

use serde::{Deserialize, Serialize};

use crate::event::{GameId, PairId};
use crate::schedule::PairSpec;

/// A pair to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Its number in the plan.
    pub pair: PairId,
    /// Who plays what.
    pub spec: PairSpec,
    /// Which of its games are missing, by [`GameId::game`].
    pub missing: [bool; 2],
    /// How often each of its games was voided because of a fault.
    pub replayed: [u32; 2],
}

impl Job {
    /// The key of one of its games.
    pub fn game(&self, game: u8) -> GameId {
        GameId {
            pair: self.pair,
            game,
        }
    }

    /// How many games are to be played.
    pub fn games(&self) -> u64 {
        self.missing.iter().filter(|missing| **missing).count() as u64
    }
}
