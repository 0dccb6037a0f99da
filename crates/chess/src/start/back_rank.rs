//! The eight pieces behind the pawns, from the a-file to the h-file.

use std::fmt;
use std::str::FromStr;

use super::StartError;
use crate::PieceKind;

/// One king, one queen, two rooks, two bishops and two knights in some order, as seen
/// by White: file a first. Files are indices, a = 0.
///
/// ```
/// use arbiter960_chess::start::BackRank;
/// let rank: BackRank = "RNBQKBNR".parse()?;
/// assert_eq!(rank.mirrored().to_string(), "RNBKQBNR");
/// # Ok::<(), arbiter960_chess::start::StartError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BackRank([PieceKind; 8]);

impl BackRank {
    /// The back rank of these pieces, if they are the right ones.
    pub(super) fn new(kinds: [PieceKind; 8]) -> Option<Self> {
        let complete = [
            (PieceKind::King, 1),
            (PieceKind::Queen, 1),
            (PieceKind::Rook, 2),
            (PieceKind::Bishop, 2),
            (PieceKind::Knight, 2),
        ]
        .into_iter()
        .all(|(kind, count)| kinds.iter().filter(|&&other| other == kind).count() == count);
        complete.then_some(Self(kinds))
    }

    /// The array of orthodox chess.
    pub const fn standard() -> Self {
        use PieceKind::{Bishop, King, Knight, Queen, Rook};
        Self([Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook])
    }

    /// The pieces from a to h.
    pub const fn kinds(&self) -> &[PieceKind; 8] {
        &self.0
    }

    /// The first file with this kind, and the last.
    fn files(&self, kind: PieceKind) -> [usize; 2] {
        let mut files = (0..8).filter(|file| self.0[*file] == kind);
        let first = files.next().expect("a back rank has every kind");
        [first, files.next_back().unwrap_or(first)]
    }

    /// The king's file.
    pub fn king(&self) -> usize {
        self.files(PieceKind::King)[0]
    }

    /// The queen's file.
    pub fn queen(&self) -> usize {
        self.files(PieceKind::Queen)[0]
    }

    /// The files of the two rooks, the one nearer to a first.
    pub fn rooks(&self) -> [usize; 2] {
        self.files(PieceKind::Rook)
    }

    /// The files of the two bishops, the one nearer to a first.
    pub fn bishops(&self) -> [usize; 2] {
        self.files(PieceKind::Bishop)
    }

    /// Whether the bishops are on squares of both colours.
    pub fn bishops_on_both_colours(&self) -> bool {
        let [first, second] = self.bishops();
        first % 2 != second % 2
    }

    /// Whether the king is between the rooks.
    pub fn king_between_rooks(&self) -> bool {
        let [first, second] = self.rooks();
        (first..second).contains(&self.king())
    }

    /// Whether king and rooks are on e, a and h, as in orthodox chess. Of the 960 starts of Chess960 these are 18: in
    /// them castling is orthodox castling.
    pub fn king_and_rooks_at_home(&self) -> bool {
        self.king() == 4 && self.rooks() == [0, 7]
    }

    /// Left and right exchanged. Read from the other side of the board, this is also
    /// the array rotated by 180°.
    pub fn mirrored(self) -> Self {
        let mut kinds = self.0;
        kinds.reverse();
        Self(kinds)
    }
}

impl fmt::Display for BackRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.iter().map(|kind| kind.letter()).collect::<String>())
    }
}

impl FromStr for BackRank {
    type Err = StartError;

    /// Reads eight English piece letters, upper or lower case.
    fn from_str(text: &str) -> Result<Self, StartError> {
        let wrong = |what: String| StartError(format!("the back rank `{text}` {what}"));
        let kinds = text.chars().map(|letter| {
            PieceKind::from_letter(letter.to_ascii_uppercase())
                .filter(|&kind| kind != PieceKind::Pawn)
                .ok_or_else(|| wrong(format!("has `{letter}`; its pieces are K, Q, R, B and N")))
        });
        let kinds = kinds.collect::<Result<Vec<PieceKind>, StartError>>()?;
        let length = kinds.len();
        let eight = kinds.try_into();
        let eight = eight.map_err(|_| wrong(format!("has {length} letters; eight are needed")))?;
        let needed = "needs one king, one queen and two rooks, bishops and knights";
        Self::new(eight).ok_or_else(|| wrong(needed.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_goes_both_ways_and_faults_are_named() {
        let rank: BackRank = "rnbqkbnr".parse().unwrap();
        assert_eq!(rank.to_string(), "RNBQKBNR");
        for (text, fault) in [
            ("RNBQKBN", "has 7 letters; eight are needed"),
            ("RNBQKBNP", "has `P`; its pieces are K, Q, R, B and N"),
            (
                "RNBQKBnN",
                "needs one king, one queen and two rooks, bishops and knights",
            ),
        ] {
            let error = text.parse::<BackRank>().unwrap_err().to_string();
            assert_eq!(error, format!("the back rank `{text}` {fault}"));
        }
    }

    #[test]
    fn properties_of_the_orthodox_array() {
        let rank: BackRank = "RNBQKBNR".parse().unwrap();
        assert!(rank.bishops_on_both_colours() && rank.king_between_rooks());
        assert!(rank.king_and_rooks_at_home() && !rank.mirrored().king_and_rooks_at_home());
        let other: BackRank = "BNBQRKRN".parse().unwrap();
        assert!(!other.bishops_on_both_colours() && other.king_between_rooks());
    }
}
