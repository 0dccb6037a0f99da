//! The engines of a command line of cutechess-cli, and those of `engines.json`.

use std::env;
use std::path::PathBuf;

use serde_json::Value;

use crate::front::common::settings::{EngineLimits, EngineSettings};
use crate::front::common::values::{milliseconds, time_control};

/// The file whose entries `conf` names.
const ENGINES: &str = "engines.json";

/// Where that file is: in the working folder, else where the graphical interface of cutechess keeps it.
fn engines_file() -> PathBuf {
    let here = PathBuf::from(ENGINES);
    let folder = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let settings = folder("XDG_CONFIG_HOME").map(PathBuf::from);
    let settings = settings.or_else(|| Some(PathBuf::from(folder("HOME")?).join(".config")));
    match settings {
        Some(settings) if !here.exists() => settings.join("cutechess").join(ENGINES),
        _ => here,
    }
}

/// An engine, with the settings that only cutechess-cli has.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CutechessEngine {
    pub(super) engine: EngineSettings,
    pub(super) protocol: String,
    /// The lines that the engine is sent first.
    init: Vec<String>,
    /// `tc=inf`.
    pub(super) has_no_clock: bool,
    /// Factor for the time limits of waiting for the engine.
    pub(super) timeout_scale: f64,
    /// `book`, `bookdepth`: the engine's own book, and the number of moves that it is used for.
    pub(super) book: String,
    book_depth: u64,
}

impl Default for CutechessEngine {
    fn default() -> CutechessEngine {
        CutechessEngine {
            engine: EngineSettings::default(),
            protocol: String::new(),
            init: Vec::new(),
            has_no_clock: false,
            timeout_scale: 1.0,
            book: String::new(),
            book_depth: 1000,
        }
    }
}

impl CutechessEngine {
    /// Takes in lines that the engine is sent at the start; of the lines for UCI engines only options are used.
    fn begin_with<'a>(&mut self, lines: impl Iterator<Item = &'a str>) {
        for line in lines {
            self.init.push(line.to_owned());
            option_line(&mut self.engine, line);
        }
    }

    /// The engine, after all options were read.
    pub(super) fn into_engine(mut self, seed: u64) -> EngineSettings {
        if self.has_no_clock {
            // `tc=inf` is stronger than `st`.
            self.engine.limit.tc.fixed_time = 0;
        }
        let plies = self.book_depth.saturating_mul(2);
        // The empty name has no absolute path.
        let book = std::path::absolute(&self.book).ok();
        let book = book.map(|file| (file.to_string_lossy().into_owned(), plies, seed));
        EngineSettings {
            book,
            xboard: (self.protocol == "xboard").then_some(self.init),
            ..self.engine
        }
    }
}

/// Takes in a value; nothing if it has none of this kind.
type KeySetter = fn(&mut CutechessEngine, &str) -> Option<()>;

/// The keys whose values may be wrong, what is said of a wrong one, and what each sets.
const KEYS: [(&str, &str, KeySetter); 8] = [
    ("restart", "restart mode", restart),
    ("tc", "time control", clock),
    ("st", "search time", time_of_a_move),
    ("timemargin", "time margin", margin),
    ("depth", "depth limit", depth),
    ("nodes", "node limit", |player, value| {
        player.engine.limit.nodes = positive(value)?;
        Some(())
    }),
    ("tscale", "timeout scale factor", timeout_scale),
    ("bookdepth", "book depth limit", |player, value| {
        player.book_depth = positive(value)?;
        Some(())
    }),
];

/// Takes in the words of `-engine` or `-each`.
///
/// # Errors
/// The text that cutechess-cli prints.
pub(super) fn take(player: &mut CutechessEngine, words: &[String]) -> Result<(), String> {
    words.iter().try_for_each(|word| {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        set(player, key, value)
    })
}

fn set(player: &mut CutechessEngine, key: &str, value: &str) -> Result<(), String> {
    if player.engine.set_common(key, value) {
        return Ok(());
    }
    match key {
        "" | "trust" | "debug" => {}
        "arg" => player.engine.args += &quoted(value),
        "initstr" => player.begin_with(value.split("\\n")),
        "book" => value.clone_into(&mut player.book),
        "whitepov" => player.engine.sees_as_white = true,
        "ponder" => player.engine.ponders = true,
        "stderr" => value.clone_into(&mut player.engine.stderr),
        "conf" => {
            let entry = configured(value)?;
            let limit = std::mem::take(&mut player.engine.limit);
            player.engine = EngineSettings {
                limit,
                ..entry.engine
            };
            (player.protocol, player.init) = (entry.protocol, entry.init);
        }
        "proto" if matches!(value, "uci" | "xboard") => value.clone_into(&mut player.protocol),
        "proto" => return Err(format!("Usupported chess protocol: \"{value}\"")),
        _ => {
            let row = KEYS.iter().find(|(known, ..)| *known == key);
            let unknown = || format!("Invalid engine option: \"{key}\"");
            let (_, what, set) = row.ok_or_else(unknown)?;
            set(player, value).ok_or_else(|| format!("Invalid {what}: \"{value}\""))?;
        }
    }
    Ok(())
}

/// A whole number above 0.
fn positive(value: &str) -> Option<u64> {
    let number = value.trim().parse::<i64>().ok();
    number.filter(|number| *number > 0).map(i64::cast_unsigned)
}

fn depth(player: &mut CutechessEngine, value: &str) -> Option<()> {
    let depth = positive(value)?;
    i32::try_from(depth).ok()?;
    player.engine.limit.plies = depth;
    Some(())
}

