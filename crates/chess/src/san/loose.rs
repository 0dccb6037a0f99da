//! Moves as people write them: close to algebraic notation, and with one meaning only.

use super::SanError;
use crate::{Bitboard, File, Move, PieceKind, Position, UciDialect};

/// What some put behind a move.
const REMARKS: [&str; 4] = ["ep", "ch", "dis", "mate"];

/// The figures that some print instead of letters.
const FIGURES: [([char; 2], &str); 6] = [
    (['♔', '♚'], "K"),
    (['♕', '♛'], "Q"),
    (['♖', '♜'], "R"),
    (['♗', '♝'], "B"),
    (['♘', '♞'], "N"),
    (['♙', '♟'], ""),
];

impl Position {
    /// Reads a move that is not quite in algebraic notation, if only one legal move can be meant:
    /// a pawn's letter (`Pe4`), other signs of a capture (`e4:d5`, `ed5:`), castling in small
    /// letters or without hyphens (`o-o`, `00`), small letters (`nf3`, `e8q`), `e8/Q`, remarks
    /// (`exd6ep`, `Qh7mate`), figures (`♘f3`), captures by files alone (`exd`, `ed`), and the two squares of any
    /// move (`c1-b2`, `d2xe3`, `e8-g8`). A small `b` is always a file.
    ///
    /// ```
    /// use arbiter960_chess::Position;
    /// let start = Position::standard();
    /// assert_eq!(start.parse_san_loosely("nf3")?, start.parse_san("Nf3")?);
    /// assert!(start.parse_san("nf3").is_err());
    /// # Ok::<(), arbiter960_chess::SanError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Position::parse_san`].
    pub fn parse_san_loosely(&self, text: &str) -> Result<Move, SanError> {
        let strict = self.parse_san(text);
        if strict.is_ok() {
            return strict;
        }
        let plain = without_ornaments(text);
        self.parse_san(&plain)
            .ok()
            .or_else(|| self.capture_by_files(&plain))
            .or_else(|| self.by_squares(&plain))
            .map_or(strict, Ok)
    }

    /// `c1-b2`, `d2xe3` or `e8-g8`: from where to where, for any piece.
    fn by_squares(&self, text: &str) -> Option<Move> {
        let squares: String = text
            .chars()
            .filter(|sign| !matches!(sign, '-' | 'x'))
            .collect();
        let mut read = [UciDialect::Chess960, UciDialect::Standard]
            .into_iter()
            .filter_map(|dialect| self.parse_uci(&squares, dialect).ok());
        let first = read.next()?;
        read.all(|other| other == first).then_some(first)
    }

    /// `exd` or `ed`, if one pawn can take one piece there.
    fn capture_by_files(&self, text: &str) -> Option<Move> {
        let mut files = text
            .chars()
            .filter(|&letter| letter != 'x')
            .map(File::from_letter);
        let (Some(from), Some(to), None) = (files.next()?, files.next()?, files.next()) else {
            return None;
        };
        let pawns = self.pieces(self.side_to_move(), PieceKind::Pawn) & Bitboard::file(from);
        let moves = self.legal_moves_from(pawns);
        let mut captures = moves
            .iter()
            .filter(|mv| mv.to().file() == to && self.is_capture(**mv));
        let only = captures.next().copied();
        only.filter(|mv| captures.next().is_none() && mv.promotion().is_none())
    }
}

/// The text in algebraic notation, as far as that needs no board.
fn without_ornaments(text: &str) -> String {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    let castling: String = text.chars().filter(|&sign| sign != '-').collect();
    match castling.as_str() {
        "oo" | "OO" | "00" => return "O-O".to_owned(),
        "ooo" | "OOO" | "000" => return "O-O-O".to_owned(),
        _ => {}
    }
    let remark = REMARKS.iter().find_map(|remark| text.strip_suffix(remark));
    let text = remark.unwrap_or(text).trim_end_matches(['+', '#']);
    let text = text.strip_suffix(':').unwrap_or(text);
    let text = text.strip_prefix('P').unwrap_or(text);
    let mut plain = text.replace(':', "x").replace('/', "=");
    for (figures, letter) in FIGURES {
        plain = plain.replace(figures, letter);
    }
    capitalise(&mut plain);
    plain
}

/// Large letters for the moving piece and for what a pawn becomes.
fn capitalise(text: &mut String) {
    if let Some(first @ ('n' | 'r' | 'q' | 'k')) = text.chars().next() {
        text.replace_range(..1, &first.to_ascii_uppercase().to_string());
    }
    if let Some(last @ ('n' | 'b' | 'r' | 'q')) = text.chars().last()
        && text
            .chars()
            .rev()
            .nth(1)
            .is_some_and(|before| matches!(before, '1' | '8' | '='))
    {
        text.pop();
        text.push(last.to_ascii_uppercase());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fen: &str, text: &str) -> Option<String> {
        let position = Position::from_fen(fen).unwrap();
        let read = position.parse_san_loosely(text).ok()?;
        Some(position.san(read).to_string())
    }

    #[test]
    fn what_people_write() {
        const FEN: &str = "r3k2r/1P5n/8/3pP3/4N3/2B5/8/R3K2R w KQkq d6 0 1";
        for (text, expected) in [
            ("o-o", "O-O"),
            ("000", "O-O-O"),
            ("Pe6", "e6"),
            ("e5:d6", "exd6"),
            ("ed6:", "exd6"),
            ("exd6ep", "exd6"),
            ("exd", "exd6"),
            ("ed", "exd6"),
            ("b8q", "b8=Q+"),
            ("bxa8/R", "bxa8=R+"),
            ("b7xa8=n", "bxa8=N"),
            ("nf6ch", "Nf6+"),
            ("ng5", "Ng5"),
            ("c3-d4", "Bd4"),
            ("e4xf6", "Nf6+"),
            ("e4f6+", "Nf6+"),
            ("e1-g1", "O-O"),
            ("e1-h1", "O-O"),
            ("♗d4", "Bd4"),
            ("bxa8=♞", "bxa8=N"),
            ("a1-b1", "Rb1"),
        ] {
            assert_eq!(read(FEN, text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "bd4", "ba", "b8", "Pd6", "o-o-o-o", "", ":", "x", "é", "ü8q",
        ] {
            assert_eq!(read(FEN, text), None, "{text}");
        }
    }

    #[test]
    fn two_meanings_are_none() {
        let two = "4k3/8/8/2p1p3/3P4/2p1p3/1P1P4/4K3 w - - 0 1";
        assert_eq!(read(two, "dxe"), None);
        assert_eq!(read(two, "bc").as_deref(), Some("bxc3"));
    }
}
