//! Left and right exchanged, and White's and Black's arrays exchanged.

use super::{Setup, StartError, StartNumber, Variant};
use crate::{FenDialect, FenError, Position};

/// The number of the left-right mirror of a start. Never the number itself: a king's file and its mirror are never the
/// same.
///
/// In Chess960 the two are different games, because castling always goes to the c- and
/// g-file. Starts of `standard`, `corner` and `chess256` have no mirror in their variant.
pub fn mirror(variant: Variant, number: StartNumber) -> Result<StartNumber, StartError> {
    let mirrored = Setup::new(variant, number)?.mirrored();
    mirrored.number().map_err(|_| {
        StartError(format!(
            "the left-right mirror of a {variant} start is not a {variant} start"
        ))
    })
}

/// The partner (b, w) of a start (w, b) with independent arrays; in all other variants
/// the number itself.
pub fn partner(variant: Variant, number: StartNumber) -> Result<StartNumber, StartError> {
    let setup = Setup::new(variant, number)?;
    if variant.pairs_with_partner() {
        setup.exchanged().number()
    } else {
        Ok(number)
    }
}

/// Any position with left and right exchanged, castling rights and en passant included.
pub fn mirrored_position(position: &Position, variant: Variant) -> Result<Position, FenError> {
    let fen = mirrored_fen(&position.fen(FenDialect::Shredder));
    Position::from_fen_with(&fen, variant.castling_rule())
}

/// Shredder-FEN with left and right exchanged.
fn mirrored_fen(fen: &str) -> String {
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    if let [board, _, castling, en_passant, ..] = fields.as_mut_slice() {
        let rows: Vec<String> = board
            .split('/')
            .map(|row| row.chars().rev().collect())
            .collect();
        *board = rows.join("/");
        *castling = mirrored_castling(castling);
        *en_passant = en_passant.chars().map(mirrored_file).collect();
    }
    fields.join(" ")
}

/// Files exchanged; within a colour the h-side right is written first again.
fn mirrored_castling(rights: &str) -> String {
    let (white, black): (Vec<char>, Vec<char>) = rights
        .chars()
        .map(mirrored_file)
        .partition(char::is_ascii_uppercase);
    white
        .into_iter()
        .rev()
        .chain(black.into_iter().rev())
        .collect()
}

/// The letter of the mirrored file in its own case; other characters stay.
fn mirrored_file(letter: char) -> char {
    match letter {
        'a'..='h' => char::from(b'a' + b'h' - letter as u8),
        'A'..='H' => char::from(b'A' + b'H' - letter as u8),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirror_is_an_involution_without_fixed_points() {
        for variant in [Variant::Chess960, Variant::Chess480, Variant::Shuffle] {
            for number in variant.numbers() {
                let twin = mirror(variant, number).unwrap();
                assert_ne!(twin, number);
                assert_eq!(mirror(variant, twin), Ok(number));
            }
        }
        for variant in [Variant::Standard, Variant::Corner, Variant::Chess256] {
            for number in variant.numbers() {
                let error = mirror(variant, number).unwrap_err().to_string();
                assert!(
                    error.ends_with(&format!("is not a {variant} start")),
                    "{error}"
                );
            }
        }
    }

    #[test]
    fn partners_exchange_the_arrays() {
        let start = StartNumber(518 * 960 + 12);
        assert_eq!(
            partner(Variant::Dfrc, start),
            Ok(StartNumber(12 * 960 + 518))
        );
        assert_eq!(
            partner(Variant::Chess960, StartNumber(7)),
            Ok(StartNumber(7))
        );
    }

    #[test]
    fn mirrored_text() {
        assert_eq!(
            mirrored_fen("rk5r/8/8/1pP5/8/8/8/R2K2R1 w GAha b6 3 9"),
            "r5kr/8/8/5Pp1/8/8/8/1R2K2R w HBha g6 3 9"
        );
        assert_eq!(
            mirrored_fen("k7/8/8/8/8/8/8/7K w - - 0 1"),
            "7k/8/8/8/8/8/8/K7 w - - 0 1"
        );
    }
}
