//! A start position as arrays: from number to arrays to FEN, and back.

use super::{BackRank, StartError, StartNumber, Variant, numbering};
use crate::PieceKind;

/// White's and Black's pieces and the pawns of a numbered start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The variant, which decides about castling.
    pub variant: Variant,
    /// White's first rank, from a to h.
    pub white: BackRank,
    /// Black's eighth rank, from a to h.
    pub black: BackRank,
    /// Bit i: the pawns of file i (a = 0) begin one square ahead, on the third and sixth rank. Only Chess256 has any.
    pub pawns_ahead: u8,
}

impl Setup {
    /// Start `number` of the variant.
    pub fn new(variant: Variant, number: StartNumber) -> Result<Self, StartError> {
        if !variant.has(number) {
            return Err(StartError::out_of_range(variant, number));
        }
        let StartNumber(n) = number;
        Ok(match variant {
            Variant::Standard | Variant::Chess960 | Variant::Chess480 | Variant::Shuffle => {
                Self::symmetrical(variant, numbering::array(n))
            }
            Variant::Dfrc => Self::independent(variant, n / 960, n % 960),
            Variant::Transcendental | Variant::Moab => {
                Self::independent(variant, n / 2880, n % 2880)
            }
            Variant::Corner => Self::symmetrical(variant, numbering::corner_array(n)),
            Variant::Chess256 => Self {
                // Chess256 has 256 numbers, so eight bits hold them all.
                pawns_ahead: n as u8,
                ..Self::symmetrical(variant, BackRank::standard())
            },
        })
    }

    /// Of two arrays, with all pawns on their second rank.
    pub(super) fn of(variant: Variant, white: BackRank, black: BackRank) -> Self {
        Self {
            variant,
            white,
            black,
            pawns_ahead: 0,
        }
    }

    /// Black's array follows from White's: the same files, or in corner chess turned
    /// by 180°.
    pub(super) fn symmetrical(variant: Variant, white: BackRank) -> Self {
        let black = if variant == Variant::Corner {
            white.mirrored()
        } else {
            white
        };
        Self::of(variant, white, black)
    }

    fn independent(variant: Variant, white: u32, black: u32) -> Self {
        let [white, black] = [white, black].map(numbering::array);
        Self::of(variant, white, black)
    }

    /// The number of these arrays, or why they are not a start of the variant. The
    /// inverse of [`new`](Self::new).
    pub fn number(&self) -> Result<StartNumber, StartError> {
        self.check()?;
        let [white, black] = [self.white, self.black].map(|rank| numbering::array_number(&rank));
        Ok(StartNumber(match self.variant {
            Variant::Corner => numbering::corner_number(&self.white),
            Variant::Chess256 => self.pawns_ahead.into(),
            variant => match variant.arrays_per_side() {
                Some(arrays) => white * arrays + black,
                None => white,
            },
        }))
    }

    /// Whether the arrays belong to the variant.
    fn check(&self) -> Result<(), StartError> {
        if self.variant != Variant::Chess256 && self.pawns_ahead != 0 {
            return Err(self.refused("only chess256 has pawns on the third rank"));
        }
        [self.white, self.black]
            .iter()
            .try_for_each(|rank| self.check_array(rank))?;
        if !self.variant.pairs_with_partner()
            && Self::symmetrical(self.variant, self.white).black != self.black
        {
            return Err(self.refused(match self.variant {
                Variant::Corner => "Black's array is White's turned by 180°",
                _ => "White and Black have the same array",
            }));
        }
        Ok(())
    }

