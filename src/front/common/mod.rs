//! What both fronts use.
//!
//! | file | what |
//! |---|---|
//! | `values` | numbers and values as both runners read, compute and print them |
//! | `choices` | choices of a command line, which `config.json` stores as numbers |
//! | `counts` | games and pairs, as `config.json` has them |
//! | `settings` | the settings of a command line; those of fastchess have the names of its `config.json` |
//! | `command_line` | words to options, and what a command line asks for |
//! | `event_engine` | an engine as a table of it |
//! | `event` | settings to an event |
//! | `place` | the folder of the store |
//! | `rating` | numbers about the results of an engine |
//! | `reason` | why a game ended, in their words |
//! | `starts` | when the start of a game is printed |
//! | `output` | the standard output, and lines as a listener to facts |
//! | `openings` | names of openings |
//! | `text` | help and version |
//! | `game_text` | what the files of games have in common |

mod choices;
pub(super) mod command_line;
pub(super) mod counts;
pub(super) mod event;
pub(super) mod event_engine;
pub(super) mod game_text;
pub(super) mod openings;
pub(super) mod output;
pub(super) mod place;
pub(super) mod rating;
pub(super) mod reason;
pub(super) mod settings;
pub(super) mod starts;
pub(super) mod text;
pub(super) mod values;
