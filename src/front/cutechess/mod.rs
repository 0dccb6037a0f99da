//! The command line of cutechess-cli, between two engines.
//!
//! | file | what |
//! |---|---|
//! | `words` | words to options, and what each takes |
//! | `engines` | `-engine`, `-each` and `engines.json` |
//! | `options` | every option, as settings |
//! | `lines` | its lines, as a listener to facts |

mod engines;
mod lines;
mod options;
mod words;

pub(super) use engines::entry;
pub(super) use lines::Score;
pub(super) use options::{Asked, read};
