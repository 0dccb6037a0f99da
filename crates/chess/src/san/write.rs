//! A move to algebraic notation.

use super::SanText;
use crate::text::ShortText;
use crate::{Bitboard, Move, PieceKind, Position};

impl Position {
    /// A legal move in standard algebraic notation: as few letters as tell it from every other
    /// *legal* move, `+` for check, `#` for mate.
    ///
    /// ```
    /// use arbiter960_chess::{Position, UciDialect};
    /// let position = Position::standard();
    /// let mv = position.parse_uci("g1f3", UciDialect::Standard)?;
    /// assert_eq!(position.san(mv), "Nf3");
    /// # Ok::<(), arbiter960_chess::UciMoveError>(())
    /// ```
    pub fn san(&self, mv: Move) -> SanText {
        let mut text = ShortText::new();
        match self.is_castling(mv) {
            Some(side) => text.push_str(side.san()),
            None => self.write_step(mv, &mut text),
        }
        let next = self.after(mv);
        if next.in_check() {
            text.push(if next.has_legal_move() { '+' } else { '#' });
        }
        SanText(text)
    }

    fn write_step(&self, mv: Move, text: &mut ShortText) {
        let (from, to) = (mv.from(), mv.to());
        let kind = self.board().kind_at(from).unwrap_or(PieceKind::Pawn);
        if kind != PieceKind::Pawn {
            text.push(kind.letter());
            self.write_origin(kind, mv, text);
        } else if from.file() != to.file() {
            text.push(from.file().letter());
        }
        if self.is_capture(mv) {
            text.push('x');
        }
        text.push(to.file().letter());
        text.push(to.rank().digit());
        if let Some(kind) = mv.promotion() {
            text.push('=');
            text.push(kind.letter());
        }
    }

    /// File, rank or both, if another piece of the kind can go there too.
    fn write_origin(&self, kind: PieceKind, mv: Move, text: &mut ShortText) {
        let from = mv.from();
        let rivals = self.candidates(kind, mv.to()) & !from.bitboard();
        if rivals.is_empty() {
            return;
        }
        let rivals = self.legal_origins(rivals, mv.to());
        let on_file = rivals.intersects(Bitboard::file(from.file()));
        let on_rank = rivals.intersects(Bitboard::rank(from.rank()));
        if on_rank || (!rivals.is_empty() && !on_file) {
            text.push(from.file().letter());
        }
        if on_file {
            text.push(from.rank().digit());
        }
    }
}
