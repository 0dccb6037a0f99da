//! The order of arrays: which back rank a number means, and back.
//!
//! All numberings are one family. A number is taken apart by division, and each
//! remainder puts a piece on one of the squares still free, counted from the a-file.
//!
//! * **0–959, Chess960**: Reinhard Scharnagl's numbers ("Fischer-Random-Schach", 2004;
//!   FIDE's table). `n = light + 4 · (dark + 4 · (queen + 6 · knights))`: the bishop on
//!   light squares (0 = b … 3 = h), the one on dark squares (0 = a … 3 = g), the queen
//!   among six squares, the knights as a pair among five ((0,1) (0,2) (0,3) (0,4) (1,2)
//!   … (3,4)); the king goes between the rooks.
//! * **0–2879, bishops on both colours** (transcendental chess): `n = 960 · k + s`, where
//!   `s` is the Scharnagl number with the king put between the rooks, and k tells where it
//!   really is: 0 between them, 1 left of both, 2 right of both.
//! * **0–5039, every array** (shuffle chess): the 2,880 above, then the 2,160 with both
//!   bishops on one colour, `n = 2880 + 720 · k + bishops + 12 · (queen + 6 · knights)`:
//!   bishops 0–5 are the pairs ac ae ag ce cg eg of dark squares, 6–11 the pairs bd bf bh
//!   df dh fh of light ones; k, queen and knights as above.
//! * **0–359, corner chess**: king on h1, `n = light + 3 · (dark + 4 · (queen + 5 ·
//!   knights))`: the light bishop on b, d or f, the queen among five squares, the knights
//!   as a pair among four ((0,1) (0,2) (0,3) (1,2) (1,3) (2,3)), the rooks on the rest.
//!
//! Hence an array of Chess960 has the same number in Chess960, Chess480, transcendental
//! and shuffle chess, and the orthodox array is 518 everywhere it exists.

use super::BackRank;
use crate::PieceKind;
use crate::PieceKind::{Bishop, King, Knight, Queen, Rook};

/// Arrays with bishops on both colours: 4 · 4 · 6 · 10 · 3.
const ON_BOTH_COLOURS: u32 = 2880;

/// King and rooks on the last three squares, by where the king is: between the rooks,
/// left of both, right of both.
const KING_AND_ROOKS: [[PieceKind; 3]; 3] =
    [[Rook, King, Rook], [King, Rook, Rook], [Rook, Rook, King]];

/// The six pairs of the four squares of one colour.
const PAIRS_OF_FOUR: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

/// Array `number` of all 5,040; the first 2,880 have bishops on both colours, the first
/// 960 of them also the king between the rooks.
pub(super) fn array(number: u32) -> BackRank {
    let mut squares = Filling::new();
    let (king, rest) = match number.checked_sub(ON_BOTH_COLOURS) {
        None => {
            let scharnagl = number % 960;
            squares.put(Bishop, 2 * (scharnagl % 4) as usize + 1);
            squares.put(Bishop, 2 * (scharnagl / 4 % 4) as usize);
            (number / 960, scharnagl / 16)
        }
        Some(number) => {
            let bishops = (number % 12) as usize;
            let (first, second) = PAIRS_OF_FOUR[bishops % 6];
            let colour = bishops / 6;
            squares.put(Bishop, 2 * first + colour);
            squares.put(Bishop, 2 * second + colour);
            (number / 720, number % 720 / 12)
        }
    };
    squares.put_free(Queen, rest % 6);
    squares.put_free_pair(Knight, rest / 6);
    squares.fill(&KING_AND_ROOKS[king as usize]);
    squares.finish()
}

