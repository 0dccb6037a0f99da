//! What both fronts use.
//!
//! | file | what |
//! |---|---|
//! | `values` | numbers, values and ratings as both runners read, compute and print them |
//! | `counts` | games and pairs, as `config.json` has them |
//! | `settings` | the settings of a command line; those of fastchess have the names of its `config.json`, and its choices the numbers |
//! | `command_line` | words to options, what a command line asks for, help and version |
//! | `event_engine` | an engine as a table of it |
//! | `event` | settings to an event |
//! | `place` | the folder of the store |
//! | `reason` | why a game ended, in their words |
//! | `output` | the standard output, lines as a listener to facts, and when the start of a game is printed |
//! | `game_text` | what the files of games have in common, and names of openings |

pub(super) mod command_line;
pub(super) mod counts;
pub(super) mod event;
pub(super) mod event_engine;
pub(super) mod game_text;
pub(super) mod output;
pub(super) mod place;
pub(super) mod reason;
pub(super) mod settings;
pub(super) mod values;
