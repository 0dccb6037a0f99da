//! What is needed for a mate on a square, and whether men can do all of it together.
//!
//! In a mate, some piece attacks the king; and every square around is attacked, or taken by an
//! own piece. Whose turn it is, what stands between a slider and its goal, and how the men came
//! there is left out, so that more mates seem possible than are.

use super::reach::{Tracked, around};
use crate::attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks};
use crate::{Bitboard, PieceKind, Square};

/// So many choices of places are tried for one square of a king; then a mate seems possible.
const MOST_CHOICES: u32 = 2_000;

/// What is needed for a mate: the check as bit 0, and a bit for each square around the king.
pub(super) type Needs = u16;

/// How many different needs there can be.
pub(super) const NEEDS: usize = 1 << 9;

/// The needs of a mate on a square that these squares do, if they are attacked, or taken where
/// they are around.
pub(super) fn needs(on: Square, covered: Bitboard) -> Needs {
    let first = Needs::from(covered.contains(on));
    around(on).into_iter().zip(1..).fold(first, |needs, (square, bit)| {
        needs | Needs::from(covered.contains(square)) << bit
    })
}

/// What men can do for a mate on one square: of each, the choices it has.
pub(super) struct Men(Vec<Vec<Needs>>);

impl Men {
    /// Of the men of both sides; the king of the side that is mated must not be among them.
    pub(super) fn new<'a>(
        on: Square,
        attackers: impl Iterator<Item = &'a Tracked>,
        helpers: impl Iterator<Item = &'a Tracked>,
    ) -> Men {
        let helps = |man: &Tracked| {
            let squares = (man.squares | man.promoted) & around(on);
            squares.into_iter().map(Square::bitboard).collect()
        };
        let places = attackers.map(|man| attacker(man, on)).chain(helpers.map(helps));
        let choices = places.map(|places: Vec<Bitboard>| {
            useful(places.into_iter().map(|covered| needs(on, covered)))
        });
        Men(choices.filter(|choices| !choices.is_empty()).collect())
    }

    /// Whether there are places, one for each man, from which they do all that is needed besides
    /// `done`; also if there were too many choices.
    pub(super) fn can(&self, on: Square, done: Needs) -> bool {
        let all = (1 << (around(on).len() + 1)) - 1;
        let mut left = MOST_CHOICES;
        self.cover(all & !done, 0, &mut left)
    }

    fn cover(&self, needs: Needs, placed: u64, left: &mut u32) -> bool {
        if needs == 0 || *left == 0 {
            return true;
        }
        *left -= 1;
        let free = || (0..self.0.len()).filter(move |man| placed >> man & 1 == 0);
        let does = |man: usize, bit: Needs| self.0[man].iter().any(|choice| choice & bit != 0);
        // What the fewest can do comes first.
        let bits = (0..Needs::BITS).map(|bit| 1 << bit).filter(|bit| needs & bit != 0);
        let Some(bit) = bits.min_by_key(|&bit| free().filter(|&man| does(man, bit)).count()) else {
            return true;
        };
        free().any(|man| {
            let choices = self.0[man].iter().filter(|&choice| choice & bit != 0);
            choices.into_iter().any(|choice| self.cover(needs & !choice, placed | 1 << man, left))
        })
    }
}

/// What a man attacks from each of its places; the king beside its own kind alone.
fn attacker(man: &Tracked, on: Square) -> Vec<Bitboard> {
    let empty = Bitboard::EMPTY;
    let queen = |from| bishop_attacks(from, empty) | rook_attacks(from, empty);
    let attacks = |from| match man.kind {
        PieceKind::Pawn => pawn_attacks(man.color, from),
        PieceKind::Knight => knight_attacks(from),
        PieceKind::Bishop => bishop_attacks(from, empty),
        PieceKind::Rook => rook_attacks(from, empty),
        PieceKind::Queen => queen(from),
        PieceKind::King => king_attacks(from),
    };
    let near = match man.kind {
        PieceKind::King => around(on) | on.bitboard(),
        _ => on.bitboard(),
    };
    let as_it_is = (man.squares & !near).into_iter().map(attacks);
    let promoted = (man.promoted & !on.bitboard()).into_iter();
    as_it_is
        .chain(promoted.map(|from| queen(from) | knight_attacks(from)))
        .collect()
}

/// Every choice once, without those that do nothing, or less than another.
fn useful(choices: impl Iterator<Item = Needs>) -> Vec<Needs> {
    let mut choices: Vec<Needs> = choices.filter(|&choice| choice != 0).collect();
    choices.sort_unstable();
    choices.dedup();
    let all = choices.clone();
    let less = |one: Needs| all.iter().any(|&other| other != one && one & !other == 0);
    choices.retain(|&choice| !less(choice));
    choices
}
