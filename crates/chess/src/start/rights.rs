//! Which castling rights a position of a variant can have.

use super::Variant;
use crate::{CastlingSide, Color, FenError, File, Position, Rank, Square};

/// Why a text is not a position of a variant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VariantFenError {
    /// It is not the FEN of a legal position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The variant has no castling, and the position castling rights.
    #[error("there is no castling in {0}: the castling field must be -")]
    NoCastling(Variant),
    /// Kings evacuate in Moab chess only.
    #[error("no king evacuates in {0}: variant = \"moab\"")]
    NoEvacuation(Variant),
    /// The variant castles from orthodox squares alone.
    #[error(
        "castling with king or rooks off their orthodox squares does not exist in {0}: \
         use variant = \"chess960\", or no castling rights"
    )]
    ForeignCastling(Variant),
}

impl Variant {
    /// Reads a FEN of this variant, with its castling rule and no rights that it does not have.
    ///
    /// ```
    /// use arbiter960_chess::Variant;
    /// let fen = "1k5r/8/8/8/8/8/8/1K5R w Kk - 0 1";
    /// assert!(Variant::Chess960.read_fen(fen).is_ok());
    /// assert!(Variant::Shuffle.read_fen(fen).is_err());
    /// ```
    ///
    /// # Errors
    /// Text that is no FEN, impossible positions, and castling that the variant does not have.
    pub fn read_fen(self, text: &str) -> Result<Position, VariantFenError> {
        let position = Position::from_fen_with(text, self.castling_rule())?;
        self.check_castling(&position)?;
        Ok(position)
    }

    /// Whether all castling rights of a position exist in this variant: any in Chess960, double
    /// Fischer random and Chess480; none in transcendental, corner and Moab chess, whose kings may
    /// evacuate; elsewhere those of a king on the e-file with rooks on the a- and h-files.
    ///
    /// # Errors
    /// Rights that do not exist.
    pub fn check_castling(self, position: &Position) -> Result<(), VariantFenError> {
        let mut rights = Color::ALL.into_iter().flat_map(|color| {
            [CastlingSide::KingSide, CastlingSide::QueenSide]
                .map(|side| (color, side, position.castling_rook(color, side)))
        });
        let evacuates = Color::ALL.map(|color| position.may_evacuate(color));
        if self != Variant::Moab && evacuates.contains(&true) {
            return Err(VariantFenError::NoEvacuation(self));
        }
        match self {
            Variant::Chess960 | Variant::Dfrc | Variant::Chess480 => Ok(()),
            Variant::Transcendental | Variant::Corner | Variant::Moab => {
                match rights.any(|right| right.2.is_some()) {
                    true => Err(VariantFenError::NoCastling(self)),
                    false => Ok(()),
                }
            }
            Variant::Standard | Variant::Shuffle | Variant::Chess256 => {
                let orthodox = rights.all(|(color, side, rook)| {
                    rook.is_none_or(|rook| is_orthodox(position.king(color), rook, color, side))
                });
                orthodox
                    .then_some(())
                    .ok_or(VariantFenError::ForeignCastling(self))
            }
        }
    }
}

/// Whether king and rook are on the squares where orthodox chess begins.
fn is_orthodox(king: Square, rook: Square, color: Color, side: CastlingSide) -> bool {
    let corner = match side {
        CastlingSide::KingSide => File::ALL[7],
        CastlingSide::QueenSide => File::ALL[0],
    };
    king == Square::new(File::ALL[4], Rank::back(color)) && rook.file() == corner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_variant_has_its_own() {
        use Variant::*;
        let inner = "1k5r/8/8/8/8/8/8/1K5R w Kk - 0 1";
        let orthodox = "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1";
        let shifted = "3k3r/8/8/8/8/8/8/R3K3 w Qk - 0 1";
        let none = "1k5r/8/8/8/8/8/8/1K5R w - - 0 1";
        for variant in Variant::ALL {
            let anything = matches!(variant, Chess960 | Dfrc | Chess480);
            let nothing = matches!(variant, Transcendental | Corner | Moab);
            assert_eq!(variant.read_fen(inner).is_ok(), anything, "{variant}");
            assert_eq!(variant.read_fen(shifted).is_ok(), anything, "{variant}");
            assert_eq!(variant.read_fen(orthodox).is_ok(), !nothing, "{variant}");
            assert!(variant.read_fen(none).is_ok(), "{variant}");
            let evacuation = "1k5r/8/8/8/8/8/8/1K5R w Mm - 0 1";
            assert_eq!(variant.read_fen(evacuation).is_ok(), variant == Moab);
        }
        let evacuates = Moab.read_fen("1k6/8/8/8/8/8/8/1K6 w M - 0 1").unwrap();
        assert!(Chess960.check_castling(&evacuates).is_err());
    }
}
