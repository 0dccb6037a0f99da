//! Standard algebraic notation (PGN standard 8.2.3; FIDE Laws of Chess, appendix C).
//!
//! * `read`: text to a move
//! * `loose`: the same for what people write
//! * here: a move to text, and errors

mod loose;

use crate::attacks::piece_attacks;
use crate::text::MoveText;
use crate::{Bitboard, CastlingSide, File, Move, Piece, PieceKind, Position, Rank, Square};

/// Why a text is not a legal move here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SanError {
    /// Not the form of a move.
    #[error("{0:?} is not a move in algebraic notation, as Nf3, exd5, e8=Q or O-O")]
    Malformed(String),
    /// Not one legal move is meant by it; why, in words.
    #[error("{0}")]
    Illegal(String),
}

impl Position {
    /// The own pieces of a kind from which this square can be reached, pins apart.
    fn candidates(&self, kind: PieceKind, to: Square) -> Bitboard {
        let color = self.side_to_move();
        let reach = match kind {
            PieceKind::Pawn => Bitboard::file(to.file()),
            // There is one, and it may come from far where it evacuates.
            PieceKind::King => Bitboard::ALL,
            _ => piece_attacks(Piece { color, kind }, to, self.occupied()),
        };
        reach & self.pieces(color, kind)
    }

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
    pub fn san(&self, mv: Move) -> MoveText {
        let mut text = MoveText::default();
        match self.is_castling(mv) {
            Some(side) => text.push_str(side.san()),
            None => self.write_step(mv, &mut text),
        }
        let next = self.after(mv);
        if next.in_check() {
            text.push(if next.has_legal_move() { '+' } else { '#' });
        }
        text
    }

