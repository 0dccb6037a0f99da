//! Why a well-formed text is not a legal move.

use super::{UciDialect, UciText};
use crate::attacks::king_attacks;
use crate::board::Board;
use crate::castling::{CastlingPath, CastlingSide};
use crate::generate::legal_moves;
use crate::piece::{Black, Side, White};
use crate::{CastlingRule, Color, Move, PieceKind, Position, Square};

impl Position {
    /// Why a well-formed text is not a legal move in either dialect.
    pub(super) fn explain(&self, text: &str, mv: Move, dialect: UciDialect) -> UciMoveError {
        let (text, from, to) = (text.to_owned(), mv.from(), mv.to());
        let Some(piece) = self.piece_at(from) else {
            return UciMoveError::NoPiece { text, from };
        };
        let (us, kind) = (self.side_to_move(), piece.kind);
        if piece.color != us {
            return UciMoveError::NotYourPiece { text, from, kind };
        }
        if mv.promotion().is_none() && self.is_legal(Move::promoting(from, to, PieceKind::Queen)) {
            return UciMoveError::PromotionMissing(text);
        }
        if mv.promotion().is_some() && self.is_legal(Move::new(from, to)) {
            return UciMoveError::NotAPromotion(text);
        }
        if let Some(rook) = self.castling_meant(mv, dialect)
            && let Some(reason) = self.castling_refusal(rook)
        {
            return UciMoveError::Castling { text, reason };
        }
        if self.is_pseudo_legal(mv) {
            return UciMoveError::KingInCheck(text);
        }
        UciMoveError::CannotReach {
            text,
            kind,
            from,
            to,
        }
    }

    /// The rook with which the king was to castle, if a text looks like castling.
    fn castling_meant(&self, mv: Move, dialect: UciDialect) -> Option<Square> {
        let us = self.side_to_move();
        let castles = self.castling_rule() != CastlingRule::Moab;
        if mv.from() != self.king(us) || mv.promotion().is_some() || !castles {
            return None;
        }
        if self.pieces(us, PieceKind::Rook).contains(mv.to()) {
            return Some(mv.to());
        }
        if dialect == UciDialect::Chess960 {
            return None;
        }
        let rooks = [CastlingSide::KingSide, CastlingSide::QueenSide]
            .map(|side| self.castling_rook(us, side));
        rooks
            .into_iter()
            .flatten()
            .find(|&rook| self.standard_castling_target(Move::new(mv.from(), rook)) == mv.to())
    }

    /// Why the king may not castle with the rook on this square; `None` if it may.
    pub fn castling_refusal(&self, rook: Square) -> Option<CastlingRefusal> {
        match self.side_to_move() {
            Color::White => castling_refusal::<White>(self.board(), rook),
            Color::Black => castling_refusal::<Black>(self.board(), rook),
        }
    }

    /// Whether the piece could go there if its king were of no concern.
    fn is_pseudo_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let mut board = *self.board();
        let king = board.king(us);
        if king == mv.from() {
            let evacuates = self.may_evacuate(us)
                && !self.in_check()
                && mv.to().rank() == king.rank()
                && !board.occupied().contains(mv.to());
            let steps = king_attacks(king).contains(mv.to()) && !board.color(us).contains(mv.to());
            return steps || evacuates;
        }
        // A board on which the opponent has only a king, so that no other piece can give check; the squares keep their
        // occupants as far as blocking and taking are concerned.
        let opponents = board.color(!us);
        for square in opponents {
            board.disarm(square);
        }
        legal_moves(&board, mv.from().bitboard()).contains(&mv)
    }
}

fn castling_refusal<S: Side>(board: &Board, rook: Square) -> Option<CastlingRefusal> {
    if !(board.castling_rooks & board.color(S::COLOR)).contains(rook) {
        return Some(CastlingRefusal::NoRight);
    }
    if !board.checkers().is_empty() {
        return Some(CastlingRefusal::InCheck);
    }
    let king = board.king(S::COLOR);
    let path = CastlingPath::new(board.rule, king, rook);
    if let Some(square) = (path.empty::<S>() & board.occupied()).first() {
        return Some(CastlingRefusal::Occupied(square));
    }
    let occupied = board.occupied() ^ king.bitboard() ^ rook.bitboard();
    path.safe::<S>()
        .into_iter()
        .find(|&square| board.is_attacked(square, S::Other::COLOR, occupied))
        .map(CastlingRefusal::Attacked)
}

/// Why a text is not a legal move here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UciMoveError {
    /// Not two squares and perhaps a promotion.
    #[error(
        "{0:?} is not a move: two squares are expected, as e2e4, and q, r, b or n for a promotion"
    )]
    Malformed(String),
    /// `0000` or `(none)`.
    #[error("{text:?} is no move, but the side to move has {legal} legal moves")]
    NoMove {
        /// The text.
        text: String,
        /// How many moves there are.
        legal: usize,
    },
    /// The first square is empty.
    #[error("{text}: there is no piece on {from}")]
    NoPiece {
        /// The text.
        text: String,
        /// The empty square.
        from: Square,
    },
    /// The opponent's piece.
    #[error("{text}: the {kind} on {from} belongs to the opponent")]
    NotYourPiece {
        /// The text.
        text: String,
        /// The square of the piece.
        from: Square,
        /// What it is.
        kind: PieceKind,
    },
    /// A pawn reaches the last rank without a promotion letter.
    #[error("{0}: a pawn on the last rank becomes a q, r, b or n; the letter is missing")]
    PromotionMissing(String),
    /// A promotion letter on another move.
    #[error("{0}: only a pawn that reaches the last rank is promoted")]
    NotAPromotion(String),
    /// Castling written in the other dialect.
    #[error("{text}: castling is written {expected} here")]
    OtherDialect {
        /// The text.
        text: String,
        /// The text in the right dialect.
        expected: UciText,
    },
    /// Castling that is not legal.
    #[error("{text}: the king may not castle: {reason}")]
    Castling {
        /// The text.
        text: String,
        /// Why not.
        reason: CastlingRefusal,
    },
    /// The king would be in check.
    #[error("{0}: the king would be in check")]
    KingInCheck(String),
    /// The piece does not move like that.
    #[error("{text}: the {kind} on {from} cannot go to {to}")]
    CannotReach {
        /// The text.
        text: String,
        /// What moves.
        kind: PieceKind,
        /// Its square.
        from: Square,
        /// Where it cannot go.
        to: Square,
    },
}

/// Why a king may not castle with a rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum CastlingRefusal {
    /// King or rook has moved.
    #[error("the right to castle with that rook is gone")]
    NoRight,
    /// The king is in check.
    #[error("it is in check")]
    InCheck,
    /// A square that king or rook pass or reach is occupied.
    #[error("{0} is occupied")]
    Occupied(Square),
    /// The king would pass or reach an attacked square.
    #[error("{0} is attacked")]
    Attacked(Square),
}
