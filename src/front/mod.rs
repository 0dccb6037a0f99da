//! The command lines of other runners, translated: words to a checked event, facts to their lines
//! and files. Nothing is played, judged or counted here that the program does not do for itself.
//!
//! | file | what |
//! |---|---|
//! | `number` | numbers as the C++ programs write and read them |
//! | `settings` | what a command line of fastchess amounts to, in the shape of its `config.json` |
//! | `engine_keys` | the keys of `-engine` and `-each` |
//! | `grammar` | words to options and their values |
//! | `sanitize` | what is checked once all options were read |
//! | `saved` | `config.json` |
//! | `options` | every option of fastchess |
//! | `event` | settings to an event file |
//! | `place` | where the store lies |
//! | `counts`, `rating` | games and pairs as the lines count them, and their numbers |
//! | `reason` | why a game ended, in their words |
//! | `blocks` | the blocks of results |
//! | `console` | the lines, as a listener to facts |
//! | `starts` | when it is said that a game begins |
//! | `pgn`, `files` | games in their PGN, and the files they are added to |
//! | `text` | help and version |
//! | `play` | from the words to the last line |
//! | `cutechess` | the command line of cutechess-cli |
//! | `import` | what other runners were told, as an event file |
//! | `names` | under which names the program is another's front |

mod blocks;
mod console;
mod counts;
mod cutechess;
mod engine_keys;
mod event;
mod files;
mod grammar;
mod import;
mod names;
mod number;
mod options;
mod pgn;
mod place;
mod play;
mod rating;
mod reason;
mod sanitize;
mod saved;
mod settings;
mod starts;
mod text;

pub(crate) use import::import;
pub(crate) use names::{Front, NAMES};
pub(crate) use play::{cutechess_cli, fastchess};
