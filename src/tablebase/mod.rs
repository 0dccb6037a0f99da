//! Endings that are solved: how a position ends if both sides play it best.
//!
//! [`Tablebase`] is what the referee, `verify` and `explain` ask; [`Syzygy`] reads the files of
//! R. de Man's tables from folders.
//!
//! | file | what |
//! |---|---|
//! | `value` | what tables say of a position |
//! | `syzygy` | the tables of R. de Man |

mod syzygy;
mod value;

pub use syzygy::{Syzygy, SyzygyError};
pub use value::{Dtz, SolvedOutcome, Wdl};

use std::fmt;

use crate::chess::{Color, Position};

/// Tables that know how an ending ends.
pub trait Tablebase: fmt::Debug + Send + Sync {
    /// What the side to move gets if both sides play best and no half-move counts yet towards the
    /// fifty moves. `None` where the tables do not know: too many men, castling rights, a table
    /// that is not there or is damaged.
    fn wdl(&self, position: &Position) -> Option<Wdl>;

    /// The distance to the next capture, pawn move or mate, if both sides play best. `None` for a
    /// draw, and where the tables do not know.
    fn dtz(&self, position: &Position) -> Option<Dtz>;

    /// The most men on the board that there is a table for.
    fn men(&self) -> u32;

    /// What could not be read so far: each damaged table once, in words.
    fn troubles(&self) -> Vec<String>;

    /// How the game ends if both sides play best from here. With `fifty_moves` a win must be
    /// reached before half a hundred moves without capture and pawn move are over, those that have
    /// been made included; without, any win is one. Repetition of positions
    /// does not matter. `None` where the tables do not say it for certain.
    ///
    /// Of a rounded distance it is certain up to 99 half-moves in all: tables that are stored in
    /// full moves may be one half-move short.
    fn verdict(&self, position: &Position, fifty_moves: bool) -> Option<SolvedOutcome> {
        let wdl = self.wdl(position)?;
        let won = |wdl: Wdl| SolvedOutcome::Won(winner(position, wdl));
        match wdl {
            Wdl::Draw => Some(SolvedOutcome::Drawn),
            _ if !fifty_moves => Some(won(wdl)),
            Wdl::CursedWin | Wdl::BlessedLoss => Some(SolvedOutcome::Drawn),
            Wdl::Win | Wdl::Loss if position.halfmove_clock() == 0 => Some(won(wdl)),
            Wdl::Win | Wdl::Loss => {
                let moves = position.halfmove_clock() + self.dtz(position)?.0.unsigned_abs();
                match moves {
                    ..100 => Some(won(wdl)),
                    100 => None,
                    _ => Some(SolvedOutcome::Drawn),
                }
            }
        }
    }
}

fn winner(position: &Position, wdl: Wdl) -> Color {
    match wdl > Wdl::Draw {
        true => position.side_to_move(),
        false => !position.side_to_move(),
    }
}
