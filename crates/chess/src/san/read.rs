//! Algebraic notation to a move.

use super::SanError;
use crate::{Bitboard, CastlingSide, File, Move, PieceKind, Position, Rank, Square};

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
            .ok_or_else(|| SanError::Castling(text.to_owned()))
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
        let text = || text.to_owned();
        match (origins.first(), promotes, parts.promotion) {
            (Some(_), true, None) => Err(SanError::PromotionMissing(text())),
            (None, _, _) | (_, false, Some(_)) => Err(SanError::NotLegal {
                text: text(),
                kind,
                to,
            }),
            _ if origins.has_several() => Err(SanError::Ambiguous {
                text: text(),
                kind,
                to,
            }),
            (Some(from), _, promotion) => {
                let step = match promotion {
                    Some(kind) => Move::promoting(from, to, kind),
                    None => Move::new(from, to),
                };
                if parts.capture && !self.is_capture(step) {
                    return Err(SanError::NoCapture { text: text(), to });
                }
                Ok(step)
            }
        }
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
