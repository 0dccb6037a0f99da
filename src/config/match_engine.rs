//! `--engine` of the `match` command: words to a table of the event file.

use serde::{Serialize, Serializer};

use crate::text::nearest;

/// The limits of all engines, or of one.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct MatchTime {
    /// A clock, as in `10+0.1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<String>,
    /// Seconds for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub movetime: Option<f64>,
    /// Nodes for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// By how much the clock or the time for a move is multiplied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
}

/// One `--engine`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct MatchEngine {
    /// The name; by default the program's.
    pub name: Option<String>,
    /// The program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The engine inside this program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub builtin: Option<String>,
    /// Arguments of the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// The folder in which it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// The dialect of its positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Milliseconds beyond the clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin_ms: Option<f64>,
    /// 2: it plays itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copies: Option<u8>,
    /// The niceness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nice: Option<i8>,
    /// The processors it may use.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cpus: Vec<u16>,
    /// The memory it may use, MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u32>,
    /// How many processes and threads it may have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processes: Option<u32>,
    /// The longest file it may write, MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_size_mib: Option<u32>,
    /// `true`, `false` or `best-effort`.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_plain")]
    pub sandbox: Option<String>,
    /// What it may read besides, in a sandbox.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sandbox_read: Vec<String>,
    /// Where it may write besides, in a sandbox.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sandbox_write: Vec<String>,
    /// UCI options, in order.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "in_order")]
    pub options: Vec<(String, String)>,
    /// Limits of its own.
    #[serde(skip_serializing_if = "MatchTime::is_empty")]
    pub time: MatchTime,
}

/// A word of `--engine` that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// Not one of the keys.
    #[error("`{word}`: --engine has no key `{key}`{}", .meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default())]
    UnknownKey {
        /// The word.
        word: String,
        /// Its key.
        key: String,
        /// What was probably meant.
        meant: Option<&'static str>,
    },
    /// The value does not fit the key.
    #[error("`{0}`: the value is not a number, or too large")]
    NotANumber(String),
    /// A second word without a key.
    #[error("`{0}` is not KEY=VALUE: an --engine has one command; its arguments are arg=VALUE")]
    SecondCommand(String),
    /// Nothing to start.
    #[error("an --engine needs a command: cmd=PATH, a bare path, or builtin=sparring")]
    NoCommand,
}

const KEYS: [&str; 21] = [
    "cmd",
    "name",
    "builtin",
    "arg",
    "dir",
    "fen",
    "margin",
    "copies",
    "tc",
    "movetime",
    "nodes",
    "depth",
    "scale",
    "nice",
    "cpus",
    "memory",
    "processes",
    "file_size",
    "sandbox",
    "read",
    "write",
];

impl MatchTime {
    pub(super) fn is_empty(&self) -> bool {
        *self == MatchTime::default()
    }
}

impl MatchEngine {
    /// Reads the words of one `--engine`: `KEY=VALUE` with the keys `cmd`, `name`,
    /// `builtin`, `arg` (repeatable), `dir`, `fen`, `margin` (milliseconds), `copies`,
    /// `tc`, `movetime`, `nodes`, `depth`, `scale`, `option.NAME`; for its confinement `nice`,
    /// `cpus` (with commas), `memory` and `file_size` (MiB), `processes`, `sandbox`,
    /// `read` and `write` (repeatable); and a word without `=` for the command.
    ///
    /// # Errors
    /// The first word that cannot be understood.
    pub fn from_words<S: AsRef<str>>(words: &[S]) -> Result<MatchEngine, MatchError> {
        let mut engine = MatchEngine::default();
        for word in words {
            engine.word(word.as_ref())?;
        }
        if engine.command.is_none() && engine.builtin.is_none() {
            return Err(MatchError::NoCommand);
        }
        Ok(engine)
    }

