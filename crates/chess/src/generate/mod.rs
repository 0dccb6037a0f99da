//! Legal moves, without ever playing one to see whether it was legal.
//!
//! Two masks say what a move must respect: in check, the squares that capture or block the
//! checker; for a pinned piece, the line between its king and the pinner. The rare rest is
//! tested by attack: king moves, castling, and en passant, which empties two squares of a line
//! at once.
//!
//! One generator feeds several [`Visitor`]s (list, count, arrivals at a square, perft), each compiled for each side.
//!
//! * here: the generator
//! * `constraints`: checks and pins
//! * `visitors`: list, count, arrivals at a square

mod constraints;
mod visitors;

use super::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_set_attacks, rook_attacks,
};
use super::board::Board;
use super::castling::CastlingPath;
use super::color::Side;
use super::{Bitboard, PieceKind, Square};
use constraints::Constraints;
pub(crate) use visitors::{MoveCount, count_legal_moves, legal_moves, legal_origins};

/// Takes the legal moves of one side, in sets.
pub(crate) trait Visitor<S: Side> {
    /// A knight, bishop, rook, queen or king that may go to any of these squares.
    fn piece(&mut self, kind: PieceKind, from: Square, targets: Bitboard);
    /// All pawn moves except en passant.
    fn pawns(&mut self, targets: PawnTargets);
    /// One en passant capture.
    fn en_passant(&mut self, from: Square, to: Square);
    /// One castling.
    fn castling(&mut self, king: Square, rook: Square);
}

/// Where pawns may go, by direction; the square they come from follows from it.
/// No square is in two of `single`, `double` and one of the captures.
#[derive(Clone, Copy)]
pub(crate) struct PawnTargets {
    pub(crate) single: Bitboard,
    pub(crate) double: Bitboard,
    /// Captures towards the a-file.
    pub(crate) west: Bitboard,
    /// Captures towards the h-file.
    pub(crate) east: Bitboard,
}

impl PawnTargets {
    /// Every set with the way back from a target to the pawn, double steps apart.
    #[inline(always)]
    pub(crate) fn steps<S: Side>(&self) -> [(Bitboard, i8); 3] {
        [
            (self.single, -S::FORWARD),
            (self.west, 1 - S::FORWARD),
            (self.east, -1 - S::FORWARD),
        ]
    }
}

/// Generates the legal moves of the side to move, which is `S`, for those of its pieces that are on `movers`.
#[inline(always)]
pub(crate) fn generate<S: Side, V: Visitor<S>>(board: &Board, movers: Bitboard, visitor: &mut V) {
    let limits = Constraints::new::<S>(board);
    if movers.contains(limits.king) {
        king_moves::<S, V>(board, &limits, visitor);
    }
    if limits.checkers.has_several() {
        return;
    }
    pawn_moves::<S, V>(board, &limits, movers, visitor);
    piece_moves::<S, V>(board, &limits, movers, visitor);
}

#[inline(always)]
fn king_moves<S: Side, V: Visitor<S>>(board: &Board, limits: &Constraints, visitor: &mut V) {
    let (us, them, king) = (S::COLOR, S::Other::COLOR, limits.king);
    let mut targets = king_attacks(king) & !board.color(us);
    if !targets.is_empty() {
        targets &= !(pawn_set_attacks::<S::Other>(board.pieces(them, PieceKind::Pawn))
            | king_attacks(board.king(them)));
        // The king does not shield the square behind it from a slider in front.
        let occupied = board.occupied() ^ king.bitboard();
        for target in targets {
            if board.is_attacked(target, them, occupied) {
                targets ^= target.bitboard();
            }
        }
    }
    if board.castling_rooks.contains(king) {
        targets |= evacuation::<S>(board, limits);
    }
    visitor.piece(PieceKind::King, king, targets);
    if limits.checkers.is_empty() {
        for rook in board.castling_rooks & S::BACK_RANK & !king.bitboard() {
            if may_castle::<S>(board, king, rook) {
                visitor.castling(king, rook);
            }
        }
    }
}

/// Where a king that may evacuate can go, its ordinary steps apart.
#[cold]
fn evacuation<S: Side>(board: &Board, limits: &Constraints) -> Bitboard {
    if !limits.checkers.is_empty() {
        return Bitboard::EMPTY;
    }
    let king = limits.king;
    let occupied = board.occupied() ^ king.bitboard();
    let empty = S::BACK_RANK & !board.occupied() & !king_attacks(king);
    let attacked = |square: &Square| board.is_attacked(*square, S::Other::COLOR, occupied);
    let attacked = empty.into_iter().filter(attacked);
    attacked.fold(empty, |safe, square| safe ^ square.bitboard())
}

