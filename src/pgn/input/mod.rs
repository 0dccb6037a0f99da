//! Where games and books come from: files as they are or compressed, and the line ends of
//! every system.
//!
//! | file | what |
//! |---|---|
//! | `compression` | [`open`], [`decompressed`]: gzip, Zstandard and bzip2 read as streams |
//! | `line_ends` | [`LineEnds`]: a carriage return alone ends a line too |

mod compression;
mod line_ends;

pub use compression::{decompressed, open};
pub use line_ends::LineEnds;
