//! Moves as UCI writes them (S. Meyer-Kahlen, UCI protocol 2006): from, to, promotion.

use crate::attacks::king_attacks;
use crate::castling::{CastlingPath, CastlingSide};
use crate::generate::legal_moves;
use crate::text::MoveText;
use crate::{CastlingRule, Move, Piece, PieceKind, Position, Square};

/// Why a text is not a legal move here, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UciMoveError(String);

/// How castling is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UciDialect {
    /// The king's own step: `e1g1`. For plain chess, without the option `UCI_Chess960`. Where the king goes less than
    /// two files, this could be a plain king move, so castling is written as the king taking its rook here too.
    Standard,
    /// The king takes its own rook: `e1h1`. With the option `UCI_Chess960`.
    Chess960,
}

impl Position {
    /// A legal move as UCI text.
    ///
    /// ```
    /// use arbiter960_chess::{Position, UciDialect};
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
    /// let castling = position.parse_san("O-O")?;
    /// assert_eq!(position.uci(castling, UciDialect::Standard), "e1g1");
    /// assert_eq!(position.uci(castling, UciDialect::Chess960), "e1h1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn uci(&self, mv: Move, dialect: UciDialect) -> MoveText {
        let mut text = MoveText::default();
        let standard = dialect == UciDialect::Standard && self.is_castling(mv).is_some();
        let to = if standard {
            self.standard_castling_target(mv)
        } else {
            mv.to()
        };
        for square in [mv.from(), to] {
            text.push(square.file().letter());
            text.push(square.rank().digit());
        }
        if let Some(kind) = mv.promotion() {
            text.push(kind.letter().to_ascii_lowercase());
        }
        text
    }

    /// A line of moves from here as UCI text.
    pub fn uci_line(
        &self,
        moves: impl IntoIterator<Item = Move>,
        dialect: UciDialect,
    ) -> Vec<String> {
        let mut position = self.clone();
        let text = |mv| {
            let text = position.uci(mv, dialect).to_string();
            position.play(mv);
            text
        };
        moves.into_iter().map(text).collect()
    }

    /// Reads a move strictly: exactly as [`Position::uci`] writes it, and legal.
    ///
    /// # Errors
    /// It is not so written, or not legal.
    pub fn parse_uci(&self, text: &str, dialect: UciDialect) -> Result<Move, UciMoveError> {
        let mv = self.split_uci(text)?;
        let meant = Some(mv).filter(|&mv| self.is_legal(mv)).or_else(|| {
            let legal = self.legal_moves();
            let is_meant = |&mv: &Move| self.uci(mv, UciDialect::Standard) == text;
            legal.iter().copied().find(is_meant)
        });
        let wrong = match meant.map(|mv| (mv, self.uci(mv, dialect))) {
            Some((mv, expected)) if expected == text => return Ok(mv),
            Some((_, expected)) => format!("castling is written {expected} here"),
            None => self.explain(mv, dialect),
        };
        Err(UciMoveError(format!("{text}: {wrong}")))
    }

    /// Reads a move as any program might write it, if only one legal move can be meant: either
    /// dialect of castling, capital letters, blanks around it, `e7-e8=Q`. A referee reads
    /// strictly, with [`Position::parse_uci`].
    ///
    /// ```
    /// use arbiter960_chess::Position;
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
    /// let castling = position.parse_uci_loosely("E1-G1")?;
    /// assert_eq!(position.parse_uci_loosely("e1h1"), Ok(castling));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// No legal move, or more than one can be meant.
    pub fn parse_uci_loosely(&self, text: &str) -> Result<Move, UciMoveError> {
        let plain: String = text
            .trim()
            .chars()
            .filter(|sign| !matches!(sign, '-' | '='))
            .map(|sign| sign.to_ascii_lowercase())
            .collect();
        self.parse_uci(&plain, UciDialect::Chess960)
            .or_else(|error| {
                self.parse_uci(&plain, UciDialect::Standard)
                    .map_err(|_| error)
            })
    }

    /// The squares and the promotion, if the text has that form.
    fn split_uci(&self, text: &str) -> Result<Move, UciMoveError> {
        if matches!(text, "0000" | "(none)") {
            let legal = self.legal_moves().len();
            return Err(UciMoveError(format!(
                "{text:?} is no move, but the side to move has {legal} legal moves"
            )));
        }
        let malformed = || {
            UciMoveError(format!(
                "{text:?} is not a move: two squares are expected, as e2e4, and q, r, b or n for a promotion"
            ))
        };
        let square = |part: Option<&str>| part.and_then(|name| name.parse().ok());
        let from = square(text.get(..2)).ok_or_else(malformed)?;
        let to = square(text.get(2..4)).ok_or_else(malformed)?;
        match &text[4..] {
            "" => Ok(Move::new(from, to)),
            "q" => Ok(Move::promoting(from, to, PieceKind::Queen)),
            "r" => Ok(Move::promoting(from, to, PieceKind::Rook)),
            "b" => Ok(Move::promoting(from, to, PieceKind::Bishop)),
            "n" => Ok(Move::promoting(from, to, PieceKind::Knight)),
            _ => Err(malformed()),
        }
    }

    /// Where the king goes in the standard dialect.
    fn standard_castling_target(&self, castling: Move) -> Square {
        let path = CastlingPath::new(self.castling_rule(), castling.from(), castling.to());
        let target = path.king_to;
        let files = target
            .file()
            .index()
            .abs_diff(castling.from().file().index());
        if files >= 2 { target } else { castling.to() }
    }

    /// Why a well-formed text is not a legal move in either dialect.
    fn explain(&self, mv: Move, dialect: UciDialect) -> String {
        let (from, to) = (mv.from(), mv.to());
        let Some(Piece { color, kind }) = self.piece_at(from) else {
            return format!("there is no piece on {from}");
        };
        if color != self.side_to_move() {
            return format!("the {kind} on {from} belongs to the opponent");
        }
        if mv.promotion().is_none() && self.is_legal(Move::promoting(from, to, PieceKind::Queen)) {
            return "a pawn on the last rank becomes a q, r, b or n; the letter is missing"
                .to_owned();
        }
        if mv.promotion().is_some() && self.is_legal(Move::new(from, to)) {
            return "only a pawn that reaches the last rank is promoted".to_owned();
        }
        if let Some(rook) = self.castling_meant(mv, dialect)
            && let Some(reason) = self.castling_refusal(rook)
        {
            return format!("the king may not castle: {reason}");
        }
        if self.is_pseudo_legal(mv) {
            return "the king would be in check".to_owned();
        }
        format!("the {kind} on {from} cannot go to {to}")
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
    fn castling_refusal(&self, rook: Square) -> Option<String> {
        let (board, us) = (self.board(), self.side_to_move());
        if !(board.castling_rooks & board.color(us)).contains(rook) {
            return Some("the right to castle with that rook is gone".to_owned());
        }
        if self.in_check() {
            return Some("it is in check".to_owned());
        }
        let path = CastlingPath::new(board.rule, self.king(us), rook);
        if let Some(square) = (path.empty & board.occupied()).first() {
            return Some(format!("{square} is occupied"));
        }
        let occupied = board.occupied() ^ self.king(us).bitboard() ^ rook.bitboard();
        path.safe
            .into_iter()
            .find(|&square| board.is_attacked(square, !us, occupied))
            .map(|square| format!("{square} is attacked"))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn error(fen: &str, text: &str, dialect: UciDialect) -> String {
        let position = Position::from_fen(fen).unwrap();
        position.parse_uci(text, dialect).unwrap_err().to_string()
    }

    #[test]
    fn errors_say_why() {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        const PAWN: &str = "8/4P1k1/8/8/8/8/8/4K2R w K - 0 1";
        for (fen, text, reason) in [
            (START, "", "not a move"),
            (START, "e2e4qzzz", "not a move"),
            (START, "E2E4", "not a move"),
            (START, "e2é4", "not a move"),
            (START, "0000", "has 20 legal moves"),
            (START, "(none)", "has 20 legal moves"),
            (START, "e4e5", "no piece on e4"),
            (START, "e7e5", "belongs to the opponent"),
            (START, "e2e5", "the pawn on e2 cannot go to e5"),
            (START, "b1d2", "the knight on b1 cannot go to d2"),
            (PAWN, "e7e8", "the letter is missing"),
            (PAWN, "e7e8k", "not a move"),
            (PAWN, "e1e2q", "only a pawn"),
            (PAWN, "e1h2", "cannot go to h2"),
            (
                "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1",
                "e2c3",
                "would be in check",
            ),
            (
                "4k3/3r4/8/8/8/8/8/4K3 w - - 0 1",
                "e1d1",
                "would be in check",
            ),
            (
                "4k3/3rn3/8/8/8/8/8/4K3 w - - 0 1",
                "e1d3",
                "cannot go to d3",
            ),
        ] {
            let error = error(fen, text, UciDialect::Chess960);
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn castling_in_the_other_dialect_is_refused_with_the_right_text() {
        let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        for (text, dialect, expected) in [
            ("e1g1", UciDialect::Chess960, "castling is written e1h1"),
            ("e1c1", UciDialect::Chess960, "castling is written e1a1"),
            ("e1h1", UciDialect::Standard, "castling is written e1g1"),
            ("e1a1", UciDialect::Standard, "castling is written e1c1"),
        ] {
            let error = error(fen, text, dialect);
            assert!(error.contains(expected), "{text}: {error}");
        }
        let blocked = "4k3/8/8/8/8/8/8/R3KB1R w KQ - 0 1";
        let error = error(blocked, "e1g1", UciDialect::Standard);
        assert!(error.contains("may not castle: f1 is occupied"), "{error}");
    }

    #[test]
    fn a_plain_king_move_is_not_castling() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1").unwrap();
        for dialect in [UciDialect::Standard, UciDialect::Chess960] {
            let step = position.parse_uci("f1g1", dialect).unwrap();
            assert_eq!(position.is_castling(step), None);
            let castling = position.parse_uci("f1h1", dialect).unwrap();
            assert_eq!(position.san(castling), "O-O");
        }
    }
}
