//! What becomes of the moves: a list, their number, or who can go to one square.

use super::{PawnTargets, Visitor, generate};
use crate::board::Board;
use crate::piece::{Black, Side, White};
use crate::{Bitboard, Color, Move, MoveList, PieceKind, Square};

/// Generates for whichever side is to move.
fn generate_for_mover<V: Visitor<White> + Visitor<Black>>(
    board: &Board,
    movers: Bitboard,
    visitor: &mut V,
) {
    match board.side_to_move {
        Color::White => generate::<White, V>(board, movers, visitor),
        Color::Black => generate::<Black, V>(board, movers, visitor),
    }
}

/// The legal moves of those pieces of the side to move that are on `movers`.
pub(crate) fn legal_moves(board: &Board, movers: Bitboard) -> MoveList {
    let mut list = MoveList::new();
    generate_for_mover(board, movers, &mut list);
    list
}

/// How many legal moves the side to move has.
pub(crate) fn count_legal_moves(board: &Board) -> u64 {
    let mut count = MoveCount::default();
    generate_for_mover(board, Bitboard::ALL, &mut count);
    count.0
}

/// The pieces on `movers` that may legally step or take to one square; castling is not counted.
pub(crate) fn legal_origins(board: &Board, movers: Bitboard, to: Square) -> Bitboard {
    let mut arrivals = Arrivals {
        to,
        origins: Bitboard::EMPTY,
    };
    generate_for_mover(board, movers, &mut arrivals);
    arrivals.origins
}

impl<S: Side> Visitor<S> for MoveList {
    fn piece(&mut self, _: PieceKind, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::new(from, to));
        }
    }

    fn pawns(&mut self, targets: PawnTargets) {
        for (set, back) in targets.steps::<S>() {
            for to in set & !S::LAST_RANK {
                self.push(Move::new(to.offset(back), to));
            }
            for to in set & S::LAST_RANK {
                for kind in PieceKind::PROMOTIONS {
                    self.push(Move::promoting(to.offset(back), to, kind));
                }
            }
        }
        for to in targets.double {
            self.push(Move::new(to.offset(-2 * S::FORWARD), to));
        }
    }

    fn en_passant(&mut self, from: Square, to: Square) {
        self.push(Move::new(from, to));
    }

    fn castling(&mut self, king: Square, rook: Square) {
        self.push(Move::new(king, rook));
    }
}

/// Counts moves without making them.
#[derive(Default)]
pub(crate) struct MoveCount(pub(crate) u64);

impl MoveCount {
    #[inline(always)]
    fn add(&mut self, set: Bitboard) {
        self.0 += u64::from(set.len());
    }
}

impl<S: Side> Visitor<S> for MoveCount {
    #[inline(always)]
    fn piece(&mut self, _: PieceKind, _: Square, targets: Bitboard) {
        self.add(targets);
    }

    #[inline(always)]
    fn pawns(&mut self, targets: PawnTargets) {
        let disjoint = targets.single | targets.double | targets.west;
        self.add(disjoint);
        self.add(targets.east);
        // Each promotion is four moves.
        self.0 += 3 * u64::from((disjoint & S::LAST_RANK).len());
        self.0 += 3 * u64::from((targets.east & S::LAST_RANK).len());
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }

    #[inline(always)]
    fn castling(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
}

/// Notes who can go to one square, without listing anything.
struct Arrivals {
    to: Square,
    origins: Bitboard,
}

impl<S: Side> Visitor<S> for Arrivals {
    #[inline(always)]
    fn piece(&mut self, _: PieceKind, from: Square, targets: Bitboard) {
        if targets.contains(self.to) {
            self.origins |= from.bitboard();
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: PawnTargets) {
        let double = (targets.double, -2 * S::FORWARD);
        for (set, back) in targets.steps::<S>().into_iter().chain([double]) {
            if set.contains(self.to) {
                self.origins |= self.to.offset(back).bitboard();
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        if to == self.to {
            self.origins |= from.bitboard();
        }
    }

    #[inline(always)]
    fn castling(&mut self, _: Square, _: Square) {}
}
