//! FEN in its dialects (S. Edwards, PGN standard 16.1; X-FEN by R. Scharnagl; Shredder-FEN by
//! S. Meyer-Kahlen; `M` and `m` of Moab chess are this program's own).
//!
//! * `read`: text to board, each field by itself
//! * here: position to text; what refuses boards that cannot arise in a game

mod read;

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::board::Board;
use crate::{
    Bitboard, CastlingRule, CastlingSide, Color, File, Piece, PieceKind, Position, Rank, Square,
};

pub(crate) use read::read;

/// Why a text is not the FEN of a legal position, in words. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FenError(pub(crate) String);

fn refused<T>(why: String) -> Result<T, FenError> {
    Err(FenError(why))
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
        // Writing to a string cannot fail.
        let _ = match self.en_passant() {
            Some(square) => write!(text, " {square}"),
            None => write!(text, " -"),
        };
        let (clock, number) = (self.halfmove_clock(), self.fullmove_number());
        let _ = write!(text, " {clock} {number}");
        text
    }

    /// The letters of the rights, nothing where there is none.
    pub(crate) fn write_castling(&self, dialect: FenDialect, text: &mut String) {
        for color in Color::ALL {
            if self.may_evacuate(color) {
                text.push(color.cased('M'));
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
                    text.push(color.cased(letter));
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

// What no game can lead to.

/// Kings, pawns on edges, too many pieces. Composed positions may have pieces that no pawn can
/// have become, but at most ten queens and pawns and three rooks: so their moves fit into a list.
fn check_men(board: &Board, composed: bool) -> Result<(), FenError> {
    for color in Color::ALL {
        let found = board.pieces(color, PieceKind::King).len();
        if found != 1 {
            return refused(format!("{color} has {found} kings instead of one"));
        }
        let edges = Bitboard::rank(Rank::ALL[0]) | Bitboard::rank(Rank::ALL[7]);
        if let Some(square) = (board.pieces(color, PieceKind::Pawn) & edges).first() {
            return refused(format!(
                "a {color} pawn stands on {square}, where no pawn can be"
            ));
        }
        check_numbers(board, color, composed)?;
    }
    Ok(())
}

/// Every piece beyond a queen and two of each other kind was a pawn once. Bishops are counted without regard to the
/// colour of their squares, because shuffle chess begins with any two.
fn check_numbers(board: &Board, color: Color, composed: bool) -> Result<(), FenError> {
    let count = |kind| board.pieces(color, kind).len();
    let (pieces, pawns) = (board.color(color).len(), count(PieceKind::Pawn));
    if pawns > 8 {
        return refused(format!("{color} has {pawns} pawns, more than eight"));
    }
    if pieces > 16 {
        return refused(format!("{color} has {pieces} pieces, more than sixteen"));
    }
    let [knights, bishops] = [PieceKind::Knight, PieceKind::Bishop].map(count);
    let [rooks, queens] = [PieceKind::Rook, PieceKind::Queen].map(count);
    let beyond_two = [knights, bishops, rooks].map(|found| found.saturating_sub(2));
    let promoted = beyond_two.iter().sum::<u32>() + queens.saturating_sub(1);
    let missing = 8 - pawns;
    let few = queens + pawns <= 10 && rooks <= 3;
    if promoted > missing && !(composed && few) {
        return refused(format!(
            "{color} has {promoted} pieces that must be promoted pawns, but only {missing} pawns are missing"
        ));
    }
    Ok(())
}

/// Checks that no last move explains.
fn check_checks(board: &Board) -> Result<(), FenError> {
    let (us, them) = (board.side_to_move, !board.side_to_move);
    let given = board.attackers(board.king(them), us, board.occupied());
    if let Some(checker) = given.first() {
        return refused(format!(
            "{them} is in check from {checker}, but it is not {them}'s turn"
        ));
    }
    let checkers = board.checkers();
    let count = checkers.len();
    if count > 2 {
        return refused(format!(
            "{us} is in check from {count} pieces at once, and no move gives more than two checks"
        ));
    }
    match (checkers.first(), checkers.last()) {
        (Some(first), Some(second))
            if first != second && !may_check_together(board, first, second) =>
        {
            refused(format!(
                "{us} is in check from {first} and {second} at once, and no move gives both checks"
            ))
        }
        _ => Ok(()),
    }
}

/// Of two checks by one move one at least is uncovered, so it is a slider's.
///
/// Two sliders that check along one line from both sides of the king cannot arise either, but
/// widely used perft suites hold such positions, so they are read.
fn may_check_together(board: &Board, first: Square, second: Square) -> bool {
    let them = !board.side_to_move;
    let sliders = board.diagonal_sliders(them) | board.straight_sliders(them);
    sliders.contains(first) || sliders.contains(second)
}

/// A square behind a pawn that can have made a double step just now.
fn check_en_passant(board: &Board, square: Square) -> Result<(), FenError> {
    let (us, them) = (board.side_to_move, !board.side_to_move);
    let rank = Rank::ALL[5].seen_by(us);
    if square.rank() != rank {
        return refused(format!(
            "en passant on {square}: with {us} to move it is a square of rank {rank}"
        ));
    }
    let pawn = Square::new(square.file(), Rank::ALL[4].seen_by(us));
    let home = Square::new(square.file(), Rank::ALL[6].seen_by(us));
    if !board.pieces(them, PieceKind::Pawn).contains(pawn) {
        return refused(format!(
            "en passant on {square}: there is no {them} pawn on {pawn} that has just moved two squares"
        ));
    }
    for occupied in [square, home] {
        if let Some(piece) = board.piece_at(occupied) {
            return refused(format!(
                "en passant on {square}: the pawn cannot have come over {occupied}, where a {piece} stands"
            ));
        }
    }
    let mut before = *board;
    before.clear(pawn);
    let (color, kind) = (them, PieceKind::Pawn);
    before.put(Piece { color, kind }, home);
    if before.checkers().is_empty() {
        return Ok(());
    }
    refused(format!(
        "en passant on {square}: {us} would have been in check before the double step already"
    ))
}
