//! Statistics, tables and games as text.
//!
//! | file | what |
//! |---|---|
//! | `adjudication` | what rules of adjudication would have done |
//! | `course` | what is not the same in all games of an event: stages, rounds, playoffs |
//! | `explain` | why a game was lost |
//! | `event_file` | the language of event files, for people and for editors |
//! | `export` | an event's games as CSV and JSON lines |
//! | `parquet` | an event as Parquet files (feature `parquet`) |
//! | `statistics` | statistics as text and CSV |
//! | `comparison` | comparison of events |
//! | `trf` | FIDE's tournament report file |
//! | `variations` | principal variations that do not hold |
//! | `verdict` | the first lines of every surface: the claims that the games allow |
//! | `tables` | standings as text; crosstables by rounds, and of all against all; the table below the first lines; a tree of encounters, tie-breaks in words |

pub(crate) mod adjudication;
pub(crate) mod comparison;
pub(crate) mod course;
pub(crate) mod event_file;
pub(crate) mod explain;
pub(crate) mod export;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
pub(crate) mod statistics;
pub mod tables;
pub(crate) mod trf;
pub(crate) mod variations;
pub(crate) mod verdict;

pub(crate) use tables::tie_break_lines;
