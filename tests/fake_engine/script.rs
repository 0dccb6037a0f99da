//! The command line: words and `word=value`, in any order.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;

/// What the engine was told to do.
#[derive(Debug)]
pub struct Script {
    words: BTreeMap<String, String>,
    /// How often this engine has been started, this time included.
    starts: u64,
}

impl Script {
    /// Reads the words; an unknown one is found by `deeds`, or has no effect.
    pub fn from_arguments(arguments: impl Iterator<Item = String>) -> Script {
        let word = |argument: String| match argument.split_once('=') {
            Some((word, value)) => (word.to_owned(), value.to_owned()),
            None => (argument, String::new()),
        };
        let words: BTreeMap<String, String> = arguments.map(word).collect();
        let starts = words.get("starts").map_or(1, |file| count_start(file));
        Script { words, starts }
    }

    /// Whether the word was given.
    pub fn has(&self, word: &str) -> bool {
        self.words.contains_key(word)
    }

    /// The value of a word.
    pub fn value(&self, word: &str) -> Option<&str> {
        self.words.get(word).map(String::as_str)
    }

    fn number(&self, word: &str, default: u64) -> u64 {
        self.value(word)
            .map_or(default, |text| text.parse().expect("a number"))
    }

    /// `start=DEED`: what happens instead of a handshake; the first
    /// `sound-starts=N` starts are sound, counted in the file `starts=FILE`.
    pub fn start_deed(&self) -> Option<&str> {
        let sound = self.starts <= self.number("sound-starts", 0);
        self.value("start").filter(|_| !sound)
    }

    /// `search=DEED`: what happens at move `at=N` (3) of game `game=N` (1) of this
    /// process; `once=FILE`: only once, whoever makes that file.
    pub fn search_deed(&self, game: u64, own_move: u64) -> Option<&str> {
        let deed = self.value("search")?;
        let now = game == self.number("game", 1) && own_move == self.number("at", 3);
        (now && self.is_first()).then_some(deed)
    }

    fn is_first(&self) -> bool {
        let Some(file) = self.value("once") else {
            return true;
        };
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).open(file).is_ok()
    }
}

/// One byte a start.
fn count_start(file: &str) -> u64 {
    let mut options = OpenOptions::new();
    let mut opened = options
        .append(true)
        .create(true)
        .open(file)
        .expect("the file of starts");
    opened.write_all(b".").expect("the file of starts");
    opened.metadata().expect("the file of starts").len()
}
