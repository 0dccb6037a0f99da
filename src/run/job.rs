//! A pair that is given out to be played.

use crate::event::{GameId, PairId};
use crate::schedule::PairSpec;

/// Which event a job belongs to, and under which revision of its identity it is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventKey {
    /// SHA-256 of the identity's JSON.
    pub identity: [u8; 32],
    /// The revision of the identity, from 1.
    pub revision: u32,
}

/// A pair to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    /// The event.
    pub event: EventKey,
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
