//! FEN in its dialects (S. Edwards, PGN standard 16.1; X-FEN by R. Scharnagl; Shredder-FEN by
//! S. Meyer-Kahlen; `M` and `m` of Moab chess are this program's own).
//!
//! * `read`: text to board, each field by itself
//! * `legality`: refuses boards that cannot arise in a game
//! * `error`: the names of everything that can be wrong
//! * here: position to text

mod error;
mod legality;
mod read;

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::board::Board;
use crate::{Bitboard, CastlingRule, CastlingSide, Color, File, PieceKind, Position, Rank, Square};

pub use error::FenError;
pub(crate) use read::read;

impl Position {
    /// Reads a FEN of a composed position: it may have pieces that no pawn can have become, for instance nine bishops
    /// and seven pawns; at most ten queens and pawns together and three rooks. Such positions are for analysis, not for
    /// games.
    ///
    /// ```
    /// use arbiter960_chess::{Color, Position};
    /// let composed = "2k5/8/8/8/8/2PPPPPP/2PPBBBB/4K3 w - - 0 1";
    /// assert!(Position::from_fen(composed).is_err());
    /// assert!(!Position::from_composed_fen(composed)?.cannot_win(Color::White));
    /// # Ok::<(), arbiter960_chess::FenError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Position::from_fen`], but for these pieces.
    pub fn from_composed_fen(text: &str) -> Result<Position, FenError> {
        read::read_with(text, CastlingRule::Fischer, true)
    }
}

/// How castling rights are written; Moab chess has the same in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FenDialect {
    /// `KQkq`, and the file's letter only for a rook that is not the outermost on its side.
    XFen,
    /// Always the rook's file: `HAha`.
    Shredder,
}

impl Position {
    /// The position as FEN. The en passant square is written only where a capture is legal. In Moab
    /// chess the castling field has `M` and `m` for kings that may still evacuate, which readers of
    /// other rules do not know.
    pub fn fen(&self, dialect: FenDialect) -> String {
        let mut text = String::with_capacity(96);
        self.board().write_men(&mut text);
        text.push_str(if self.side_to_move() == Color::White {
            " w "
        } else {
            " b "
        });
        let before = text.len();
        self.write_castling(dialect, &mut text);
        if text.len() == before {
            text.push('-');
        }
        match self.en_passant() {
            Some(square) => write!(text, " {square}"),
            None => write!(text, " -"),
        }
        .and_then(|()| {
            write!(
                text,
                " {} {}",
                self.halfmove_clock(),
                self.fullmove_number()
            )
        })
        .expect("writing to a string cannot fail");
        text
    }

    /// The letters of the rights, nothing where there is none.
    pub(crate) fn write_castling(&self, dialect: FenDialect, text: &mut String) {
        for color in Color::ALL {
            if self.may_evacuate(color) {
                text.push(match color {
                    Color::White => 'M',
                    Color::Black => 'm',
                });
            }
            for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
                if let Some(rook) = self.castling_rook(color, side) {
                    let letter = match dialect {
                        FenDialect::XFen if self.is_outermost(rook, color, side) => match side {
                            CastlingSide::KingSide => 'k',
                            CastlingSide::QueenSide => 'q',
                        },
                        _ => rook.file().letter(),
                    };
                    text.push(match color {
                        Color::White => letter.to_ascii_uppercase(),
                        Color::Black => letter,
                    });
                }
            }
        }
    }

    fn is_outermost(&self, rook: Square, color: Color, side: CastlingSide) -> bool {
        let home = Bitboard::rank(Rank::back(color));
        let rooks = self.pieces(color, PieceKind::Rook) & home;
        Some(rook)
            == match side {
                CastlingSide::KingSide => rooks.last(),
                CastlingSide::QueenSide => rooks.first(),
            }
    }
}

impl Board {
    /// The first field.
    pub(crate) fn write_men(&self, text: &mut String) {
        for &rank in Rank::ALL.iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.piece_at(Square::new(file, rank)) {
                    Some(piece) => {
                        push_empty(&mut empty, text);
                        text.push(piece.fen_letter());
                    }
                    None => empty += 1,
                }
            }
            push_empty(&mut empty, text);
            if rank != Rank::ALL[0] {
                text.push('/');
            }
        }
    }
}

fn push_empty(empty: &mut u8, text: &mut String) {
    if *empty > 0 {
        text.push(char::from(b'0' + *empty));
        *empty = 0;
    }
}
