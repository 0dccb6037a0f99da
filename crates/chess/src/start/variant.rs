//! The variants of the family: what each is called, and how it is played.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{StartError, StartNumber, unknown};
use crate::{
    CastlingRule, CastlingSide, Color, FenError, File, Position, Rank, Square, UciDialect,
};

/// The number of orthodox chess's start position in Scharnagl's numbering, and
/// in every other numbering here that has it.
pub const STANDARD_NUMBER: StartNumber = StartNumber(518);

crate::worded! {
    /// A variant of chess that differs from it in the start position, or in castling.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Variant,
    /// The name in event files, on the command line and in the PGN tag `StartVariant`.
    name: &'static str {
        /// Orthodox chess: one start.
        #[default]
        Standard = "standard",
        /// Chess960, also Fischer random chess (FIDE Laws, Guidelines II): 960 starts.
        Chess960 = "chess960",
        /// Double Fischer random chess: White and Black each with their own of the 960.
        Dfrc = "dfrc",
        /// Shuffle chess: any array, castling only with king and rook at home.
        Shuffle = "shuffle",
        /// Transcendental chess (Maxwell Lawrence, 1978): two independent arrays with
        /// bishops on both colours, no castling.
        ///
        /// Two of its rules have no word in UCI and belong to the making of the start: on the
        /// first turn a player may exchange two pieces of the back rank instead of moving, and
        /// in the auction form players bid extra moves for the side they want.
        Transcendental = "transcendental",
        /// Corner chess: king in the right-hand corner, bishops on both colours, Black's
        /// array rotated by 180°, no castling.
        Corner = "corner",
        /// Chess256 (Mats Winther, 2006): orthodox pieces, each file's pawn on the second
        /// or third rank, the same for both sides.
        Chess256 = "chess256",
        /// Chess480 (John Kipling Lewis, 2005): the 960 starts; the king castles two
        /// squares towards the rook.
        Chess480 = "chess480",
        /// Moab chess (Eulalio Paul Cane, 1997): the starts of transcendental chess, placed by the
        /// players; no castling, but once a king may go to any empty square of its first rank.
        Moab = "moab",
    }
}

impl Variant {
    /// Where king and rook go when they castle. Variants without castling, and those
    /// that castle as orthodox chess does, are cases of Fischer's rule.
    pub const fn castling_rule(self) -> CastlingRule {
        match self {
            Self::Chess480 => CastlingRule::Chess480,
            Self::Moab => CastlingRule::Moab,
            _ => CastlingRule::Fischer,
        }
    }

    /// How castling is written to engines: king takes own rook where `UCI_Chess960` is
    /// true, else the king's two squares.
    pub const fn uci_dialect(self) -> UciDialect {
        if self.sends_uci_chess960() {
            UciDialect::Chess960
        } else {
            UciDialect::Standard
        }
    }

    /// Whether engines play this variant with `UCI_Chess960` true (every game of it,
    /// number 518 included). Where false, the option is not even required.
    pub const fn sends_uci_chess960(self) -> bool {
        matches!(self, Self::Chess960 | Self::Dfrc | Self::Chess480)
    }

    /// How many numbered starts there are.
    pub const fn count(self) -> u32 {
        match self {
            Self::Standard => 1,
            Self::Chess960 | Self::Chess480 => 960,
            Self::Dfrc => 960 * 960,
            Self::Shuffle => 5040,
            Self::Transcendental | Self::Moab => 2880 * 2880,
            Self::Corner => 360,
            Self::Chess256 => 256,
        }
    }

    /// The smallest number. The others follow without a gap: only `standard`, whose
    /// one number is 518, does not begin with 0.
    pub const fn first_number(self) -> StartNumber {
        match self {
            Self::Standard => STANDARD_NUMBER,
            _ => StartNumber(0),
        }
    }

    /// All numbers, ascending; as many as [`count`](Self::count) says.
    pub fn numbers(self) -> impl DoubleEndedIterator<Item = StartNumber> + Clone {
        let first = self.first_number().0;
        (first..first + self.count()).map(StartNumber)
    }

    /// Whether `number` is one of [`numbers`](Self::numbers).
    pub const fn has(self, number: StartNumber) -> bool {
        let first = self.first_number().0;
        number.0 >= first && number.0 - first < self.count()
    }

