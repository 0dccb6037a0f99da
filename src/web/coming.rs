//! The pairs that have not begun.

use std::collections::VecDeque;

use crate::event::{PairId, Seat};

/// A pair of the plan that has not been played yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ComingPair {
    pub(crate) pair: PairId,
    /// The start number, if the start has one.
    pub(crate) number: Option<u32>,
    /// White and Black of the first game.
    pub(crate) seats: [Seat; 2],
}

/// The pairs in the order in which they will begin.
#[derive(Debug, Default)]
pub(super) struct Coming {
    pub(super) pairs: VecDeque<ComingPair>,
    /// How many have begun.
    pub(super) begun: u64,
}

impl Coming {
    /// A list of these pairs.
    pub(super) fn new(pairs: Vec<ComingPair>) -> Coming {
        let pairs = VecDeque::from(pairs);
        Coming { pairs, begun: 0 }
    }

    /// A game of the pair has begun, or is over.
    pub(super) fn begins(&mut self, pair: PairId) {
        // Pairs begin in about this order, so this one is near the front.
        let place = self.pairs.iter().position(|known| known.pair == pair);
        if let Some(place) = place {
            self.pairs.remove(place);
            self.begun += 1;
        }
    }

    /// The next pairs, at most `most`, and the number of those after them.
    pub(super) fn next(&self, most: usize) -> (impl Iterator<Item = &ComingPair>, usize) {
        let rest = self.pairs.len().saturating_sub(most);
        (self.pairs.iter().take(most), rest)
    }
}
