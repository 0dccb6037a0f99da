//! The command line of fastchess, its lines and its files.
//!
//! | file | what |
//! |---|---|
//! | `grammar` | words to options and their values |
//! | `sanitize` | checks after all options were read |
//! | `saved` | `config.json` |
//! | `options` | every option of fastchess |
//! | `counts`, `rating` | games and pairs as the lines count them, and their numbers |
//! | `limits` | the limits of an engine, as the head of a block prints them |
//! | `blocks` | the blocks of results |
//! | `scores` | the scores of a search, and the warnings about missing ones |
//! | `variations` | what is wrong with the lines of play that engines report |
//! | `log_file` | the file of `-log` |
//! | `complaints` | warnings about moves and scores while engines play |
//! | `console` | the lines of fastchess |
//! | `pgn` | games in the PGN of fastchess |

pub(super) mod blocks;
pub(super) mod complaints;
pub(super) mod console;
pub(super) mod counts;
pub(super) mod grammar;
pub(super) mod limits;
pub(super) mod log_file;
pub(super) mod options;
pub(super) mod pgn;
pub(super) mod rating;
pub(super) mod sanitize;
pub(super) mod saved;
pub(super) mod scores;
pub(super) mod variations;
