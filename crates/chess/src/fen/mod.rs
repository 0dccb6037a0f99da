//! FEN in its dialects (S. Edwards, PGN standard 16.1; X-FEN by R. Scharnagl; Shredder-FEN by
//! S. Meyer-Kahlen).
//!
//! * `read`: text to board, each field by itself
//! * `legality`: refuses boards that cannot arise in a game
//! * `error`: the names of everything that can be wrong
//! * `write`: position to text

mod error;
mod legality;
mod read;
mod write;

pub use error::FenError;
pub(crate) use read::read;
pub use write::FenDialect;
