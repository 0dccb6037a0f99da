//! Start positions of Chess960 and its family: number ↔ arrays ↔ FEN ↔ position.
//!
//! * `variant`: the variants, what each is called and how it is played
//! * `back_rank`: eight pieces on a rank
//! * `numbering`: the documented order of arrays
//! * `setup`: number → arrays → FEN, and arrays → number
//! * `parse`: numbers, pairs, back ranks and ranges as people write them
//! * `dice`, `filter`, `mirror`: choosing and relating starts
//! * `placement`: Northam's placing, by both players alternately
//! * `render`: EPD and drawings
//!
//! **Invariant**: everything here but [`position`], [`number_of`] and
//! [`mirrored_position`] works on arrays and text and never asks the rules.

mod back_rank;
mod dice;
mod error;
mod filter;
mod mirror;
mod numbering;
mod parse;
mod placement;
mod render;
mod setup;
mod variant;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{FenDialect, Position};

pub use back_rank::{BackRank, BackRankError};
pub use dice::{DiceError, dice};
pub use error::StartError;
pub use filter::{Filter, sample, sample_of};
pub use mirror::{mirror, mirrored_position, partner};
pub use parse::{StartRange, back_rank_text, parse_number, white_and_black};
pub use placement::{Placement, PlacementError};
pub use render::{BoardStyle, board, epd};
pub use setup::Setup;
pub use variant::{STANDARD_NUMBER, Variant, VariantFenError};

/// The number of a start within its variant, from 0 (`standard` has 518 alone). In
/// Chess960 it is Scharnagl's number; `numbering` documents the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StartNumber(pub u32);

impl fmt::Display for StartNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Start `number` of the variant, with its castling rule.
pub fn position(variant: Variant, number: StartNumber) -> Result<Position, StartError> {
    let fen = Setup::new(variant, number)?.fen();
    let position = Position::from_fen_with(&fen, variant.castling_rule());
    Ok(position.expect("a start position is legal by construction"))
}

/// The number of `position` if it is, with its castling rights, side to move and
/// counters, a start of the variant.
pub fn number_of(variant: Variant, position: &Position) -> Option<StartNumber> {
    let fen = position.fen(FenDialect::Shredder);
    let rows: Vec<&str> = fen.split(' ').next()?.split('/').collect();
    let (black, white) = (rows.first()?.parse().ok()?, rows.last()?.parse().ok()?);
    let pawns_ahead = files_with_piece(rows.get(5)?);
    let setup = Setup {
        variant,
        white,
        black,
        pawns_ahead,
    };
    setup.number().ok().filter(|_| setup.fen() == fen)
}

/// Bit i: file i of this rank in FEN is not empty.
fn files_with_piece(row: &str) -> u8 {
    let mut file = 0;
    let mut files = 0_u8;
    for character in row.chars() {
        match character.to_digit(10) {
            Some(empty) => file += empty,
            None => {
                files |= 1 << file;
                file += 1;
            }
        }
    }
    files
}
