//! Proofs in positions that pawns hold closed: the kings and pawns play by the rules, and every other
//! piece may be anywhere that it can ever reach, or be gone.
//!
//! Every game is also played here: what the pieces do is a pass, or takes a pawn where one of them can come; where they
//! can be, pawns and kings may take them; and what they attack or block forbids nothing. So if none of the positions of
//! kings and pawns that can come about allows a mate, on whatever squares the pieces are, no mate is possible. Such
//! positions are few, and a king without a move stays one: this finds what `mates` does not, where a side runs out of
//! moves, or a king cannot come through because of the other. Where a pawn is promoted the proof is given up.

use super::is_mate;
use super::plan::{MatePieces, NEEDS, needs};
use super::reach::{Reach, ReachablePiece};
use crate::attacks::{bishop_attacks, king_attacks, pawn_attacks, piece_attacks, rook_attacks};
use crate::board::{Board, BoardSet};
use crate::generate::legal_moves;
use crate::{Bitboard, Color, Move, PieceKind, Rank, Square};

/// Whether it is proved that a side can never mate, looking at no more than `most` positions of kings, pawns and locked
/// pieces; `false` is no proof of the opposite.
///
/// Pieces that cannot move now are left on the board at a second try, because a side with nothing
/// else may run out of moves.
pub(super) fn never_mates_closed(board: &Board, winner: Color, most: usize) -> bool {
    let (Some(reach), false) = (Reach::new(board), is_mate(board, winner)) else {
        return false;
    };
    let locked = locked(board);
    let proved = |locked| {
        Relaxed::new(board, winner, &reach, locked)
            .is_proved_unable_to_mate(most)
            .is_ok()
    };
    proved(Bitboard::EMPTY) || !locked.is_empty() && proved(locked)
}

/// The pieces that cannot move now, of either side, without kings and pawns.
fn locked(board: &Board) -> Bitboard {
    let pieces = board.occupied() & !(board.kind(PieceKind::Pawn) | board.kind(PieceKind::King));
    let is_locked = |square: &Square| {
        board.piece_at(*square).is_some_and(|piece| {
            let targets = piece_attacks(piece, *square, board.occupied());
            (targets & !board.color(piece.color)).is_empty()
        })
    };
    pieces.into_iter().filter(is_locked).collect()
}

/// The mates on one square.
struct Pattern<'a> {
    men: MatePieces<'a>,
    /// Whether there is one, by what the pieces on the board do for it.
    known: [Option<bool>; NEEDS],
}

struct Relaxed<'a> {
    winner: Color,
    /// The pieces that are not on the board, and may be anywhere.
    free: Vec<&'a ReachablePiece>,
    /// Where those of each side can be.
    roaming: [Bitboard; 2],
    /// By the square of the king.
    patterns: Vec<Option<Box<Pattern<'a>>>>,
    known: BoardSet,
    waiting: Vec<Board>,
}

/// Nothing is proved.
struct Failed;

