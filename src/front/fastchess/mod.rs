//! The command line of fastchess, its lines and its files.
//!
//! | file | what |
//! |---|---|
//! | `own_words` | the words of an option or a key, and how they are taken in; the options that read their words themselves |
//! | `rows` | every option and every key: its name, its words, what it sets |
//! | `options` | the command line as a whole, and checks after all options were read |
//! | `saved` | `config.json` |
//! | `blocks` | the blocks of results |
//! | `warnings` | the scores of a search; warnings about scores, variations and moves while engines play |
//! | `log_file` | the file of `-log` |
//! | `console` | the lines of fastchess |
//! | `pgn` | games in the PGN of fastchess |

pub(super) mod blocks;
pub(super) mod console;
pub(super) mod log_file;
pub(super) mod options;
mod own_words;
pub(super) mod pgn;
mod rows;
pub(super) mod saved;
pub(super) mod warnings;
