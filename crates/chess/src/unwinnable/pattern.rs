//! What is needed for a mate on a square, and whether men can do all of it together.
//!
//! In a mate, some piece attacks the king; and every square around is attacked, or taken by a piece of the king's side.
//! The side to move, the pieces between a slider and its goal, and the moves that brought the men there are ignored, so
//! that more mates seem possible than are.

use super::reach::{ReachablePiece, around};
use crate::attacks::{knight_attacks, piece_attacks};
use crate::{Bitboard, Piece, PieceKind, Square};

/// Largest number of choices of places that are tried for one square of a king; beyond it a mate counts as possible.
const MAX_CHOICES: u32 = 2_000;

/// What is needed for a mate: the check as bit 0, and a bit for each square around the king.
pub(super) type MateNeeds = u16;

/// How many different needs there can be.
pub(super) const NEEDS: usize = 1 << 9;

/// The needs of a mate on a square that these squares do, if they are attacked, or taken where
/// they are around.
pub(super) fn needs(on: Square, covered: Bitboard) -> MateNeeds {
    let first = MateNeeds::from(covered.contains(on));
    around(on)
        .into_iter()
        .zip(1..)
        .fold(first, |needs, (square, bit)| {
            needs | MateNeeds::from(covered.contains(square)) << bit
        })
}

/// What a man does for a mate, and the places from which it does.
#[derive(Clone, Copy)]
pub(super) struct MateChoice {
    does: MateNeeds,
    pub(super) places: Bitboard,
    /// A pawn does it as the piece that it became.
    pub(super) promoted: bool,
}

/// What men can do for a mate on one square: of each that can do something, the choices it has.
pub(super) struct MatePieces<'a> {
    on: Square,
    men: Vec<(&'a ReachablePiece, Vec<MateChoice>)>,
}

/// Men, each with a place and task in a mate.
pub(super) type Places<'a> = Vec<(&'a ReachablePiece, MateChoice)>;

impl<'a> MatePieces<'a> {
    /// Of the men of both sides; the king of the side that is mated must not be among them.
    pub(super) fn new(
        on: Square,
        attackers: impl Iterator<Item = &'a ReachablePiece>,
        helpers: impl Iterator<Item = &'a ReachablePiece>,
    ) -> MatePieces<'a> {
        let attackers = attackers.map(|man| (man, attacker(man, on)));
        let helpers = helpers.map(|man| (man, helper(man, on)));
        let men = attackers
            .chain(helpers)
            .map(|(man, choices)| (man, useful(man, choices)));
        let men = men.filter(|(_, choices)| !choices.is_empty()).collect();
        MatePieces { on, men }
    }

    /// Whether there are places, one for each man, from which they do all that is needed in addition to `done`; also
    /// true if there were too many choices.
    pub(super) fn can(&self, done: MateNeeds) -> bool {
        self.places(done).is_some()
    }

    /// Such places; not all, if there were too many choices.
    pub(super) fn places(&self, done: MateNeeds) -> Option<Places<'a>> {
        let all = (1 << (around(self.on).len() + 1)) - 1;
        let mut left = MAX_CHOICES;
        let mut places = Vec::new();
        self.cover(all & !done, 0, &mut left, &mut places)
            .then_some(places)
    }

    fn cover(
        &self,
        needs: MateNeeds,
        placed: u64,
        left: &mut u32,
        places: &mut Places<'a>,
    ) -> bool {
        if needs == 0 || *left == 0 {
            return true;
        }
        *left -= 1;
        let free = || (0..self.men.len()).filter(move |man| placed >> man & 1 == 0);
        let does = |man: usize, bit: MateNeeds| {
            self.men[man].1.iter().any(|choice| choice.does & bit != 0)
        };
        // What the fewest can do comes first.
        let bits = (0..MateNeeds::BITS)
            .map(|bit| 1 << bit)
            .filter(|bit| needs & bit != 0);
        let Some(bit) = bits.min_by_key(|&bit| free().filter(|&man| does(man, bit)).count()) else {
            return true;
        };
        free().any(|man| {
            let (who, choices) = &self.men[man];
            choices
                .iter()
                .filter(|choice| choice.does & bit != 0)
                .any(|choice| {
                    places.push((who, *choice));
                    let found = self.cover(needs & !choice.does, placed | 1 << man, left, places);
                    if !found {
                        places.pop();
                    }
                    found
                })
        })
    }
}

/// What a man attacks from each of its places; a king is never placed next to the mated king.
fn attacker(man: &ReachablePiece, on: Square) -> Vec<MateChoice> {
    let empty = Bitboard::EMPTY;
    let attacks = |kind, from| {
        let color = man.color;
        piece_attacks(Piece { color, kind }, from, empty)
    };
    let promotion = |from| attacks(PieceKind::Queen, from) | knight_attacks(from);
    let near = match man.kind {
        PieceKind::King => around(on) | on.bitboard(),
        _ => on.bitboard(),
    };
    let choice = |from: Square, attacked, promoted| MateChoice {
        does: needs(on, attacked),
        places: from.bitboard(),
        promoted,
    };
    let as_it_is = (man.squares & !near).into_iter();
    let promoted = (man.promoted & !on.bitboard()).into_iter();
    as_it_is
        .map(|from| choice(from, attacks(man.kind, from), false))
        .chain(promoted.map(|from| choice(from, promotion(from), true)))
        .collect()
}

/// The squares that a man can take from the king of its side.
fn helper(man: &ReachablePiece, on: Square) -> Vec<MateChoice> {
    let squares = (man.squares | man.promoted) & around(on);
    let choice = |place: Square| MateChoice {
        does: needs(on, place.bitboard()),
        places: place.bitboard(),
        promoted: !man.squares.contains(place),
    };
    squares.into_iter().map(choice).collect()
}

/// Choices with the same effect taken together, without those that do nothing or less than another; the nearest to the
/// man's square first.
fn useful(man: &ReachablePiece, mut choices: Vec<MateChoice>) -> Vec<MateChoice> {
    choices.retain(|choice| choice.does != 0);
    choices.sort_unstable_by_key(|choice| (choice.does, choice.promoted));
    choices.dedup_by(|next, kept| {
        let same = (next.does, next.promoted) == (kept.does, kept.promoted);
        if same {
            kept.places |= next.places;
        }
        same
    });
    let all: Vec<MateNeeds> = choices.iter().map(|choice| choice.does).collect();
    let less = |one: MateNeeds| all.iter().any(|&other| other != one && one & !other == 0);
    choices.retain(|choice| !less(choice.does));
    let nearest = |choice: &MateChoice| {
        let places = choice.places.into_iter();
        places.map(|place| distance(place, man.origin())).min()
    };
    choices.sort_by_cached_key(nearest);
    choices
}

/// The moves of a king from one square to another.
pub(super) fn distance(a: Square, b: Square) -> usize {
    let files = a.file().index().abs_diff(b.file().index());
    files.max(a.rank().index().abs_diff(b.rank().index()))
}