    /// Whether one side's array belongs to the variant.
    fn check_array(&self, rank: &BackRank) -> Result<(), StartError> {
        let reason = match self.variant {
            Variant::Standard | Variant::Chess256 if *rank != BackRank::standard() => {
                "its array is always RNBQKBNR"
            }
            Variant::Shuffle | Variant::Standard | Variant::Chess256 => return Ok(()),
            _ if !rank.bishops_on_both_colours() => {
                "its bishops stand on squares of different colours"
            }
            Variant::Chess960 | Variant::Dfrc | Variant::Chess480 if !rank.king_between_rooks() => {
                "its king stands between the rooks"
            }
            Variant::Corner if self.white.king() != 7 => "its king stands in the right-hand corner",
            _ => return Ok(()),
        };
        Err(self.refused(reason))
    }

    fn refused(&self, reason: &str) -> StartError {
        let text = if self.white == self.black {
            self.white.to_string()
        } else {
            format!("{}/{}", self.white, self.black)
        };
        let variant = self.variant;
        StartError(format!("`{text}` is not a start of {variant}: {reason}"))
    }

    /// Whether this is the start position of orthodox chess.
    pub fn is_standard(&self) -> bool {
        let arrays = [self.white, self.black];
        arrays == [BackRank::standard(); 2] && self.pawns_ahead == 0
    }

    /// Left and right exchanged.
    pub(super) fn mirrored(self) -> Self {
        Self {
            white: self.white.mirrored(),
            black: self.black.mirrored(),
            pawns_ahead: self.pawns_ahead.reverse_bits(),
            ..self
        }
    }

    /// White's and Black's arrays exchanged.
    pub(super) fn exchanged(self) -> Self {
        Self {
            white: self.black,
            black: self.white,
            ..self
        }
    }

    /// The start as Shredder-FEN: castling rights are the files of the rooks, which no
    /// reader can misunderstand; in Moab chess `Mm`.
    pub fn fen(&self) -> String {
        let [home, ahead] = self.pawn_rows();
        let white_castling = self.castling_letters(&self.white);
        let castling =
            white_castling.clone() + &self.castling_letters(&self.black).to_ascii_lowercase();
        let castling = if castling.is_empty() { "-" } else { &castling };
        format!(
            "{black}/{black_home}/{black_ahead}/8/8/{ahead}/{home}/{white} w {castling} - 0 1",
            black = self.black.to_string().to_ascii_lowercase(),
            black_home = home.to_ascii_lowercase(),
            black_ahead = ahead.to_ascii_lowercase(),
            white = self.white,
        )
    }

    /// The second and the third rank in FEN.
    fn pawn_rows(&self) -> [String; 2] {
        let row = |stands: &dyn Fn(usize) -> bool| {
            fen_row(std::array::from_fn(|file| stands(file).then_some('P')))
        };
        let ahead = |file: usize| self.pawns_ahead >> file & 1 == 1;
        [row(&|file| !ahead(file)), row(&ahead)]
    }

    /// The files of the rooks that may castle, h-side first, as White's letters; `M` for a king
    /// that may evacuate.
    fn castling_letters(&self, rank: &BackRank) -> String {
        let [a_side, h_side] = rank.rooks();
        if self.variant == Variant::Moab {
            return "M".to_owned();
        }
        let rooks: Vec<usize> = match self.variant {
            Variant::Transcendental | Variant::Corner => vec![],
            // Only from e with a rook in the corner, each corner by itself.
            Variant::Shuffle if rank.king() != 4 => vec![],
            Variant::Shuffle => [7, 0]
                .into_iter()
                .filter(|&corner| rank.kinds()[corner] == PieceKind::Rook)
                .collect(),
            _ => vec![h_side, a_side],
        };
        rooks
            .into_iter()
            .map(|file| char::from(b'A' + file as u8))
            .collect()
    }
}

/// One rank of the board field: letters, and digits for runs of empty squares.
fn fen_row(squares: [Option<char>; 8]) -> String {
    let mut row = String::new();
    for run in squares.chunk_by(|one, other| one.is_none() && other.is_none()) {
        match run[0] {
            Some(letter) => row.push(letter),
            None => row.push_str(&run.len().to_string()),
        }
    }
    row
}