    fn word(&mut self, word: &str) -> Result<(), MatchError> {
        let Some((key, value)) = word.split_once('=') else {
            if self.command.is_some() {
                return Err(MatchError::SecondCommand(word.to_owned()));
            }
            self.command = Some(word.to_owned());
            return Ok(());
        };
        if let Some(option) = key.strip_prefix("option.") {
            self.options.push((option.to_owned(), value.to_owned()));
            return Ok(());
        }
        let text = || Some(value.to_owned());
        match key {
            "cmd" => self.command = text(),
            "name" => self.name = text(),
            "builtin" => self.builtin = text(),
            "arg" => self.args.extend(text()),
            "dir" => self.directory = text(),
            "fen" => self.fen = text(),
            "tc" => self.time.control = text(),
            "margin" => self.margin_ms = number(word, value)?,
            "copies" => self.copies = number(word, value)?,
            "movetime" => self.time.movetime = number(word, value)?,
            "nodes" => self.time.nodes = number(word, value)?,
            "depth" => self.time.depth = number(word, value)?,
            "scale" => self.time.scale = number(word, value)?,
            _ => return self.confining_word(word, key, value),
        }
        Ok(())
    }

    /// A word that holds the engine to something.
    fn confining_word(&mut self, word: &str, key: &str, value: &str) -> Result<(), MatchError> {
        match key {
            "nice" => self.nice = number(word, value)?,
            "cpus" => {
                let numbers = value.split(',').map(|cpu| number(word, cpu.trim()));
                let numbers: Result<Vec<Option<u16>>, MatchError> = numbers.collect();
                self.cpus = numbers?.into_iter().flatten().collect();
            }
            "memory" => self.memory_mib = number(word, value)?,
            "processes" => self.processes = number(word, value)?,
            "file_size" => self.file_size_mib = number(word, value)?,
            "sandbox" => self.sandbox = Some(value.to_owned()),
            "read" => self.sandbox_read.push(value.to_owned()),
            "write" => self.sandbox_write.push(value.to_owned()),
            _ => return Err(unknown_key(word, key)),
        }
        Ok(())
    }

    /// The name, given or not.
    pub(super) fn called(&self) -> String {
        let from_command = || {
            let command = self.command.as_ref().or(self.builtin.as_ref());
            let command = command.map_or("engine", String::as_str);
            command.rsplit('/').next().unwrap_or(command).to_owned()
        };
        self.name.clone().unwrap_or_else(from_command)
    }
}

fn number<T: std::str::FromStr>(word: &str, value: &str) -> Result<Option<T>, MatchError> {
    let number = value
        .parse()
        .map_err(|_| MatchError::NotANumber(word.to_owned()));
    number.map(Some)
}

fn unknown_key(word: &str, key: &str) -> MatchError {
    let meant = match nearest(key, KEYS) {
        Some(meant) => KEYS.into_iter().find(|&known| known == meant),
        None => None,
    };
    MatchError::UnknownKey {
        word: word.to_owned(),
        key: key.to_owned(),
        meant,
    }
}

/// A table in the order of the list; numbers and truth values as such.
fn in_order<S: Serializer>(options: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(options.iter().map(|(name, value)| (name, plain(value))))
}

fn as_plain<S: Serializer>(value: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    value.as_deref().map(plain).serialize(serializer)
}

fn plain(value: &str) -> toml::Value {
    let as_integer = value.parse::<i64>().ok();
    match (
        as_integer.filter(|number| number.to_string() == value),
        value,
    ) {
        (Some(number), _) => toml::Value::Integer(number),
        (None, "true") => toml::Value::Boolean(true),
        (None, "false") => toml::Value::Boolean(false),
        (None, text) => toml::Value::String(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_an_engine() {
        let words = [
            "./a b/new",
            "name=New \"one\"",
            "option.Hash=64",
            "option.File=a=b",
            "tc=5+1",
        ];
        let engine = MatchEngine::from_words(&words).unwrap();
        assert_eq!(engine.command.as_deref(), Some("./a b/new"));
        assert_eq!(engine.options[1], ("File".to_owned(), "a=b".to_owned()));
        assert_eq!(engine.time.control.as_deref(), Some("5+1"));
        let message = |words: &[&str]| MatchEngine::from_words(words).unwrap_err().to_string();
        assert!(message(&["a", "node=5"]).ends_with("did you mean `nodes`?"));
        assert!(message(&["a", "nodes=5k"]).contains("not a number"));
        assert!(message(&["a", "b"]).contains("arg=VALUE"));
        assert!(message(&["name=x"]).contains("needs a command"));
    }
}
