//! The comparison of events, for people and for programs.
//!
//! | file | what |
//! |---|---|
//! | `text` | tables and sentences, 100 columns wide |
//! | `csv` | a row for each start of each map |

mod csv;
mod text;

pub(crate) use csv::csv;
pub(crate) use text::text;
