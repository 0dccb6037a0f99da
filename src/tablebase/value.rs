//! What tables say of a position.

use std::fmt;
use std::ops::Neg;

use crate::chess::Color;

/// What the side to move gets with best play, if no half-move counts yet towards the fifty moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// It is lost.
    Loss = -2,
    /// It is lost, but the fifty moves are over before.
    BlessedLoss = -1,
    /// Neither side can force anything.
    Draw = 0,
    /// It is won, but the fifty moves are over before.
    CursedWin = 1,
    /// It is won.
    Win = 2,
}

impl Wdl {
    const ALL: [Wdl; 5] = [
        Wdl::Loss,
        Wdl::BlessedLoss,
        Wdl::Draw,
        Wdl::CursedWin,
        Wdl::Win,
    ];

    /// By the number that tables store for it, 0 for a loss to 4 for a win.
    pub(super) fn from_stored(value: u16) -> Option<Wdl> {
        Wdl::ALL.get(usize::from(value)).copied()
    }

    fn stored(self) -> usize {
        (self as i8 + 2) as usize
    }

    /// The distance of a position from whose best move, a capture or pawn move, this follows.
    pub(super) fn before_zeroing(self) -> Dtz {
        Dtz([-1, -101, 0, 101, 1][self.stored()])
    }
}

impl Neg for Wdl {
    type Output = Wdl;

    fn neg(self) -> Wdl {
        Wdl::ALL[4 - self.stored()]
    }
}

/// Half-moves to the next capture, pawn move or mate with best play: positive for the side that
/// wins, negative for the one that loses; above 100 if the fifty moves are over before. Tables
/// that are stored in full moves give a distance that may be one short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dtz(pub i32);

/// How a game ends with best play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SolvedOutcome {
    /// This side wins.
    Won(Color),
    /// Nobody does.
    Drawn,
}

impl fmt::Display for SolvedOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolvedOutcome::Won(color) => write!(f, "a win for {color}"),
            SolvedOutcome::Drawn => f.write_str("a draw"),
        }
    }
}
