//! TOML to a checked [`Tournament`]: all errors at once, each with its line.
//!
//! | file | what |
//! |---|---|
//! | `tournament` | what comes out |
//! | `parse` | the event file as a whole |
//! | `event`, `positions`, `time`, `engine`, `adjudication`, `faults`, `sprt`, `adaptive` | its tables, one file each |
//! | `launch` | the program of an engine |
//! | `confinement` | what an engine is held to: processors, memory, files, network |
//! | `book` | the book of `positions.file` |
//! | `participants` | checks between engines, and between them and the format |
//! | `named_files` | files that make an engine what it is |
//! | `identity` | what must not change when an event is resumed, from its checked file |
//! | `match_file`, `match_engine` | the `match` command's options as an event file |
//! | `section`, `entry` | a view on a TOML table that reports what is wrong and goes on |
//! | `problem` | what is wrong, and how it is shown |
//! | `files`, `context` | access to files |

mod adaptive;
mod adjudication;
mod book;
mod confinement;
mod context;
mod engine;
mod entry;
mod event;
mod faults;
mod files;
mod identity;
mod launch;
mod match_engine;
mod match_file;
mod named_files;
mod parse;
mod participants;
mod positions;
mod problem;
mod section;
mod sprt;
mod time;
mod tournament;

pub use confinement::{Confinement, Sandbox};
pub(crate) use files::{Disk, find_command};
pub use files::{FileKind, Files};
pub(crate) use identity::sha256;
pub use match_engine::{MatchEngine, MatchTime};
pub use match_file::{MatchOptions, match_file};
pub(crate) use named_files::named_files;
pub use parse::{Overrides, load, parse};
pub use problem::{ConfigErrors, Warnings};
pub(crate) use tournament::{AdaptiveSettings, Boundary, EngineSpec, NamedFile, SprtSettings};
pub use tournament::{Launch, Tournament};