/// Whether a king that is not in check may castle with a rook that has the right.
#[inline(always)]
fn may_castle<S: Side>(board: &Board, king: Square, rook: Square) -> bool {
    let path = CastlingPath::new(board.rule, king, rook);
    if path.empty::<S>().intersects(board.occupied()) {
        return false;
    }
    // Without the rook: it may have shielded the king from a slider further along the rank.
    let occupied = board.occupied() ^ king.bitboard() ^ rook.bitboard();
    path.safe::<S>()
        .into_iter()
        .all(|square| !board.is_attacked(square, S::Other::COLOR, occupied))
}

#[inline(always)]
fn pawn_moves<S: Side, V: Visitor<S>>(
    board: &Board,
    limits: &Constraints,
    movers: Bitboard,
    visitor: &mut V,
) {
    let pawns = board.pieces(S::COLOR, PieceKind::Pawn) & movers;
    let (empty, enemies) = (!board.occupied(), board.color(S::Other::COLOR));
    let (diagonal, straight) = (limits.diagonal_pins, limits.straight_pins);

    // A pawn pinned along a line steps or takes only along it; other lines through the
    // king cannot meet such a target.
    let steppers = pawns & !diagonal;
    let ahead = S::forward(steppers & !straight) | S::forward(steppers & straight) & straight;
    let single = ahead & empty;
    let double = S::forward(single & S::THIRD_RANK) & empty;

    let takers = pawns & !straight;
    let (free, pinned) = (
        S::forward(takers & !diagonal),
        S::forward(takers & diagonal),
    );
    let west = free.west() | pinned.west() & diagonal;
    let east = free.east() | pinned.east() & diagonal;
    let victims = enemies & limits.evasions;
    visitor.pawns(PawnTargets {
        single: single & limits.evasions,
        double: double & limits.evasions,
        west: west & victims,
        east: east & victims,
    });
    if !board.en_passant.is_empty() {
        en_passant_moves::<S, V>(board, limits.king, pawns, visitor);
    }
}

fn en_passant_moves<S: Side, V: Visitor<S>>(
    board: &Board,
    king: Square,
    pawns: Bitboard,
    visitor: &mut V,
) {
    let (target, them) = (board.en_passant, S::Other::COLOR);
    let victim = S::Other::forward(target);
    let behind = S::Other::forward(target);
    for to in target {
        for from in pawns & (behind.west() | behind.east()) {
            let occupied = board.occupied() ^ from.bitboard() ^ victim ^ target;
            if (board.attackers(king, them, occupied) & !victim).is_empty() {
                visitor.en_passant(from, to);
            }
        }
    }
}

#[inline(always)]
fn piece_moves<S: Side, V: Visitor<S>>(
    board: &Board,
    limits: &Constraints,
    movers: Bitboard,
    visitor: &mut V,
) {
    let own = board.color(S::COLOR);
    let (pieces, occupied, targets) = (own & movers, board.occupied(), !own & limits.evasions);
    let (diagonal, straight) = (limits.diagonal_pins, limits.straight_pins);
    for from in pieces & board.kind(PieceKind::Knight) & !(diagonal | straight) {
        visitor.piece(PieceKind::Knight, from, knight_attacks(from) & targets);
    }
    for from in pieces & board.kind(PieceKind::Bishop) & !straight {
        let line = if diagonal.contains(from) {
            diagonal
        } else {
            Bitboard::ALL
        };
        visitor.piece(
            PieceKind::Bishop,
            from,
            bishop_attacks(from, occupied) & targets & line,
        );
    }
    for from in pieces & board.kind(PieceKind::Rook) & !diagonal {
        let line = if straight.contains(from) {
            straight
        } else {
            Bitboard::ALL
        };
        visitor.piece(
            PieceKind::Rook,
            from,
            rook_attacks(from, occupied) & targets & line,
        );
    }
    for from in pieces & board.kind(PieceKind::Queen) {
        let mut reach = Bitboard::EMPTY;
        if !straight.contains(from) {
            let line = if diagonal.contains(from) {
                diagonal
            } else {
                Bitboard::ALL
            };
            reach |= bishop_attacks(from, occupied) & line;
        }
        if !diagonal.contains(from) {
            let line = if straight.contains(from) {
                straight
            } else {
                Bitboard::ALL
            };
            reach |= rook_attacks(from, occupied) & line;
        }
        visitor.piece(PieceKind::Queen, from, reach & targets);
    }
}
