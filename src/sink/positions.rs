//! White's pieces, as tables by start number name a position.

use crate::chess::start::{self, Variant};
use crate::chess::{FenDialect, StartNumber};

/// White's pieces on the first rank, or both sides' with a slash where they differ.
pub(crate) fn back_rank(variant: Variant, number: StartNumber) -> Option<String> {
    let fen = start::position(variant, number).ok()?.fen(FenDialect::XFen);
    let board = fen.split(' ').next()?;
    let black = board.split('/').next()?.to_ascii_uppercase();
    let white = board.split('/').next_back()?;
    Some(if white == black {
        white.to_owned()
    } else {
        format!("{white}/{black}")
    })
}
