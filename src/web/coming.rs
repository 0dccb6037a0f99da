//! The pairs that nobody has begun.

use std::collections::VecDeque;

use crate::event::{PairId, Seat};

/// A pair of the plan that is to be played.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ComingPair {
    pub(crate) pair: PairId,
    /// The start number, where the start has one.
    pub(crate) number: Option<u32>,
    /// White and Black of its first game.
    pub(crate) seats: [Seat; 2],
}

/// The pairs in the order in which they will begin.
#[derive(Debug, Default)]
pub(super) struct Coming {
    pairs: VecDeque<ComingPair>,
    /// How many have begun.
    begun: u64,
}

impl Coming {
    /// These pairs are to be played.
    pub(super) fn new(pairs: Vec<ComingPair>) -> Coming {
        let pairs = VecDeque::from(pairs);
        Coming { pairs, begun: 0 }
    }

    /// A game of the pair has begun, or is over.
    pub(super) fn begins(&mut self, pair: PairId) {
        // Pairs begin in about this order: it stands near the front.
        let place = self.pairs.iter().position(|known| known.pair == pair);
        if let Some(place) = place {
            self.pairs.remove(place);
            self.begun += 1;
        }
    }

    /// How often the list has changed.
    pub(super) fn version(&self) -> u64 {
        self.begun
    }

    /// The next pairs, and how many follow them.
    pub(super) fn next(&self, most: usize) -> (impl Iterator<Item = &ComingPair>, usize) {
        let rest = self.pairs.len().saturating_sub(most);
        (self.pairs.iter().take(most), rest)
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}
