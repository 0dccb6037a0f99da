//! The sources of games and books: plain or compressed files, and the line ends of
//! every system.
//!
//! | file | what |
//! |---|---|
//! | `compression` | [`open`], [`decompressed`]: gzip, Zstandard and bzip2 read as streams |
//! | `line_ends` | [`LineEnds`]: a single carriage return also ends a line |

mod compression;
mod line_ends;

pub use compression::{decompressed, open};
pub use line_ends::LineEnds;
