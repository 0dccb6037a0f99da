//! TOML to a checked [`Tournament`]: all errors at once, each with its line.
//!
//! | file | what |
//! |---|---|
//! | `tournament` | what comes out |
//! | `parse` | the event file as a whole |
//! | `plan` | the settings that decide the games, which depend on each other |
//! | `absent_engines` | an event that has been played before, where its engines need not be installed |
//! | `recorded` | values for keys that the file lacks: the command line, and an event that has begun |
//! | `event`, `positions`, `time`, `engine`, `adjudication`, `faults`, `sprt`, `adaptive` | its tables, one file each |
//! | `tablebases` | folders with tablebases, and what is asked of them |
//! | `rounds` | formats in which results decide who meets whom |
//! | `series` | how many games two engines play before the next two meet |
//! | `standings` | what orders engines with equal points |
//! | `round_times` | when rounds begin |
//! | `stages` | who takes part by the standings of former events |
//! | `launch` | the program of an engine |
//! | `confinement` | the limits of an engine: processors, memory, files, network |
//! | `book` | the book of `positions.file` |
//! | `polyglot_book` | lines of a Polyglot book |
//! | `rehearsal` | the rehearsal of an event |
//! | `participants` | checks between engines, and between them and the format |
//! | `named_files` | files that make an engine what it is |
//! | `identity` | what must not change when an event is resumed, from its checked file |
//! | `made` | an event that was made of options: its tables, and the places of their values |
//! | `match_words`, `match_options` | the `match` command's options as the tables of an event file |
//! | `rule_words` | the `adjudicate` command's rules as the table `[adjudication]` |
//! | `keys` | every key with its type, unit, default, meaning and an example |
//! | `section`, `entry` | a view on a TOML table that reports errors and continues |
//! | `value` | a key's value and its place; how each type is read |
//! | `cures` | what to write instead, for the most frequent mistakes |
//! | `problem` | what is wrong, and how it is shown |
//! | `files`, `context` | access to files |

mod absent_engines;
mod adaptive;
mod adjudication;
mod book;
mod confinement;
mod context;
mod cures;
mod engine;
mod entry;
mod event;
mod faults;
mod files;
mod identity;
pub(crate) mod keys;
mod launch;
mod made;
mod match_options;
mod match_words;
mod named_files;
mod parse;
mod participants;
mod plan;
mod polyglot_book;
mod positions;
mod problem;
mod recorded;
mod rehearsal;
mod round_times;
mod rounds;
mod rule_words;
mod section;
mod series;
mod sprt;
mod stages;
mod standings;
mod tablebases;
mod time;
mod tournament;
mod value;

pub(crate) use absent_engines::parse_as_recorded;
pub use files::{FileKind, Files};
pub(crate) use files::{RealFiles, find_command, plain_path};
pub(crate) use identity::{hex, sha256};
pub(crate) use made::{Made, MadeTable};
pub use match_options::{KeyOption, MatchOptions, match_event};
pub(crate) use match_options::{MatchEvent, lone_engine};
pub(crate) use named_files::named_files;
pub use parse::{load, parse, parse_match};
pub use problem::{ConfigErrors, Warnings};
pub use recorded::Overrides;
pub(crate) use recorded::Recorded;
pub(crate) use rehearsal::rehearsal_name;
pub(crate) use rule_words::RuleWords;
pub(crate) use tournament::{AdaptiveSettings, AtDecision, EngineSpec, NamedFile, SprtSettings};
pub use tournament::{Confinement, Launch, Sandbox, Tournament};
