//! Filling and emptying a back rank piece by piece, as all numberings do: a piece
//! goes to the n-th square that is still free, counted from the a-file.

use super::BackRank;
use crate::PieceKind;

/// A back rank on which pieces are still being put.
pub(super) struct Filling([Option<PieceKind>; 8]);

impl Filling {
    /// Eight free squares.
    pub(super) const fn new() -> Self {
        Self([None; 8])
    }

    /// Puts a piece on a file that is free.
    pub(super) fn put(&mut self, kind: PieceKind, file: usize) {
        debug_assert!(
            self.0[file].is_none(),
            "the numbering puts two pieces on one square"
        );
        self.0[file] = Some(kind);
    }

    /// Puts a piece on the n-th free square.
    pub(super) fn put_free(&mut self, kind: PieceKind, n: u32) {
        self.put(kind, self.free_file(n));
    }

    /// Puts two pieces of one kind on the free squares that pair `number` names.
    pub(super) fn put_free_pair(&mut self, kind: PieceKind, number: u32) {
        let free = self.0.iter().filter(|square| square.is_none()).count() as u32;
        let (first, second) = pair(number, free);
        let files = [self.free_file(first), self.free_file(second)];
        files.into_iter().for_each(|file| self.put(kind, file));
    }

    /// Puts pieces on the free squares from left to right.
    pub(super) fn fill(&mut self, kinds: &[PieceKind]) {
        kinds.iter().for_each(|&kind| self.put_free(kind, 0));
    }

    /// The back rank, when every square is taken.
    pub(super) fn finish(self) -> BackRank {
        let kinds = self
            .0
            .map(|square| square.expect("a numbering fills every square"));
        BackRank::new(kinds).expect("a numbering uses every piece once")
    }

    fn free_file(&self, n: u32) -> usize {
        let mut free = (0..8).filter(|&file| self.0[file].is_none());
        free.nth(n as usize)
            .expect("a numbering counts no further than the free squares")
    }
}

/// A back rank from which pieces are taken, to find out the number that puts them there.
pub(super) struct PartialBackRank(Vec<PieceKind>);

impl PartialBackRank {
    /// The whole rank.
    pub(super) fn new(rank: &BackRank) -> Self {
        Self(rank.kinds().to_vec())
    }

    /// Takes the first piece of a kind away: its place among the squares left.
    pub(super) fn take(&mut self, kind: PieceKind) -> u32 {
        let place = self.0.iter().position(|&other| other == kind);
        let place = place.expect("pieces are taken no oftener than they stand there");
        self.0.remove(place);
        place as u32
    }

    /// Takes both pieces of a kind away: the number of their pair.
    pub(super) fn take_pair(&mut self, kind: PieceKind) -> u32 {
        let squares = self.0.len() as u32;
        let first = self.take(kind);
        let second = self.take(kind) + 1;
        pair_number(first, second, squares)
    }

    /// What is left, from left to right.
    pub(super) fn rest(&self) -> &[PieceKind] {
        &self.0
    }
}

/// Pair `number` of two among `squares` squares, in the order of Scharnagl's table of
/// knights: (0,1), (0,2), … (1,2), …
fn pair(mut number: u32, squares: u32) -> (u32, u32) {
    let mut first = 0;
    while number >= squares - 1 - first {
        number -= squares - 1 - first;
        first += 1;
    }
    (first, first + 1 + number)
}

/// The inverse of [`pair`].
fn pair_number(first: u32, second: u32, squares: u32) -> u32 {
    let earlier: u32 = (0..first).map(|file| squares - 1 - file).sum();
    earlier + second - first - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_among_five_squares_are_scharnagls_table() {
        let table = [
            (0, 1),
            (0, 2),
            (0, 3),
            (0, 4),
            (1, 2),
            (1, 3),
            (1, 4),
            (2, 3),
            (2, 4),
            (3, 4),
        ];
        for (number, expected) in (0..).zip(table) {
            assert_eq!(pair(number, 5), expected);
            assert_eq!(pair_number(expected.0, expected.1, 5), number);
        }
    }
}
