//! The command lines of other runners, translated: words to a checked event, facts to their lines
//! and files. Nothing is played, judged or counted here that the program does not do for itself.
//!
//! | file | what |
//! |---|---|
//! | `number` | numbers as the C++ programs write and read them |
//! | `choices` | choices of a command line, which `config.json` has as numbers |
//! | `settings` | what a command line of fastchess amounts to, in the shape of its `config.json` |
//! | `defaults` | what holds where a command line is silent |
//! | `engine_keys` | the keys of `-engine` and `-each` |
//! | `grammar` | words to options and their values |
//! | `sanitize` | what is checked once all options were read |
//! | `saved` | `config.json` |
//! | `options` | every option of fastchess |
//! | `event_text` | an event file while it is written |
//! | `event_engine` | an engine as a table of it |
//! | `event` | settings to an event file |
//! | `place` | where the store lies |
//! | `counts`, `rating` | games and pairs as the lines count them, and their numbers |
//! | `reason` | why a game ended, in their words |
//! | `limits` | what limits an engine, as the head of a block has it |
//! | `blocks` | the blocks of results |
//! | `table` | the block where more than two engines play |
//! | `starts` | when it is said that a game begins |
//! | `output` | the standard output, and lines as a listener to facts |
//! | `scores` | the scores of a search, and what is said where there is none |
//! | `variations` | what is wrong with the lines of play that engines report |
//! | `log_file` | the file of `-log` |
//! | `complaints` | what is said of moves and scores while engines play |
//! | `console` | the lines of fastchess |
//! | `openings` | names of openings |
//! | `pgn` | games in the PGN of fastchess |
//! | `cutechess` | the command line of cutechess-cli, its lines and its PGN |
//! | `written`, `files` | in whose way games are written, and the files they are added to |
//! | `text` | help and version |
//! | `prepared` | an event that can be played |
//! | `listeners` | who hears of its games |
//! | `play` | from the words to the last line |
//! | `import` | what other runners were told, as an event file |
//! | `stores` | the stores that were left |
//! | `names` | under which names the program is another's front |
//! | `doctor` | the command lines in a script |

mod blocks;
mod choices;
mod complaints;
mod console;
mod counts;
mod cutechess;
mod defaults;
mod doctor;
mod engine_keys;
mod event;
mod event_engine;
mod event_text;
mod files;
mod grammar;
mod import;
mod limits;
mod listeners;
mod log_file;
mod names;
mod number;
mod openings;
mod options;
mod output;
mod pgn;
mod place;
mod play;
mod prepared;
mod rating;
mod reason;
mod sanitize;
mod saved;
mod scores;
mod settings;
mod starts;
mod stores;
mod table;
mod text;
mod variations;
mod written;

pub(crate) use doctor::{Found, examine};
pub(crate) use import::import;
pub(crate) use names::{Front, NAMES};
pub(crate) use play::{cutechess_cli, fastchess};
pub(crate) use stores::{StoreState, clear, stores};
