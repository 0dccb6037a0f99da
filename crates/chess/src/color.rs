//! The two sides, as a value and as a type.

use std::fmt;
use std::ops::Not;

use serde::{Deserialize, Serialize};

use super::Bitboard;

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Color {
    /// The side that moves first in a start position.
    White,
    /// The other side.
    Black,
}

impl Color {
    /// Both colours, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// 0 for White, 1 for Black.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Of what White and Black have, this side's and the other's.
    pub fn own_and_other<T>(self, both: &mut [T; 2]) -> [&mut T; 2] {
        let [white, black] = both;
        match self {
            Color::White => [white, black],
            Color::Black => [black, white],
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline(always)]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Color::White => "white",
            Color::Black => "black",
        })
    }
}

/// A colour known at compile time: move generation is compiled once for each
/// side, so that pawn directions and ranks are constants.
pub(crate) trait Side {
    /// The other side.
    type Other: Side<Other = Self>;
    /// This side as a value.
    const COLOR: Color;
    /// Its first rank.
    const BACK_RANK: Bitboard;
    /// The rank its pawns reach by a single step from their home (the 3rd, for Black the 6th).
    const THIRD_RANK: Bitboard;
    /// The rank on which its pawns promote.
    const LAST_RANK: Bitboard;
    /// How far a pawn's step moves it in square numbers.
    const FORWARD: i8;

    /// Every square of the set one step forward.
    fn forward(set: Bitboard) -> Bitboard;
}

/// White as a type.
pub(crate) struct White;

/// Black as a type.
pub(crate) struct Black;

impl Side for White {
    type Other = Black;
    const COLOR: Color = Color::White;
    const BACK_RANK: Bitboard = Bitboard(0xFF);
    const THIRD_RANK: Bitboard = Bitboard(0xFF << 16);
    const LAST_RANK: Bitboard = Bitboard(0xFF << 56);
    const FORWARD: i8 = 8;

    #[inline(always)]
    fn forward(set: Bitboard) -> Bitboard {
        Bitboard(set.0 << 8)
    }
}

impl Side for Black {
    type Other = White;
    const COLOR: Color = Color::Black;
    const BACK_RANK: Bitboard = Bitboard(0xFF << 56);
    const THIRD_RANK: Bitboard = Bitboard(0xFF << 40);
    const LAST_RANK: Bitboard = Bitboard(0xFF);
    const FORWARD: i8 = -8;

    #[inline(always)]
    fn forward(set: Bitboard) -> Bitboard {
        Bitboard(set.0 >> 8)
    }
}
