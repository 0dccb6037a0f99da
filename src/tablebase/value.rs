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
    /// By the number that tables store for it, 0 for a loss to 4 for a win.
    pub(super) fn from_stored(value: u16) -> Option<Wdl> {
        Some(match value {
            0 => Wdl::Loss,
            1 => Wdl::BlessedLoss,
            2 => Wdl::Draw,
            3 => Wdl::CursedWin,
            4 => Wdl::Win,
            _ => return None,
        })
    }

    /// The distance of a position from whose best move, a capture or pawn move, this follows.
    pub(super) fn before_zeroing(self) -> Dtz {
        Dtz(match self {
            Wdl::Loss => -1,
            Wdl::BlessedLoss => -101,
            Wdl::Draw => 0,
            Wdl::CursedWin => 101,
            Wdl::Win => 1,
        })
    }
}

impl Neg for Wdl {
    type Output = Wdl;

    fn neg(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::BlessedLoss => Wdl::CursedWin,
            Wdl::Draw => Wdl::Draw,
            Wdl::CursedWin => Wdl::BlessedLoss,
            Wdl::Win => Wdl::Loss,
        }
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
