//! The board: the pieces on their squares, castling rights, and the pawn that can be captured en passant.
//!
//! Small and plain, so that playing a move is copying it; counters and key belong to
//! [`Position`](super::Position).

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use super::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, pawn_set_attacks, rook_attacks,
};
use super::castling::CastlingPath;
use super::piece::{Black, Side, White};
use super::{Bitboard, CastlingRule, Color, Move, Piece, PieceKind, Square};

/// Everything that decides which moves are legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    kinds: [Bitboard; 6],
    colors: [Bitboard; 2],
    /// The rooks of both sides that may still castle; in Moab chess the kings that may still
    /// evacuate.
    pub(crate) castling_rooks: Bitboard,
    /// The square a pawn just skipped, if an enemy pawn attacks it; at most one.
    pub(crate) en_passant: Bitboard,
    pub(crate) side_to_move: Color,
    pub(crate) rule: CastlingRule,
}

/// Boards, each once, by a hash that is quicker than the standard library's: a search makes one for every move that it looks at.
pub(crate) type BoardSet = HashSet<Board, BuildHasherDefault<BoardHasher>>;

#[derive(Default)]
pub(crate) struct BoardHasher(u64);

impl Hasher for BoardHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64((*byte).into()));
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn write_u64(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ mixed >> 32;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Board {
    /// A board without pieces, White to move.
    pub(crate) fn empty(rule: CastlingRule) -> Board {
        Board {
            kinds: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            castling_rooks: Bitboard::EMPTY,
            en_passant: Bitboard::EMPTY,
            side_to_move: Color::White,
            rule,
        }
    }

    /// Puts a piece on an empty square.
    pub(crate) fn put(&mut self, piece: Piece, square: Square) {
        self.kinds[piece.kind.index()] |= square.bitboard();
        self.colors[piece.color.index()] |= square.bitboard();
    }

    /// Takes the piece on a square, if any, off the board.
    pub(crate) fn clear(&mut self, square: Square) {
        for set in self.kinds.iter_mut().chain(&mut self.colors) {
            *set &= !square.bitboard();
        }
    }

    /// Takes a piece's kind away: it still blocks and can be taken, but attacks nothing.
    pub(crate) fn disarm(&mut self, square: Square) {
        for set in &mut self.kinds {
            *set &= !square.bitboard();
        }
    }

    #[inline(always)]
    pub(crate) fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    #[inline(always)]
    pub(crate) fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    #[inline(always)]
    pub(crate) fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.color(color) & self.kind(kind)
    }

    #[inline(always)]
    pub(crate) fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    #[inline(always)]
    pub(crate) fn king(&self, color: Color) -> Square {
        Square::from_low_bits(self.pieces(color, PieceKind::King).0.trailing_zeros())
    }

    #[inline(always)]
    pub(crate) fn kind_at(&self, square: Square) -> Option<PieceKind> {
        PieceKind::ALL
            .into_iter()
            .find(|&kind| self.kind(kind).contains(square))
    }

    #[inline]
    pub(crate) fn piece_at(&self, square: Square) -> Option<Piece> {
        let kind = self.kind_at(square)?;
        let white = self.color(Color::White).contains(square);
        Some(Piece {
            color: if white { Color::White } else { Color::Black },
            kind,
        })
    }

    /// Bishops and queens of one side.
    #[inline(always)]
    pub(crate) fn diagonal_sliders(&self, color: Color) -> Bitboard {
        self.color(color) & (self.kind(PieceKind::Bishop) | self.kind(PieceKind::Queen))
    }

    /// Rooks and queens of one side.
    #[inline(always)]
    pub(crate) fn straight_sliders(&self, color: Color) -> Bitboard {
        self.color(color) & (self.kind(PieceKind::Rook) | self.kind(PieceKind::Queen))
    }

    /// The pieces of `by` that attack a square when `occupied` blocks the lines.
    pub(crate) fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        self.leaper_attackers(square, by)
            | bishop_attacks(square, occupied) & self.diagonal_sliders(by)
            | rook_attacks(square, occupied) & self.straight_sliders(by)
    }

    /// Whether `by` attacks a square when `occupied` blocks the lines.
    #[inline(always)]
    pub(crate) fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        !self.leaper_attackers(square, by).is_empty()
            || bishop_attacks(square, occupied).intersects(self.diagonal_sliders(by))
            || rook_attacks(square, occupied).intersects(self.straight_sliders(by))
    }

    /// King, knights and pawns of `by` that attack a square.
    #[inline(always)]
    pub(crate) fn leaper_attackers(&self, square: Square, by: Color) -> Bitboard {
        self.color(by)
            & (knight_attacks(square) & self.kind(PieceKind::Knight)
                | king_attacks(square) & self.kind(PieceKind::King)
                | pawn_attacks(!by, square) & self.kind(PieceKind::Pawn))
    }

    /// The pieces that give check to the side to move.
    pub(crate) fn checkers(&self) -> Bitboard {
        let us = self.side_to_move;
        self.attackers(self.king(us), !us, self.occupied())
    }

    /// The board after a legal move.
    #[inline]
    pub(crate) fn after(&self, mv: Move) -> Board {
        match self.side_to_move {
            Color::White => self.after_by::<White>(mv),
            Color::Black => self.after_by::<Black>(mv),
        }
    }

    fn after_by<S: Side>(&self, mv: Move) -> Board {
        let (from, to) = (mv.from(), mv.to());
        if let Some(kind) = mv.promotion() {
            return self.after_promotion::<S>(from, to, kind);
        }
        match self.kind_at(from) {
            Some(PieceKind::Pawn) if self.en_passant.contains(to) => {
                self.after_en_passant::<S>(from, to)
            }
            Some(PieceKind::Pawn) if to == from.offset(2 * S::FORWARD) => {
                self.after_double_step::<S>(to)
            }
            Some(PieceKind::King) if self.color(S::COLOR).contains(to) => {
                self.after_castling::<S>(from, to)
            }
            Some(kind) => self.after_step::<S>(kind, from, to),
            None => *self,
        }
    }

    /// After a piece goes to a square that is empty or holds an enemy.
    #[inline(always)]
    pub(crate) fn after_step<S: Side>(&self, kind: PieceKind, from: Square, to: Square) -> Board {
        let (from, to) = (from.bitboard(), to.bitboard());
        let mut next = *self;
        for set in &mut next.kinds {
            *set &= !to;
        }
        next.kinds[kind.index()] ^= from | to;
        next.colors[S::COLOR.index()] ^= from | to;
        next.colors[S::Other::COLOR.index()] &= !to;
        next.castling_rooks &= !(from | to);
        if let PieceKind::King = kind {
            next.castling_rooks &= !S::BACK_RANK;
        }
        next.pass_turn::<S>();
        next
    }

    /// After a pawn's double step to `to`.
    #[inline(always)]
    pub(crate) fn after_double_step<S: Side>(&self, to: Square) -> Board {
        let to = to.bitboard();
        let skipped = S::Other::forward(to);
        let step = S::Other::forward(skipped) | to;
        let mut next = *self;
        next.kinds[PieceKind::Pawn.index()] ^= step;
        next.colors[S::COLOR.index()] ^= step;
        next.pass_turn::<S>();
        let enemies = self.pieces(S::Other::COLOR, PieceKind::Pawn);
        next.en_passant = skipped & pawn_set_attacks::<S::Other>(enemies);
        next
    }

    /// After a pawn takes another in passing.
    #[inline(always)]
    pub(crate) fn after_en_passant<S: Side>(&self, from: Square, to: Square) -> Board {
        let victim = S::Other::forward(to.bitboard());
        let step = from.bitboard() | to.bitboard();
        let mut next = *self;
        next.kinds[PieceKind::Pawn.index()] ^= step | victim;
        next.colors[S::COLOR.index()] ^= step;
        next.colors[S::Other::COLOR.index()] ^= victim;
        next.pass_turn::<S>();
        next
    }

    /// After a pawn reaches the last rank and becomes another piece.
    #[inline(always)]
    pub(crate) fn after_promotion<S: Side>(
        &self,
        from: Square,
        to: Square,
        kind: PieceKind,
    ) -> Board {
        let mut next = self.after_step::<S>(PieceKind::Pawn, from, to);
        next.kinds[PieceKind::Pawn.index()] ^= to.bitboard();
        next.kinds[kind.index()] ^= to.bitboard();
        next
    }

    /// After the king on `king` castles with the rook on `rook`.
    #[inline(always)]
    pub(crate) fn after_castling<S: Side>(&self, king: Square, rook: Square) -> Board {
        let path = CastlingPath::new(self.rule, king, rook);
        let (king_to, rook_to) = (path.king_to.bitboard(), path.rook_to.bitboard());
        let (king, rook) = (king.bitboard(), rook.bitboard());
        let mut next = *self;
        next.kinds[PieceKind::King.index()] ^= king ^ king_to;
        next.kinds[PieceKind::Rook.index()] ^= rook ^ rook_to;
        next.colors[S::COLOR.index()] ^= (king | rook) ^ (king_to | rook_to);
        next.castling_rooks &= !S::BACK_RANK;
        next.pass_turn::<S>();
        next
    }

    #[inline(always)]
    fn pass_turn<S: Side>(&mut self) {
        self.en_passant = Bitboard::EMPTY;
        self.side_to_move = S::Other::COLOR;
    }
}
