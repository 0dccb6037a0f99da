//! The command lines of other runners, translated: words to a checked event, facts to their lines
//! and files. Nothing is played, judged or counted here that the program does not do for itself.
//!
//! | file | what |
//! |---|---|
//! | `number` | numbers as the C++ programs write and read them |
//! | `choices` | choices of a command line, which `config.json` stores as numbers |
//! | `settings` | the settings of a command line of fastchess, in the form of its `config.json` |
//! | `defaults` | the defaults of a command line |
//! | `engine_keys` | the keys of `-engine` and `-each` |
//! | `grammar` | words to options and their values |
//! | `sanitize` | checks after all options were read |
//! | `saved` | `config.json` |
//! | `options` | every option of fastchess |
//! | `tables` | the tables of an event while they are being made |
//! | `event_engine` | an engine as a table of it |
//! | `event` | settings to an event |
//! | `place` | the folder of the store |
//! | `counts`, `rating` | games and pairs as the lines count them, and their numbers |
//! | `reason` | why a game ended, in their words |
//! | `limits` | the limits of an engine, as the head of a block prints them |
//! | `blocks` | the blocks of results |
//! | `table` | the block for more than two engines |
//! | `starts` | when the start of a game is printed |
//! | `output` | the standard output, and lines as a listener to facts |
//! | `scores` | the scores of a search, and the warnings about missing ones |
//! | `variations` | what is wrong with the lines of play that engines report |
//! | `log_file` | the file of `-log` |
//! | `complaints` | warnings about moves and scores while engines play |
//! | `console` | the lines of fastchess |
//! | `openings` | names of openings |
//! | `pgn` | games in the PGN of fastchess |
//! | `cutechess` | the command line of cutechess-cli, its lines and its PGN |
//! | `written`, `files` | in which runner's format games are written, and the files they are appended to |
//! | `text` | help and version |
//! | `prepared` | an event that can be played |
//! | `unstarted` | engines that do not start |
//! | `unreadable` | lines of a book from which no game can begin |
//! | `listeners` | the listeners of a run |
//! | `play` | from the words to the last line |
//! | `import` | the settings of other runners, as an event file |
//! | `stores` | the stores that earlier runs have left |
//! | `names` | the names under which the program is another runner's front |
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
mod tables;
mod text;
mod unreadable;
mod unstarted;
mod variations;
mod written;

pub(crate) use doctor::{FoundCommandLine, examine};
pub(crate) use import::import;
pub(crate) use names::{Front, NAMES};
pub(crate) use play::{cutechess_cli, fastchess};
pub(crate) use stores::{StoreState, clear, stores};
