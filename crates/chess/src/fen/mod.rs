//! FEN in its dialects (S. Edwards, PGN standard 16.1; X-FEN by R. Scharnagl; Shredder-FEN by
//! S. Meyer-Kahlen; `M` and `m` of Moab chess are this program's own).
//!
//! * `read`: text to board, each field by itself
//! * `legality`: refuses boards that cannot arise in a game
//! * `error`: the names of everything that can be wrong
//! * `write`: position to text

mod error;
mod legality;
mod read;
mod write;

use super::Position;

pub use error::FenError;
pub(crate) use read::read;
pub use write::FenDialect;

impl Position {
    /// Reads a FEN of a composed position: it may have pieces that no pawn can have become, for instance nine bishops
    /// and seven pawns; at most ten queens and pawns together and three rooks. Such positions are for analysis, not for
    /// games.
    ///
    /// ```
    /// use arbiter960_chess::{Color, Position};
    /// let composed = "2k5/8/8/8/8/2PPPPPP/2PPBBBB/4K3 w - - 0 1";
    /// assert!(Position::from_fen(composed).is_err());
    /// assert!(!Position::from_composed_fen(composed)?.cannot_win(Color::White));
    /// # Ok::<(), arbiter960_chess::FenError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Position::from_fen`], but for these pieces.
    pub fn from_composed_fen(text: &str) -> Result<Position, FenError> {
        read::read_composed(text)
    }
}