fn restart(player: &mut CutechessEngine, value: &str) -> Option<()> {
    player.engine.restart = value == "on";
    matches!(value, "auto" | "off" | "on").then_some(())
}

/// What cannot be read is 0, as in cutechess-cli.
fn clock(player: &mut CutechessEngine, value: &str) -> Option<()> {
    let number = |text: &str| {
        let number = text.trim().parse::<f64>().unwrap_or(0.0);
        Ok(if number.is_finite() { number } else { 0.0 })
    };
    let read = time_control(value, number).ok()?;
    let (moves, increment) = (read.moves.max(0), read.increment.max(0));
    let is_wrong_hourglass = read.is_hourglass && (increment > 0 || moves > 0);
    player.has_no_clock = value == "inf";
    if !player.has_no_clock && (read.time <= 0 || is_wrong_hourglass) {
        return None;
    }
    let kept = &player.engine.limit.tc;
    let (timemargin, fixed_time) = (kept.timemargin, kept.fixed_time);
    player.engine.limit.tc = EngineLimits {
        moves,
        increment,
        timemargin,
        fixed_time,
        ..read
    };
    Some(())
}

fn time_of_a_move(player: &mut CutechessEngine, value: &str) -> Option<()> {
    let time = milliseconds(value.trim().parse().ok()?);
    player.engine.limit.tc.fixed_time = time;
    (1..=i64::from(i32::MAX)).contains(&time).then_some(())
}

fn margin(player: &mut CutechessEngine, value: &str) -> Option<()> {
    let margin = value.trim().parse::<i32>().ok()?;
    player.engine.limit.tc.timemargin = margin.into();
    (margin >= 0).then_some(())
}

fn timeout_scale(player: &mut CutechessEngine, value: &str) -> Option<()> {
    player.timeout_scale = value.trim().parse().ok()?;
    (0.2..=120.0).contains(&player.timeout_scale).then_some(())
}

/// A word, quoted so that splitting it as a shell does gives the same word.
fn quoted(word: &str) -> String {
    let word = word.replace('\\', "\\\\").replace('"', "\\\"");
    format!(" \"{word}\"")
}

/// A line that is sent at the start: only options are used.
fn option_line(engine: &mut EngineSettings, line: &str) {
    let Some(rest) = line.trim().strip_prefix("setoption name ") else {
        return;
    };
    let (name, value) = rest.split_once(" value ").unwrap_or((rest, "true"));
    let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
    engine.options.push((name, value));
}

/// The entries of `engines.json`.
fn entries() -> Result<Vec<Value>, String> {
    let text = std::fs::read_to_string(engines_file()).unwrap_or_else(|_| "[]".to_owned());
    let all: Value = serde_json::from_str(&text).map_err(|error| format!("{ENGINES}: {error}"))?;
    Ok(all.as_array().cloned().unwrap_or_default())
}

/// The entry of this name.
fn configured(name: &str) -> Result<CutechessEngine, String> {
    let entries = entries()?;
    let named = entries.iter().find(|entry| entry["name"] == name);
    let found = named.map(entry);
    found.ok_or_else(|| format!("Unknown engine configuration: \"{name}\""))
}

/// The names in `engines.json`, one per line.
pub(super) fn names() -> String {
    let entries = entries().unwrap_or_default();
    let names = entries.iter().filter_map(|entry| entry["name"].as_str());
    names.map(|name| format!("{name}\n")).collect()
}

/// An entry of `engines.json` as an engine.
fn entry(entry: &Value) -> CutechessEngine {
    let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
    let engine = EngineSettings {
        name: text("name"),
        cmd: text("command"),
        dir: text("workingDirectory"),
        restart: entry["restart"] == "on",
        ponders: entry["ponder"] == true,
        stderr: text("stderrFile"),
        sees_as_white: entry["whitepov"] == true,
        ..EngineSettings::default()
    };
    let mut player = CutechessEngine {
        engine,
        protocol: text("protocol"),
        ..CutechessEngine::default()
    };
    let lines = entry["initStrings"].as_array().into_iter().flatten();
    player.begin_with(lines.filter_map(Value::as_str));
    for option in entry["options"].as_array().into_iter().flatten() {
        let value = match &option["value"] {
            Value::String(value) => value.clone(),
            Value::Null => continue,
            value => value.to_string(),
        };
        let name = option["name"].as_str().unwrap_or_default().to_owned();
        player.engine.options.push((name, value));
    }
    player
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_of_engines_json_as_tuners_write_it() {
        let text = r#"{"command": "./sf", "name": "engine1", "protocol": "uci",
                       "initStrings": ["uci", "setoption name Move Overhead value 7"]}"#;
        let player = entry(&serde_json::from_str(text).unwrap());
        let option = ("Move Overhead".to_owned(), "7".to_owned());
        assert_eq!(player.engine.options, [option]);
        assert_eq!(
            (player.engine.cmd.as_str(), player.protocol.as_str()),
            ("./sf", "uci")
        );
    }

    #[test]
    fn wrong_words_have_the_messages_of_cutechess() {
        let said =
            |word: &str| take(&mut CutechessEngine::default(), &[word.to_owned()]).unwrap_err();
        assert_eq!(said("colour=red"), "Invalid engine option: \"colour\"");
        assert_eq!(said("nodes=0"), "Invalid node limit: \"0\"");
        assert_eq!(said("tc=hg"), "Invalid time control: \"hg\"");
        assert_eq!(said("restart=never"), "Invalid restart mode: \"never\"");
    }
}