impl<'a> Relaxed<'a> {
    fn new(board: &Board, winner: Color, reach: &'a Reach, locked: Bitboard) -> Relaxed<'a> {
        let kept = board.kind(PieceKind::Pawn) | board.kind(PieceKind::King) | locked;
        let mut start = *board;
        for square in board.occupied() & !kept {
            start.clear(square);
        }
        let pieces = |color| {
            reach
                .pieces(color)
                .filter(|piece| !kept.contains(piece.origin))
        };
        Relaxed {
            winner,
            free: Color::ALL.into_iter().flat_map(pieces).collect(),
            roaming: Color::ALL
                .map(|color| pieces(color).fold(Bitboard::EMPTY, |set, piece| set | piece.squares)),
            patterns: (0..64).map(|_| None).collect(),
            known: BoardSet::from_iter([start]),
            waiting: vec![start],
        }
    }

    fn is_proved_unable_to_mate(&mut self, most: usize) -> Result<(), Failed> {
        let mut seen = 0;
        while let Some(board) = self.waiting.pop() {
            seen += 1;
            if seen > most {
                return Err(Failed);
            }
            self.follow(&board)?;
        }
        Ok(())
    }

    /// Finds all that can follow.
    fn follow(&mut self, board: &Board) -> Result<(), Failed> {
        let us = board.side_to_move;
        // Free pieces may block what sliders attack.
        let mut unpinned = *board;
        for slider in board.diagonal_sliders(!us) | board.straight_sliders(!us) {
            unpinned.disarm(slider);
        }
        for &mv in &legal_moves(&unpinned, Bitboard::ALL) {
            self.play(board, mv)?;
        }
        let victims = self.roaming[(!us).index()] & !board.occupied() & !board.en_passant;
        for from in board.pieces(us, PieceKind::Pawn) {
            for to in pawn_attacks(us, from) & victims {
                self.play(board, Move::new(from, to))?;
            }
        }
        let own = self.roaming[us.index()];
        if own.is_empty() {
            return Ok(());
        }
        let mut passed = *board;
        passed.en_passant = Bitboard::EMPTY;
        passed.side_to_move = !us;
        self.add(passed, true)?;
        for victim in board.color(!us) & own & !board.kind(PieceKind::King) {
            let mut taken = passed;
            taken.clear(victim);
            self.add(taken, true)?;
        }
        Ok(())
    }

    fn play(&mut self, board: &Board, mv: Move) -> Result<(), Failed> {
        if board.kind(PieceKind::Pawn).contains(mv.from())
            && mv.to().rank() == Rank::back(!board.side_to_move)
        {
            return Err(Failed);
        }
        let next = board.after(mv);
        let checks = next.side_to_move != self.winner && self.may_check(board, &next);
        self.add(next, checks)
    }

    /// Whether a move of a piece on the board may give check: itself, or by opening a line.
    fn may_check(&self, before: &Board, after: &Board) -> bool {
        let king = after.king(!self.winner);
        let (was, is) = (before.occupied(), after.occupied());
        let opened = |attacks: fn(Square, Bitboard) -> Bitboard, kind| {
            let squares = attacks(king, is) & !attacks(king, was);
            let sliders = self.free.iter().filter(|piece| {
                piece.color == self.winner && (piece.kind == kind || piece.kind == PieceKind::Queen)
            });
            sliders
                .into_iter()
                .any(|piece| piece.squares.intersects(squares))
        };
        !after.checkers().is_empty()
            || opened(bishop_attacks, PieceKind::Bishop)
            || opened(rook_attacks, PieceKind::Rook)
    }

    /// Adds a position if it is new and the king is not left in check; fails if it may be mate.
    fn add(&mut self, board: Board, may_be_check: bool) -> Result<(), Failed> {
        let (us, them) = (board.side_to_move, !board.side_to_move);
        let king = board.king(them);
        // A free piece may be between a slider and the king, on any square that it can ever reach.
        let occupied = board.occupied() | self.roaming[0] | self.roaming[1];
        if board.is_attacked(king, us, occupied) {
            return Ok(());
        }
        if may_be_check && us != self.winner && self.may_be_mate(&board) {
            return Err(Failed);
        }
        if self.known.insert(board) {
            self.waiting.push(board);
        }
        Ok(())
    }

    /// Whether pieces somewhere can mate the side to move, if it is in check.
    fn may_be_mate(&mut self, board: &Board) -> bool {
        let winner = self.winner;
        let on = board.king(!winner);
        let done = needs(on, self.covered(board, on));
        let free = &self.free;
        let pattern = self.patterns[on.index()].get_or_insert_with(|| {
            let pieces = |color| {
                free.iter()
                    .copied()
                    .filter(move |piece| piece.color == color)
            };
            Box::new(Pattern {
                men: MatePieces::new(on, pieces(winner), pieces(!winner)),
                known: [None; NEEDS],
            })
        });
        let known = &mut pattern.known[usize::from(done)];
        *known.get_or_insert_with(|| pattern.men.can(done))
    }

    /// What the pieces on the board attack, or take from the king, around it and where it is.
    fn covered(&self, board: &Board, on: Square) -> Bitboard {
        let occupied = board.occupied() & !on.bitboard();
        let attacked = |square: &Square| board.is_attacked(*square, self.winner, occupied);
        let squares = (king_attacks(on) | on.bitboard()).into_iter();
        let attacked: Bitboard = squares.filter(attacked).collect();
        attacked | board.color(!self.winner) & !on.bitboard()
    }
}
