//! Start positions of Chess960 and its family: number ↔ arrays ↔ FEN ↔ position.
//!
//! * `variant`: the variants, what each is called and how it is played
//! * `back_rank`: eight pieces on a rank
//! * `numbering`: the documented order of arrays
//! * `setup`: number → arrays → FEN, and arrays → number
//! * `parse`: numbers, pairs, back ranks and ranges as people write them
//! * `dice`, `filter`, `mirror`: choosing and relating starts
//! * `placement`: Northam's placing, by both players alternately
//!
//! **Invariant**: everything here but [`position`], [`number_of`] and
//! [`mirrored_position`] works on arrays and text and never asks the rules.

mod back_rank;
mod dice;
mod filter;
mod mirror;
mod numbering;
mod parse;
mod placement;
mod setup;
mod variant;

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use crate::{Color, FenDialect, File, Piece, PieceKind, Position, Rank, Square};

pub use back_rank::BackRank;
pub use dice::{dice, thrown};
pub use filter::{Filter, sample, sample_of};
pub use mirror::{mirror, mirrored_position, partner};
pub use parse::{StartRange, back_rank_text, parse_number, white_and_black};
pub use placement::Placement;
pub use setup::Setup;
pub use variant::{STANDARD_NUMBER, Variant};

/// The number of a start within its variant, from 0 (`standard` has 518 alone). In
/// Chess960 it is Scharnagl's number; `numbering` documents the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StartNumber(pub u32);

impl fmt::Display for StartNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Start `number` of the variant, with its castling rule.
pub fn position(variant: Variant, number: StartNumber) -> Result<Position, StartError> {
    let fen = Setup::new(variant, number)?.fen();
    let position = Position::from_fen_with(&fen, variant.castling_rule());
    Ok(position.expect("a start position is legal by construction"))
}

/// The number of `position` if it is, with its castling rights, side to move and
/// counters, a start of the variant.
pub fn number_of(variant: Variant, position: &Position) -> Option<StartNumber> {
    let fen = position.fen(FenDialect::Shredder);
    let rows: Vec<&str> = fen.split(' ').next()?.split('/').collect();
    let (black, white) = (rows.first()?.parse().ok()?, rows.last()?.parse().ok()?);
    let pawns = position.pieces(Color::White, PieceKind::Pawn);
    let setup = Setup {
        variant,
        white,
        black,
        // Those on the third rank.
        pawns_ahead: (pawns.0 >> 16) as u8,
    };
    setup.number().ok().filter(|_| setup.fen() == fen)
}

/// How pieces are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardStyle {
    /// FEN letters: White's pieces are capitals, empty squares dots.
    Ascii,
    /// Chess symbols.
    Unicode,
}

/// The first four fields of a FEN: an EPD record without operations.
pub fn epd(fen: &str) -> String {
    fen.split(' ').take(4).collect::<Vec<&str>>().join(" ")
}

/// The board as drawn from White's side, eight ranks and the file letters, each line ended by a
/// line feed.
pub fn board(position: &Position, style: BoardStyle) -> String {
    const LETTERS: &str = "KQRBNPkqrbnp.";
    const SYMBOLS: &str = "♔♕♖♗♘♙♚♛♜♝♞♟·";
    let mut drawing = String::new();
    for &rank in Rank::ALL.iter().rev() {
        drawing.push(rank.digit());
        for file in File::ALL {
            drawing.push(' ');
            let piece = position.piece_at(Square::new(file, rank));
            let letter = piece.map_or('.', Piece::fen_letter);
            let place = LETTERS
                .find(letter)
                .filter(|_| style == BoardStyle::Unicode);
            let symbol = place.and_then(|place| SYMBOLS.chars().nth(place));
            drawing.push(symbol.unwrap_or(letter));
        }
        drawing.push('\n');
    }
    drawing.push_str("  a b c d e f g h\n");
    drawing
}

/// Why a start position, a back rank, rolls or a turn of a placing were refused, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StartError(String);

impl StartError {
    fn out_of_range(variant: Variant, number: impl Display) -> StartError {
        let described = variant.numbers_described();
        StartError(format!(
            "{variant} has no start number {number}: {described}"
        ))
    }
}

/// `word`, which is none of these.
fn unknown<T: Display>(what: &str, word: &str, known: &[T]) -> StartError {
    let known = names(known);
    StartError(format!("no {what} is called `{word}`; there are {known}"))
}

/// A list for messages: `a, b and c`.
fn names<T: Display>(items: &[T]) -> String {
    let texts: Vec<String> = items.iter().map(T::to_string).collect();
    match texts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b HAha - 0 1";

    #[test]
    fn drawings() {
        let position = Position::from_fen(FEN).unwrap();
        let ascii = board(&position, BoardStyle::Ascii);
        assert!(ascii.starts_with("8 r n b q k b n r\n7 p p p p p p p p\n6 . . . . . . . .\n"));
        assert!(
            ascii.ends_with("1 R N B Q K B N R\n  a b c d e f g h\n"),
            "{ascii}"
        );
        let unicode = board(&position, BoardStyle::Unicode);
        assert!(unicode.contains("4 · · · · ♙ · · ·\n"));
    }

    #[test]
    fn epd_leaves_the_counters_out() {
        assert!(epd(FEN).ends_with("b HAha -"));
    }
}
