//! Whether a side can mate at all, judged by the squares that the pieces can reach.
//!
//! In a mate on a square, some piece attacks it; and every square around is attacked, or taken by
//! an own piece. First all squares of all pieces count at once, but for the attackers' king: it has one
//! place. Where that leaves a mate possible, places are looked for, one for each man, from which
//! they do all of it together ([`fits`]). What stands between a slider and its goal, whose turn it is,
//! and how the men came there is left out, so that more mates seem possible than are.

use super::reach::{Reach, Tracked, around};
use crate::attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks};
use crate::board::Board;
use crate::{Bitboard, Color, PieceKind, Square};

/// So many choices of places are tried for one square of a king; then a mate seems possible.
const MOST_CHOICES: u32 = 2_000;

/// Whether it is proved that a side can never mate; `false` says nothing.
pub(super) fn never_mates(board: &Board, winner: Color) -> bool {
    let Some(reach) = Reach::of(board) else {
        return false;
    };
    let pieces = |color| {
        reach
            .pieces(color)
            .filter(|piece: &&Tracked| piece.kind != PieceKind::King)
    };
    let attacked = pieces(winner).fold(Bitboard::EMPTY, |set, piece| set | piece.attacks());
    let helped = pieces(!winner).fold(Bitboard::EMPTY, |set, piece| {
        set | piece.squares | piece.promoted
    });
    let kings = reach.king(winner);
    let mate = |on: &Square| {
        let open = around(*on) & !(attacked | helped);
        let far = kings & !(around(*on) | on.bitboard());
        let covers = |king: Square| (open & !around(king)).is_empty();
        attacked.contains(*on) && far.into_iter().any(covers)
    };
    let mut squares = reach.king(!winner).into_iter().filter(mate);
    !squares.any(|on| fits(&reach, winner, on))
}

/// What is needed for a mate: the check as bit 0, and a bit for each square around the king.
type Needs = u16;

/// Whether there are places, one for each man, from which they mate a king on this square.
fn fits(reach: &Reach, winner: Color, on: Square) -> bool {
    let around: Vec<Square> = around(on).into_iter().collect();
    let needs = |covered: Bitboard| {
        let bits = around.iter().zip(1..);
        bits.filter(|(square, _)| covered.contains(**square))
            .fold(Needs::from(covered.contains(on)), |needs, (_, bit)| {
                needs | 1 << bit
            })
    };
    let attackers = reach.pieces(winner).map(|man| attacker(man, on));
    let helpers = reach
        .pieces(!winner)
        .filter(|man| man.kind != PieceKind::King)
        .map(|man| {
            let squares = man.squares | man.promoted;
            squares.into_iter().map(Square::bitboard).collect()
        });
    let men: Vec<Vec<Needs>> = attackers
        .chain(helpers)
        .map(|places: Vec<Bitboard>| useful(places.into_iter().map(needs)))
        .filter(|places| !places.is_empty())
        .collect();
    let all = (1 << (around.len() + 1)) - 1;
    let mut left = MOST_CHOICES;
    cover(all, &mut vec![false; men.len()], &men, &mut left)
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

/// Whether men that are not placed yet do all that is needed; also if there were too many choices.
fn cover(needs: Needs, placed: &mut [bool], men: &[Vec<Needs>], left: &mut u32) -> bool {
    if needs == 0 || *left == 0 {
        return true;
    }
    *left -= 1;
    // What the fewest can do comes first.
    let does = |bit: Needs, man: usize| men[man].iter().any(|choice| choice & bit != 0);
    let bits = (0..Needs::BITS)
        .map(|bit| 1 << bit)
        .filter(|bit| needs & bit != 0);
    let count = |bit: &Needs| {
        let free = (0..men.len()).filter(|&man| !placed[man]);
        free.filter(|&man| does(*bit, man)).count()
    };
    let Some(bit) = bits.min_by_key(count) else {
        return true;
    };
    for man in 0..men.len() {
        if placed[man] {
            continue;
        }
        placed[man] = true;
        let choices = men[man].iter().filter(|&choice| choice & bit != 0);
        for choice in choices {
            if cover(needs & !choice, placed, men, left) {
                return true;
            }
        }
        placed[man] = false;
    }
    false
}