/// The inverse of [`array`]. Below 960 where the array is one of Chess960, below 2,880 where the bishops are on both
/// colours.
pub(super) fn array_number(rank: &BackRank) -> u32 {
    let mut squares = PartialBackRank::new(rank);
    let bishops = [squares.take(Bishop), squares.take(Bishop) + 1].map(|file| file as usize);
    let rest = squares.take(Queen) + 6 * squares.take_pair(Knight);
    let king = KING_AND_ROOKS
        .iter()
        .position(|order| order == squares.rest());
    let king = king.expect("king and rooks are what is left") as u32;
    match bishops_on_one_colour(bishops) {
        None => 960 * king + light_and_dark(bishops, 4) + 16 * rest,
        Some(pair) => ON_BOTH_COLOURS + 720 * king + pair + 12 * rest,
    }
}

/// Start `number` of corner chess, as White has it.
pub(super) fn corner_array(number: u32) -> BackRank {
    let mut squares = Filling::new();
    squares.put(King, 7);
    squares.put(Bishop, 2 * (number % 3) as usize + 1);
    squares.put(Bishop, 2 * (number / 3 % 4) as usize);
    squares.put_free(Queen, number / 12 % 5);
    squares.put_free_pair(Knight, number / 60);
    squares.fill(&[Rook, Rook]);
    squares.finish()
}

/// The inverse of [`corner_array`], for arrays with the king on h and bishops on both
/// colours.
pub(super) fn corner_number(rank: &BackRank) -> u32 {
    let mut squares = PartialBackRank::new(rank);
    squares.take(King);
    let bishops = [squares.take(Bishop), squares.take(Bishop) + 1].map(|file| file as usize);
    let rest = squares.take(Queen) + 5 * squares.take_pair(Knight);
    light_and_dark(bishops, 3) + 12 * rest
}

/// `light + lights · dark` of two bishops on different colours; on the first rank light
/// squares lie on the files b, d, f, h.
fn light_and_dark(bishops: [usize; 2], lights: u32) -> u32 {
    let on_colour = |colour: usize| {
        let file = bishops.into_iter().find(|file| file % 2 == colour);
        (file.expect("one bishop stands on each colour") / 2) as u32
    };
    on_colour(1) + lights * on_colour(0)
}

/// The number of the pair 0–11 if both bishops are on one colour.
fn bishops_on_one_colour([first, second]: [usize; 2]) -> Option<u32> {
    if first % 2 != second % 2 {
        return None;
    }
    let pair = PAIRS_OF_FOUR
        .iter()
        .position(|&pair| pair == (first / 2, second / 2))?;
    Some((pair + 6 * (first % 2)) as u32)
}

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
    fn landmarks() {
        for (number, text) in [
            (0, "BBQNNRKR"),
            (518, "RNBQKBNR"),
            (959, "RKRNNQBB"),
            (960, "BBQNNKRR"),
            (1920, "BBQNNRRK"),
            (2880, "BQBNNRKR"),
            (5039, "RRKNNBQB"),
        ] {
            assert_eq!(array(number).to_string(), text);
        }
        assert_eq!(corner_array(0).to_string(), "BBQNNRRK");
        assert_eq!(corner_array(359).to_string(), "RRNNQBBK");
    }

    #[test]
    fn every_array_has_its_own_number() {
        let mut texts = std::collections::HashSet::new();
        for number in 0..5040 {
            let rank = array(number);
            assert_eq!(array_number(&rank), number);
            assert_eq!(rank.bishops_on_both_colours(), number < 2880, "{number}");
            let chess960 = rank.bishops_on_both_colours() && rank.king_between_rooks();
            assert_eq!(chess960, number < 960, "{number}");
            texts.insert(rank.to_string());
        }
        assert_eq!(texts.len(), 5040);
    }

    #[test]
    fn corner_numbers_are_the_arrays_with_the_king_on_h() {
        let of_all = (0..2880).map(array).filter(|rank| rank.king() == 7);
        let mut numbers: Vec<u32> = of_all.map(|rank| corner_number(&rank)).collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..360));
        assert!((0..360).all(|number| corner_number(&corner_array(number)) == number));
    }

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