    fn write_step(&self, mv: Move, text: &mut MoveText) {
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
    fn write_origin(&self, kind: PieceKind, mv: Move, text: &mut MoveText) {
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

// Algebraic notation to a move.

/// A text's parts, before anybody looks at the board.
struct SanParts {
    kind: PieceKind,
    file: Option<File>,
    rank: Option<Rank>,
    capture: bool,
    to: Square,
    promotion: Option<PieceKind>,
}

impl Position {
    /// Reads a move in algebraic notation. More origin than needed is accepted, also `0-0`,
    /// `e8Q`, `e2-e4`, a missing `x` of a piece's capture, and any of `+ # ! ?` at the end,
    /// unverified.
    ///
    /// # Errors
    /// See [`SanError`].
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let body = without_marks(text.as_bytes());
        match body {
            b"O-O" | b"0-0" => return self.find_castling(CastlingSide::KingSide, text),
            b"O-O-O" | b"0-0-0" => return self.find_castling(CastlingSide::QueenSide, text),
            _ => {}
        }
        let parts = SanParts::read(body).ok_or_else(|| SanError::Malformed(text.to_owned()))?;
        self.find_step(&parts, text)
    }

    fn find_castling(&self, side: CastlingSide, text: &str) -> Result<Move, SanError> {
        let us = self.side_to_move();
        self.castling_rook(us, side)
            .map(|rook| Move::new(self.king(us), rook))
            .filter(|&castling| self.is_legal(castling))
            .ok_or_else(|| {
                SanError::Illegal(format!("{text}: castling on that side is not legal here"))
            })
    }

    fn find_step(&self, parts: &SanParts, text: &str) -> Result<Move, SanError> {
        let &SanParts { kind, to, .. } = parts;
        let mut movers = match (kind, parts.file) {
            (PieceKind::Pawn, Some(file)) => {
                Bitboard::file(file) & self.pieces(self.side_to_move(), kind)
            }
            _ => self.candidates(kind, to),
        };
        if let Some(file) = parts.file {
            movers &= Bitboard::file(file);
        }
        if let Some(rank) = parts.rank {
            movers &= Bitboard::rank(rank);
        }
        let origins = self.legal_origins(movers, to);
        let promotes = kind == PieceKind::Pawn && to.rank() == Rank::back(!self.side_to_move());
        let wrong = match (origins.first(), promotes, parts.promotion) {
            (Some(_), true, None) => "what the pawn becomes is missing, as in e8=Q".to_owned(),
            (None, _, _) | (_, false, Some(_)) => {
                format!("no legal move of a {kind} to {to} fits")
            }
            _ if origins.has_several() => {
                format!("more than one {kind} can go to {to}; file or rank is missing")
            }
            (Some(from), _, promotion) => {
                let step = match promotion {
                    Some(kind) => Move::promoting(from, to, kind),
                    None => Move::new(from, to),
                };
                if !parts.capture || self.is_capture(step) {
                    return Ok(step);
                }
                format!("there is nothing to take on {to}")
            }
        };
        Err(SanError::Illegal(format!("{text}: {wrong}")))
    }
}

/// The text without the marks after a move: `+ # ! ?`.
fn without_marks(text: &[u8]) -> &[u8] {
    let mut body = text;
    while let [head @ .., b'+' | b'#' | b'!' | b'?'] = body {
        body = head;
    }
    body
}

impl SanParts {
    fn read(body: &[u8]) -> Option<SanParts> {
        let mut rest = body;
        let mut kind = PieceKind::Pawn;
        if let [letter @ (b'N' | b'B' | b'R' | b'Q' | b'K'), tail @ ..] = rest {
            kind = PieceKind::from_letter(char::from(*letter))?;
            rest = tail;
        }
        let mut promotion = None;
        if let (PieceKind::Pawn, [head @ .., letter @ (b'N' | b'B' | b'R' | b'Q')]) = (kind, rest) {
            promotion = PieceKind::from_letter(char::from(*letter));
            rest = head.strip_suffix(b"=").unwrap_or(head);
        }
        let (origin, &[file, rank]) = rest.split_last_chunk::<2>()?;
        let to = Square::new(file_of(file)?, rank_of(rank)?);
        let (origin, capture) = match origin {
            [origin @ .., b'x'] => (origin, true),
            [origin @ .., b'-'] => (origin, false),
            _ => (origin, false),
        };
        let (file, rank) = match origin {
            [] => (None, None),
            &[file, rank] => (Some(file_of(file)?), Some(rank_of(rank)?)),
            &[one] if file_of(one).is_some() => (file_of(one), None),
            &[one] => (None, Some(rank_of(one)?)),
            _ => return None,
        };
        Some(SanParts {
            kind,
            file,
            rank,
            capture,
            to,
            promotion,
        })
    }
}

fn file_of(byte: u8) -> Option<File> {
    File::from_letter(char::from(byte))
}

fn rank_of(byte: u8) -> Option<Rank> {
    Rank::new(byte.wrapping_sub(b'1'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UciDialect;

    fn san(fen: &str, uci: &str) -> String {
        let position = Position::from_fen(fen).unwrap();
        position
            .san(position.parse_uci(uci, UciDialect::Chess960).unwrap())
            .to_string()
    }

    #[test]
    fn as_few_letters_as_needed() {
        const ROOKS: &str = "7k/8/8/R7/8/8/8/R3R2K w - - 0 1";
        const QUEENS: &str = "8/5k2/8/8/Q6Q/8/8/K6Q w - - 0 1";
        for (fen, uci, expected) in [
            (ROOKS, "a1c1", "Rac1"),
            (ROOKS, "a5a3", "R5a3"),
            (ROOKS, "e1e5", "Ree5"),
            (QUEENS, "h4e4", "Qh4e4"),
            (QUEENS, "h1e4", "Q1e4"),
            (QUEENS, "a4e4", "Qae4"),
            ("8/5k2/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
            // The other knight is pinned: it is no rival.
            ("k3r3/8/8/8/8/8/4N3/4K1N1 w - - 0 1", "g1f3", "Nf3"),
            ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8n", "e8=N+"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
            ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "d1d8", "Rd8#"),
        ] {
            assert_eq!(san(fen, uci), expected, "{fen} {uci}");
        }
    }

    #[test]
    fn what_others_write_is_read_too() {
        let castling = Position::from_fen("4k3/1P6/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
        for (text, uci) in [
            ("0-0", "e1h1"),
            ("O-O-O!?", "e1a1"),
            ("b8Q+", "b7b8q"),
            ("b7-b8=N", "b7b8n"),
            ("Ra1-a5", "a1a5"),
            ("R1a5", "a1a5"),
            ("Ke2??", "e1e2"),
        ] {
            let mv = castling.parse_san(text).unwrap();
            assert_eq!(castling.uci(mv, UciDialect::Chess960), uci, "{text}");
        }
    }

    #[test]
    fn errors_say_why() {
        let position = Position::from_fen("4k3/1P6/8/8/8/8/8/R3K2R w K - 0 1").unwrap();
        for (text, reason) in [
            ("", "not a move"),
            ("e9", "not a move"),
            ("Zf3", "not a move"),
            ("Ra1b1c1", "not a move"),
            ("o-o", "not a move"),
            ("O-O-O", "castling on that side"),
            ("Nf3", "no legal move of a knight to f3"),
            ("b8", "what the pawn becomes"),
            ("Rxa5", "nothing to take on a5"),
            ("Ke3", "no legal move of a king"),
            ("e4=Q", "no legal move of a pawn"),
        ] {
            let error = position.parse_san(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
        let two = Position::from_fen("7k/8/8/8/8/8/8/R4RK1 w - - 0 1").unwrap();
        let error = two.parse_san("Rc1").unwrap_err().to_string();
        assert!(error.contains("more than one rook can go to c1"), "{error}");
    }
}
