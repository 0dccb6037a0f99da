//! Two ranks that become independent arrays: Pre-Chess and the set-up of Moab chess.

use std::sync::LazyLock;

use super::PlacingTurn;
use crate::chess::random::Random;
use crate::chess::start::{Setup, StartNumber, Variant};
use crate::chess::{Color, FenDialect, PieceKind, Position, start};
use crate::schedule::openings::Opening;

/// The pieces of both arrays.
const PIECES: u32 = 16;

/// Ranks that are being filled.
#[derive(Debug, Clone)]
pub(crate) struct Ranks {
    /// The pieces placed so far: White's rank, then Black's.
    ranks: [ArrayOfPieces; 2],
    /// The player to place.
    turn: Color,
    /// What is made: shuffle chess, double Fischer random, or Moab chess, where both players place on both
    /// ranks.
    variant: Variant,
}

impl Ranks {
    /// The empty ranks of a variant; White begins.
    pub(super) fn new(variant: Variant) -> Ranks {
        Ranks {
            ranks: [[None; 8]; 2],
            turn: Color::White,
            variant,
        }
    }

    pub(super) fn turn(&self) -> Option<Color> {
        (self.placed() < PIECES).then_some(self.turn)
    }

    pub(super) fn turns_left(&self) -> u32 {
        (PIECES - self.placed()).div_ceil(2)
    }

    pub(super) fn choices(&self) -> Vec<PlacingTurn> {
        let on = |color: Color| next_pieces(&self.ranks[color.index()], self.arrays()).into_iter();
        if self.variant != Variant::Moab {
            let place = |(kind, file)| PlacingTurn::Place(kind, file);
            return on(self.turn).map(place).collect();
        }
        let both = Color::ALL.into_iter().flat_map(|color| {
            on(color).map(move |(kind, file)| PlacingTurn::PlaceOn(color, kind, file))
        });
        both.collect()
    }

    pub(super) fn make(&mut self, choice: PlacingTurn) {
        let (color, kind, file) = match choice {
            PlacingTurn::Place(kind, file) => (self.turn, kind, file),
            PlacingTurn::PlaceOn(color, kind, file) => (color, kind, file),
            // No choice here.
            PlacingTurn::Move(..) => return,
        };
        self.ranks[color.index()][file] = Some(kind);
        self.turn = !self.turn;
    }

    pub(super) fn completed(&self, random: &mut Random) -> Option<Opening> {
        let arrays = self.arrays();
        let [white, black] = &self.ranks;
        let [white, black] = [drawn(white, arrays, random)?, drawn(black, arrays, random)?];
        match self.variant {
            Variant::Shuffle => independent(white, black),
            variant => {
                let number = StartNumber(white * arrays as u32 + black);
                Opening::numbered(variant, number).ok()
            }
        }
    }

    fn placed(&self) -> u32 {
        self.ranks.iter().map(count).sum()
    }

    /// Which arrays a rank may become.
    fn arrays(&self) -> usize {
        match self.variant {
            Variant::Dfrc => LEGAL_960,
            _ => ALL_ARRAYS,
        }
    }
}

/// A start with these two arrays, where castling is orthodox and from the orthodox squares alone.
fn independent(white: u32, black: u32) -> Option<Opening> {
    let numbers = StartNumber(white * ALL_ARRAYS as u32 + black);
    let bare = start::position(Variant::Transcendental, numbers).ok()?;
    let fen = bare.fen(FenDialect::XFen);
    let mut rights = String::new();
    for (side, letters) in [(white, "KQ"), (black, "kq")] {
        let array = ARRAYS.get(side as usize)?;
        let at = |file: usize, kind| array[file] == Some(kind);
        for (letter, file) in letters.chars().zip([7, 0]) {
            if at(4, PieceKind::King) && at(file, PieceKind::Rook) {
                rights.push(letter);
            }
        }
    }
    let rights = if rights.is_empty() { "-" } else { &rights };
    let fen = fen.replacen(" w - ", &format!(" w {rights} "), 1);
    let position = Position::from_fen_with(&fen, Variant::Shuffle.castling_rule()).ok()?;
    Opening::new(Variant::Shuffle, position, Vec::new()).ok()
}

/// How many of the arrays have bishops on squares of both colours: all.
pub(super) const ALL_ARRAYS: usize = 2880;
/// Number of the arrays of Chess960, which come first.
pub(super) const LEGAL_960: usize = 960;

/// The pieces on a rank, from a to h.
pub(super) type ArrayOfPieces = [Option<PieceKind>; 8];

/// The 2,880 arrays with bishops on squares of both colours, by their numbers.
static ARRAYS: LazyLock<Vec<ArrayOfPieces>> = LazyLock::new(|| {
    let array = |number| Setup::new(Variant::Shuffle, StartNumber(number));
    let arrays = (0..ALL_ARRAYS as u32).filter_map(|number| array(number).ok());
    arrays.map(|setup| setup.white.kinds().map(Some)).collect()
});

/// Every piece and file that can come next on a rank that must become one of the first `arrays` arrays.
pub(super) fn next_pieces(squares: &ArrayOfPieces, arrays: usize) -> Vec<(PieceKind, usize)> {
    let mut found: Vec<(PieceKind, usize)> = Vec::new();
    let arrays = ARRAYS.iter().take(arrays);
    for array in arrays.filter(|array| fits(squares, array)) {
        let files = squares.iter().zip(array).enumerate();
        let new = files.filter(|(_, (square, _))| square.is_none());
        for (file, (_, kind)) in new {
            let piece = kind.map(|kind| (kind, file));
            found.extend(piece.filter(|piece| !found.contains(piece)));
        }
    }
    found
}

/// The number of an array with these pieces on these squares, drawn from the first `arrays` arrays.
pub(super) fn drawn(squares: &ArrayOfPieces, arrays: usize, random: &mut Random) -> Option<u32> {
    let arrays = (0..).zip(ARRAYS.iter().take(arrays));
    let fitting = arrays.filter(|(_, array)| fits(squares, array));
    let fitting: Vec<u32> = fitting.map(|(number, _)| number).collect();
    let place = random.below(fitting.len().max(1) as u64);
    fitting.get(place as usize).copied()
}

/// The number of pieces on a rank.
pub(super) fn count(squares: &ArrayOfPieces) -> u32 {
    squares.iter().flatten().count() as u32
}

fn fits(squares: &ArrayOfPieces, array: &ArrayOfPieces) -> bool {
    let mut pairs = squares.iter().zip(array);
    pairs.all(|(square, kind)| square.is_none() || square == kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castling_of_pre_chess_needs_king_and_rook_at_home() {
        let opening = independent(518, 0).unwrap();
        let fen = opening.start.fen(FenDialect::XFen);
        assert_eq!(
            fen,
            "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"
        );
        assert_eq!(opening.number, None);
    }
}