    /// Whether White and Black have independent arrays, so that (w, b) and its partner
    /// (b, w) are scheduled together: only the two together say what the first move is
    /// worth. See [`partner`](super::partner).
    pub const fn pairs_with_partner(self) -> bool {
        self.arrays_per_side().is_some()
    }

    /// Where the number is `white * n + black`: n.
    pub(super) const fn arrays_per_side(self) -> Option<u32> {
        match self {
            Self::Dfrc => Some(960),
            Self::Transcendental | Self::Moab => Some(2880),
            _ => None,
        }
    }

    /// The value of the PGN tag `Variant`; none where orthodox rules with a `FEN` tag
    /// say everything, because most readers refuse a variant they do not know.
    pub const fn pgn_tag(self) -> Option<&'static str> {
        match self {
            Self::Chess960 | Self::Dfrc => Some("Chess960"),
            Self::Chess480 => Some("Chess480"),
            Self::Moab => Some("Moab"),
            _ => None,
        }
    }

    /// Which numbers there are, for messages.
    pub(super) fn numbers_described(self) -> String {
        match self.arrays_per_side() {
            _ if self == Self::Standard => format!("its only start is {STANDARD_NUMBER}"),
            Some(arrays) => format!(
                "they are 0-{}, or white/black with both 0-{}",
                self.count() - 1,
                arrays - 1
            ),
            None => format!("they are 0-{}", self.count() - 1),
        }
    }

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
    pub fn read_fen(self, text: &str) -> Result<Position, FenError> {
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
    pub fn check_castling(self, position: &Position) -> Result<(), FenError> {
        let mut rights = Color::ALL.into_iter().flat_map(|color| {
            [CastlingSide::KingSide, CastlingSide::QueenSide]
                .map(|side| (color, side, position.castling_rook(color, side)))
        });
        let evacuates = Color::ALL.map(|color| position.may_evacuate(color));
        if self != Variant::Moab && evacuates.contains(&true) {
            return Err(FenError(format!(
                "no king evacuates in {self}: variant = \"moab\""
            )));
        }
        let is_foreign = |(color, side, rook): (Color, CastlingSide, Option<Square>)| {
            rook.is_some_and(|rook| !is_orthodox(position.king(color), rook, color, side))
        };
        let wrong = match self {
            Variant::Transcendental | Variant::Corner | Variant::Moab
                if rights.any(|right| right.2.is_some()) =>
            {
                format!("there is no castling in {self}: the castling field must be -")
            }
            Variant::Standard | Variant::Shuffle | Variant::Chess256 if rights.any(is_foreign) => {
                format!(
                    "castling with king or rooks off their orthodox squares does not exist in {self}: \
                     use variant = \"chess960\", or no castling rights"
                )
            }
            _ => return Ok(()),
        };
        Err(FenError(wrong))
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Variant {
    type Err = StartError;

    /// Reads a [`name`](Self::name) in any case.
    fn from_str(text: &str) -> Result<Self, StartError> {
        Self::ALL
            .into_iter()
            .find(|variant| variant.name().eq_ignore_ascii_case(text.trim()))
            .ok_or_else(|| unknown("variant", text, &Self::ALL))
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
    fn names_are_read_back_in_any_case() {
        for variant in Variant::ALL {
            assert_eq!(variant.to_string().to_uppercase().parse(), Ok(variant));
        }
        let message = "chess961".parse::<Variant>().unwrap_err().to_string();
        assert!(message.contains("standard, chess960, dfrc"), "{message}");
    }

    #[test]
    fn only_castling_of_chess960_is_king_takes_rook() {
        for variant in Variant::ALL {
            let chess960 = variant.uci_dialect() == UciDialect::Chess960;
            let orthodox = variant.pgn_tag().is_none() || variant == Variant::Moab;
            assert_eq!(chess960, !orthodox, "{variant}");
        }
    }

    #[test]
    fn numbers_are_as_many_as_counted() {
        for variant in Variant::ALL {
            assert_eq!(variant.numbers().count() as u32, variant.count());
            let last = variant.numbers().next_back().unwrap();
            assert!(variant.has(last) && !variant.has(StartNumber(last.0 + 1)));
        }
        assert!(!Variant::Standard.has(StartNumber(0)));
    }

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
