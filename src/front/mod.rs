//! The command lines of other runners, translated: words to a checked event, facts to their lines
//! and files. Nothing is played, judged or counted here that the program does not do for itself.
//!
//! | file | what |
//! |---|---|
//! | `common` | what both fronts use: the settings of a command line, their event, the begin of a game |
//! | `fastchess` | the command line of fastchess, its lines, its files |
//! | `cutechess` | the command line of cutechess-cli, its lines and its PGN |
//! | `files` | the files that games are appended to |
//! | `prepared` | an event that can be played, and games that cannot begin |
//! | `listeners` | the listeners of a run |
//! | `play` | from the words to the last line |

mod common;
mod cutechess;
mod fastchess;
mod files;
mod listeners;
mod play;
mod prepared;

pub(crate) use play::{PRINT_CONFIG, play};

use std::path::Path;

use common::command_line::Asked;
use fastchess::options;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Front {
    /// The front of fastchess.
    Fastchess,
    /// The front of cutechess-cli.
    Cutechess,
}

/// The names by which callers start the other runners.
pub(crate) const NAMES: [(&str, Front); 5] = [
    ("fastchess", Front::Fastchess),
    ("fastchess-ob", Front::Fastchess),
    ("fast-chess", Front::Fastchess),
    ("cutechess-cli", Front::Cutechess),
    ("cutechess-ob", Front::Cutechess),
];

impl Front {
    /// Reads the words after the program's name.
    ///
    /// # Errors
    /// The text that the other runner prints.
    fn read(self, words: &[String], seed: u64) -> Result<Asked, String> {
        match self {
            Front::Fastchess => options::read(words, seed),
            Front::Cutechess => cutechess::read(words, seed),
        }
    }

    /// The front for a program's name, `argv[0]`: the name begins like the name of another runner, as in
    /// `fastchess-1.8.0`, `FastChess.exe` and `cutechess-cli_old`.
    pub(crate) fn of_program(program: &str) -> Option<Front> {
        let name = Path::new(program).file_name()?.to_str()?;
        let name = name.rsplit('\\').next()?.to_ascii_lowercase();
        let known = NAMES.iter().find(|(known, _)| name.starts_with(known));
        known.map(|(_, front)| *front)
    }

    /// The front that can read these words, if they are another runner's: options with one dash, and engines.
    pub(crate) fn of_words(words: &[String]) -> Option<Front> {
        let is_option = |word: &String| word.len() > 2 && word.starts_with('-');
        if !words.first().is_some_and(is_option) || !words.iter().any(|word| word == "-engine") {
            return None;
        }
        let reads = |front: &Front| front.read(words, 0).is_ok();
        let found = [Front::Fastchess, Front::Cutechess].into_iter().find(reads);
        Some(found.unwrap_or(Front::Fastchess))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_program_decides() {
        assert_eq!(Front::of_program("./fastchess-ob"), Some(Front::Fastchess));
        assert_eq!(
            Front::of_program("/usr/bin/fastchess"),
            Some(Front::Fastchess)
        );
        for name in [
            "fastchess.exe",
            "FastChess-1.8.0",
            "C:\\bin\\fast-chess",
            "fastchess-linux-x86-64",
        ] {
            assert_eq!(Front::of_program(name), Some(Front::Fastchess), "{name}");
        }
        assert_eq!(
            Front::of_program("./cutechess-cli_LC0"),
            Some(Front::Cutechess)
        );
        assert_eq!(Front::of_program("arbiter960"), None);
    }

    #[test]
    fn the_words_decide_where_the_name_does_not() {
        let found = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            Front::of_words(&words)
        };
        assert_eq!(
            found("-recover -engine cmd=a -engine cmd=b"),
            Some(Front::Fastchess)
        );
        assert_eq!(
            found("-engine cmd=a arg=b proto=uci tc=1 -engine cmd=b proto=uci tc=1"),
            Some(Front::Cutechess)
        );
        assert_eq!(found("-engine cmd=a foo=1"), Some(Front::Fastchess));
        for own in [
            "run -engine",
            "match --engine a",
            "-h",
            "-V",
            "--engine -engine=x",
        ] {
            assert_eq!(found(own), None, "{own}");
        }
    }
}
