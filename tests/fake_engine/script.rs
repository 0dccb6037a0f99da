//! The command line: words and `word=value`, in any order.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// The instructions for the engine.
#[derive(Debug)]
pub(crate) struct Script {
    words: BTreeMap<String, String>,
    /// How often this engine has been started, this time included.
    starts: u64,
}

impl Script {
    /// Reads the words; an unknown one is found by `deeds`, or has no effect.
    pub(crate) fn from_arguments(arguments: impl Iterator<Item = String>) -> Script {
        let word = |argument: String| match argument.split_once('=') {
            Some((word, value)) => (word.to_owned(), value.to_owned()),
            None => (argument, String::new()),
        };
        let words: BTreeMap<String, String> = arguments.map(word).collect();
        let starts = words.get("sound-starts").map_or(1, |_| count_start());
        Script { words, starts }
    }

    /// Whether the word was given.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.words.contains_key(word)
    }

    /// The value of a word.
    pub(crate) fn value(&self, word: &str) -> Option<&str> {
        self.words.get(word).map(String::as_str)
    }

    /// The value of a word, as a time.
    pub(crate) fn milliseconds(&self, word: &str) -> Option<Duration> {
        let milliseconds = self.value(word)?.parse().expect("milliseconds");
        Some(Duration::from_millis(milliseconds))
    }

    fn number(&self, word: &str, default: u64) -> u64 {
        self.value(word)
            .map_or(default, |text| text.parse().expect("a number"))
    }

    /// `start=DEED`: what happens instead of a handshake; the first
    /// `sound-starts=N` starts are sound.
    pub(crate) fn start_deed(&self) -> Option<&str> {
        let sound = self.starts <= self.number("sound-starts", 0);
        self.value("start").filter(|_| !sound)
    }

    /// `search=DEED`: what happens at move `at=N` (3) of game `game=N` (1) of this
    /// process; with `once` in the first of these games only.
    pub(crate) fn search_deed(&self, game: u64, own_move: u64) -> Option<&str> {
        let deed = self.value("search")?;
        let now = game == self.number("game", 1) && own_move == self.number("at", 3);
        (now && self.is_first()).then_some(deed)
    }

    /// Informs the test that a search has begun, waits for its permission, answers, and informs the test again, by the
    /// files `held`, `let-go` and `answered` next to the memory file.
    pub(crate) fn wait_to_be_let_go(&self, answer: impl FnOnce()) {
        let beside = |name| PathBuf::from(memory()).with_extension(name);
        File::create(beside("held")).expect("a file for the test");
        while !beside("let-go").exists() {
            std::thread::park_timeout(Duration::from_millis(1));
        }
        answer();
        File::create(beside("answered")).expect("a file for the test");
    }

    /// Whether what is to happen once has not happened yet; from now on it has.
    pub(crate) fn is_first(&self) -> bool {
        let mut options = OpenOptions::new();
        let new = options.write(true).create_new(true);
        !self.has("once") || new.open(memory()).is_ok()
    }
}

/// The file that one process of this engine leaves to the next. Not an argument:
/// arbiter960 would take it for a part of the engine, and notice its change.
fn memory() -> OsString {
    std::env::var_os("LC_FAKE_MEMORY").expect("a place to remember things")
}

/// One byte a start.
fn count_start() -> u64 {
    let file = remember(".");
    file.metadata().expect("the file of starts").len()
}

/// Adds a text to the file, at once.
pub(crate) fn remember(text: &str) -> File {
    let mut options = OpenOptions::new();
    let opened = options.append(true).create(true).open(memory());
    let mut file = opened.expect("the file that remembers");
    file.write_all(text.as_bytes())
        .expect("the file that remembers");
    file
}
