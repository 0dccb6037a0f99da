//! One pair of a plan.

use serde::{Deserialize, Serialize};

use crate::event::{Place, Seat};

/// One pair of games from one opening, with the colours swapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairSpec {
    /// The cycle, from 0: how often the two had met on this opening before.
    pub cycle: u32,
    /// The opening: an index into the event's [`Openings`](super::Openings).
    pub opening: u32,
    /// White of game 0.
    pub first: Seat,
    /// Black of game 0.
    pub second: Seat,
    /// Games of the pair: 2, or 1 where a second game would repeat the first.
    pub games: u8,
    /// Its place in an event that is played in rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Whether both have the same colour in every game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_colours: bool,
}

impl PairSpec {
    /// White and Black of a game of the pair.
    pub fn seats(&self, game: u8) -> [Seat; 2] {
        if game.is_multiple_of(2) || self.keeps_colours {
            [self.first, self.second]
        } else {
            [self.second, self.first]
        }
    }

    /// Whether this engine takes part.
    pub fn concerns(&self, engine: u16) -> bool {
        self.first.engine == engine || self.second.engine == engine
    }
}
