//! TOML to a checked [`Tournament`]: all errors at once, each with its line.
//!
//! | file | what |
//! |---|---|
//! | `tournament` | what comes out |
//! | `parse` | the event file as a whole; that of an event that has begun, maybe on a machine without its engines; what engines refuse when they are started, at its place |
//! | `playoffs` | what is played while an encounter of a tree is level |
//! | `plan` | the settings that decide the games, which depend on each other; values for keys that the file lacks, from the command line or an event that has begun |
//! | `event`, `positions`, `time`, `engine`, `adjudication`, `faults`, `rounds` | its tables, with the rows of their keys |
//! | `stopping` | `[sprt]` and `[adaptive]` |
//! | `entrants` | who takes part in a stage |
//! | `season` | `[[stage]]`: leagues, Swisses and trees one after the other |
//! | `stages` | who takes part by former events, when rounds begin, what orders engines with equal points |
//! | `launch` | the program of an engine, and its limits |
//! | `rehearsal` | the rehearsal of an event |
//! | `participants` | checks between engines, and between them and the format |
//! | `identity` | what must not change when an event is resumed: its checked file, and the files of its engines |
//! | `command_line`, `option_words` | the options of `match`, `doctor` and `adjudicate` as tables of an event file |
//! | `keys` | what a row of a key is; the rows of `[[engine]]` and `[positions]` |
//! | `tables` | the tables of an event, each value with its place |
//! | `section` | a view on a table that reports errors and continues |
//! | `value` | a key's value and its place; how each type is read |
//! | `cures` | what to write instead, for the most frequent mistakes |
//! | `problem` | what is wrong, and how it is shown |
//! | `files` | access to files |

mod adjudication;
mod command_line;
mod cures;
mod engine;
mod entrants;
mod event;
mod faults;
mod files;
mod identity;
pub(crate) mod keys;
mod launch;
mod option_words;
mod parse;
mod participants;
mod plan;
mod playoffs;
mod positions;
mod problem;
mod rehearsal;
mod rounds;
mod season;
mod section;
mod stages;
mod stopping;
mod tables;
mod time;
mod tournament;
mod value;

pub use crate::platform::orders::{Confinement, Sandbox};
pub(crate) use adjudication::Preset;
pub(crate) use command_line::{MadeEvent, lone_engine, match_keys, parse_rule, rule_of_words};
pub use command_line::{MatchOptions, match_event};
#[cfg(feature = "nats")]
pub(crate) use files::plain_path;
pub use files::{FileKind, Files};
pub(crate) use files::{RealFiles, find_command};
pub(crate) use identity::{hex, named_files, sha256};
pub(crate) use keys::range as key_range;
pub(crate) use option_words::split_arguments;
pub(crate) use parse::parse_as_recorded;
pub use parse::{load, parse, parse_match};
pub use plan::Overrides;
pub(crate) use plan::RefusedByEngine;
pub use problem::{ConfigErrors, Warnings};
pub(crate) use rehearsal::rehearsal_name;
pub(crate) use rounds::MAX_ENCOUNTER_PAIRS;
pub(crate) use tables::EventTable;
pub(crate) use tournament::{AdaptiveSettings, AtDecision, EngineSpec, NamedFile};
pub use tournament::{Launch, Tournament};
pub(crate) use value::WordValue;
