//! The arrays that a rank may become.

use std::sync::LazyLock;

use crate::chess::PieceKind;
use crate::chess::random::Random;
use crate::chess::start::{Setup, StartNumber, Variant};

/// How many of the arrays have bishops on squares of both colours: all.
pub(super) const ALL: usize = 2880;
/// Number of the arrays of Chess960, which come first.
pub(super) const LEGAL_960: usize = 960;

/// The pieces on a rank, from a to h.
pub(super) type ArrayOfPieces = [Option<PieceKind>; 8];

/// The 2,880 arrays with bishops on squares of both colours, by their numbers.
static ARRAYS: LazyLock<Vec<ArrayOfPieces>> = LazyLock::new(|| {
    let array = |number| Setup::new(Variant::Shuffle, StartNumber(number));
    let arrays = (0..ALL as u32).filter_map(|number| array(number).ok());
    arrays.map(|setup| setup.white.kinds().map(Some)).collect()
});

/// One of the arrays.
pub(super) fn array(number: u32) -> Option<&'static ArrayOfPieces> {
    ARRAYS.get(number as usize)
}

/// Every piece and file that can come next on a rank that must become one of the first `arrays` arrays.
pub(super) fn next_pieces(squares: &ArrayOfPieces, arrays: usize) -> Vec<(PieceKind, usize)> {
    let mut found: Vec<(PieceKind, usize)> = Vec::new();
    for array in ARRAYS
        .iter()
        .take(arrays)
        .filter(|array| fits(squares, array))
    {
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
    let fitting: Vec<u32> = (0..)
        .zip(ARRAYS.iter().take(arrays))
        .filter(|(_, array)| fits(squares, array))
        .map(|(number, _)| number)
        .collect();
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
