//! Legal moves, without ever playing one to see whether it was legal.
//!
//! Two masks say what a move must respect: in check, the squares that capture or block the
//! checker; for a pinned piece, the line between its king and the pinner. The rare rest is
//! tested by attack: king moves, castling, and en passant, which empties two squares of a line
//! at once.
//!
//! One generator feeds several [`Visitor`]s (list, count, arrivals at a square, perft), each compiled for each side.
//!
//! * here: checks and pins, the generator
//! * `visitors`: list, count, arrivals at a square

mod visitors;

use crate::attacks::{
    between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, pawn_attacks,
    pawn_set_attacks, rook_attacks, rook_rays,
};
use crate::board::Board;
use crate::castling::CastlingPath;
use crate::piece::Side;
use crate::{Bitboard, PieceKind, Square};

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
    if path.empty.intersects(board.occupied()) {
        return false;
    }
    // Without the rook: it may have shielded the king from a slider further along the rank.
    let occupied = board.occupied() ^ king.bitboard() ^ rook.bitboard();
    path.safe
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
        let reach = bishop_attacks(from, occupied) & along(diagonal, from);
        visitor.piece(PieceKind::Bishop, from, reach & targets);
    }
    for from in pieces & board.kind(PieceKind::Rook) & !diagonal {
        let reach = rook_attacks(from, occupied) & along(straight, from);
        visitor.piece(PieceKind::Rook, from, reach & targets);
    }
    for from in pieces & board.kind(PieceKind::Queen) {
        let mut reach = Bitboard::EMPTY;
        if !straight.contains(from) {
            reach |= bishop_attacks(from, occupied) & along(diagonal, from);
        }
        if !diagonal.contains(from) {
            reach |= rook_attacks(from, occupied) & along(straight, from);
        }
        visitor.piece(PieceKind::Queen, from, reach & targets);
    }
}

/// Where a piece may go because of pins: along the line on which it is pinned, if it is.
#[inline(always)]
fn along(pins: Bitboard, from: Square) -> Bitboard {
    if pins.contains(from) {
        pins
    } else {
        Bitboard::ALL
    }
}

/// What every move of the side to move must respect.
struct Constraints {
    king: Square,
    checkers: Bitboard,
    /// Where a move that is not the king's must end.
    evasions: Bitboard,
    /// Diagonal lines from the king to a slider with one piece between.
    diagonal_pins: Bitboard,
    /// The same along ranks and files.
    straight_pins: Bitboard,
}

impl Constraints {
    #[inline(always)]
    fn new<S: Side>(board: &Board) -> Constraints {
        let (us, them) = (S::COLOR, S::Other::COLOR);
        let king = board.king(us);
        let mut found = Constraints {
            king,
            checkers: board.color(them)
                & (knight_attacks(king) & board.kind(PieceKind::Knight)
                    | pawn_attacks(us, king) & board.kind(PieceKind::Pawn)),
            evasions: Bitboard::ALL,
            diagonal_pins: Bitboard::EMPTY,
            straight_pins: Bitboard::EMPTY,
        };
        if !found.checkers.is_empty() {
            found.evasions = found.checkers;
        }
        let occupied = board.occupied();
        for slider in bishop_rays(king) & board.diagonal_sliders(them) {
            let pin = found.line(slider, occupied);
            found.diagonal_pins |= pin;
        }
        for slider in rook_rays(king) & board.straight_sliders(them) {
            let pin = found.line(slider, occupied);
            found.straight_pins |= pin;
        }
        found
    }

    /// The pin line of an enemy slider that looks at the king, if there is one; notes it as a checker if no piece is
    /// between.
    ///
    /// A single *enemy* piece between makes a line too. That is harmless: none of our pieces is on it.
    #[inline(always)]
    fn line(&mut self, slider: Square, occupied: Bitboard) -> Bitboard {
        let line = between(self.king, slider);
        let blockers = line & occupied;
        if blockers.is_empty() {
            self.checkers |= slider.bitboard();
            self.evasions = line | slider.bitboard();
            Bitboard::EMPTY
        } else if blockers.has_several() {
            Bitboard::EMPTY
        } else {
            line | slider.bitboard()
        }
    }
}
