//! The dialogues in which an engine is examined. Verdicts are found in `audit::check`.
//!
//! Every check has processes of its own, so that it can be repeated alone and none is spoilt
//! by another; they are killed with their groups when it is over, whatever they do. Every
//! wait has an end.
//!
//! | file | what |
//! |---|---|
//! | `examination` | all checks of an engine, one after the other |
//! | `table` | which dialogue belongs to which check |
//! | `bench` | what the checks of one engine share |
//! | `subject` | one process under examination |
//! | `trouble` | why a check is not passed |
//! | `introductions`, `options`, `readiness` | before the first search |
//! | `limits`, `stopping` | how searches end |
//! | `reports` | what it says while it thinks |
//! | `rules`, `castling` | what it plays |
//! | `ending` | how it goes |

mod bench;
mod castling;
mod ending;
mod examination;
mod introductions;
mod limits;
mod options;
mod readiness;
mod reports;
mod rules;
mod stopping;
mod subject;
mod table;
mod trouble;

pub use bench::Candidate;
pub use examination::{Examination, examine};
