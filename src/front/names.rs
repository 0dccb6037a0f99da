//! The names under which the program is another runner's front.

use std::path::Path;

use super::common::command_line::Asked;
use super::cutechess;
use super::fastchess::options;

/// A front.
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
    /// The other runner.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Front::Fastchess => "fastchess",
            Front::Cutechess => "cutechess-cli",
        }
    }

    /// Reads the words after the program's name; `say` prints a line at once.
    ///
    /// # Errors
    /// The text that the other runner prints.
    pub(super) fn read(
        self,
        words: &[String],
        seed: u64,
        say: &mut dyn FnMut(&str),
    ) -> Result<Asked, String> {
        match self {
            Front::Fastchess => options::read(words, seed, say),
            Front::Cutechess => cutechess::read(words, seed, say),
        }
    }

    /// The front for a program's name, `argv[0]`: the name begins like the name of another runner, as in
    /// `fastchess-1.8.0`, `FastChess.exe` and `cutechess-cli_old`.
    pub(crate) fn of(program: &str) -> Option<Front> {
        let name = Path::new(program).file_name()?.to_str()?;
        let name = name.rsplit('\\').next()?.to_ascii_lowercase();
        let known = NAMES.iter().find(|(known, _)| name.starts_with(known));
        known.map(|(_, front)| *front)
    }

    /// The front that can read these words, if they are another runner's: options with one dash, and engines.
    pub(crate) fn of_words(words: &[String]) -> Option<Front> {
        let is_option = |word: &String| word.len() > 2 && word.starts_with('-');
        let is_other =
            words.first().is_some_and(is_option) && words.iter().any(|word| word == "-engine");
        let reads = |front: Front| front.read(words, 0, &mut |_| ()).is_ok();
        is_other.then(
            || match !reads(Front::Fastchess) && reads(Front::Cutechess) {
                true => Front::Cutechess,
                false => Front::Fastchess,
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_program_decides() {
        assert_eq!(Front::of("./fastchess-ob"), Some(Front::Fastchess));
        assert_eq!(Front::of("/usr/bin/fastchess"), Some(Front::Fastchess));
        for name in [
            "fastchess.exe",
            "FastChess-1.8.0",
            "C:\\bin\\fast-chess",
            "fastchess-linux-x86-64",
        ] {
            assert_eq!(Front::of(name), Some(Front::Fastchess), "{name}");
        }
        assert_eq!(Front::of("./cutechess-cli_LC0"), Some(Front::Cutechess));
        assert_eq!(Front::of("arbiter960"), None);
    }

    #[test]
    fn the_words_decide_where_the_name_does_not() {
        let of = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            Front::of_words(&words)
        };
        assert_eq!(
            of("-recover -engine cmd=a -engine cmd=b"),
            Some(Front::Fastchess)
        );
        assert_eq!(
            of("-engine cmd=a arg=b proto=uci tc=1 -engine cmd=b proto=uci tc=1"),
            Some(Front::Cutechess)
        );
        assert_eq!(of("-engine cmd=a foo=1"), Some(Front::Fastchess));
        for own in [
            "run -engine",
            "match --engine a",
            "-h",
            "-V",
            "--engine -engine=x",
        ] {
            assert_eq!(of(own), None, "{own}");
        }
    }
}
