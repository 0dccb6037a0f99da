//! The engines of a command line of cutechess-cli, and those of `engines.json`.

use std::env;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::front::common::engine_keys;
use crate::front::common::settings::{EngineLimits, EngineSettings};

use super::qt;

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
pub(in crate::front) struct CutechessEngine {
    pub(in crate::front) engine: EngineSettings,
    pub(in crate::front) protocol: String,
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
    pub(in crate::front) fn into_engine(self, seed: u64) -> EngineSettings {
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
    let engine = &mut player.engine;
    let invalid = |what: &str| Err(format!("Invalid {what}: \"{value}\""));
    let least = |least: i64| Some(qt::whole(value)).filter(|number| *number >= least);
    match key {
        "" | "trust" | "debug" => {}
        "conf" => {
            let entry = configured(&engines_file(), value)?;
            let limit = std::mem::take(&mut engine.limit);
            *engine = EngineSettings {
                limit,
                ..entry.engine
            };
            player.protocol = entry.protocol;
            player.init = entry.init;
        }
        "arg" => engine.args += &format!(" {}", quoted(value)),
        "proto" if matches!(value, "uci" | "xboard") => player.protocol = value.to_owned(),
        "proto" => return Err(format!("Usupported chess protocol: \"{value}\"")),
        "restart" if !matches!(value, "auto" | "off" | "on") => return invalid("restart mode"),
        "restart" => engine.restart = value == "on",
        "tc" => {
            let Some(clock) = qt::time_control(value) else {
                return invalid("time control");
            };
            player.has_no_clock = value == "inf";
            let kept = &engine.limit.tc;
            engine.limit.tc = EngineLimits {
                timemargin: kept.timemargin,
                fixed_time: kept.fixed_time,
                ..clock
            };
        }
        "st" => match qt::real(value).map(|seconds| (seconds * 1000.0) as i32) {
            Some(time) if time > 0 => engine.limit.tc.fixed_time = i64::from(time),
            _ => return invalid("search time"),
        },
        "timemargin" => match value.trim().parse::<i32>() {
            Ok(margin) if margin >= 0 => engine.limit.tc.timemargin = i64::from(margin),
            _ => return invalid("time margin"),
        },
        "depth" => match least(1) {
            Some(depth) if i32::try_from(depth).is_ok() => {
                engine.limit.plies = depth.cast_unsigned();
            }
            _ => return invalid("depth limit"),
        },
        "nodes" => match least(1) {
            Some(nodes) => engine.limit.nodes = nodes.cast_unsigned(),
            None => return invalid("node limit"),
        },
        "initstr" => player.begin_with(value.split("\\n")),
        "tscale" => match qt::real(value) {
            Some(scale) if (0.2..=120.0).contains(&scale) => player.timeout_scale = scale,
            _ => return invalid("timeout scale factor"),
        },
        "bookdepth" => match least(1) {
            Some(depth) => player.book_depth = depth.unsigned_abs(),
            None => return invalid("book depth limit"),
        },
        "book" => value.clone_into(&mut player.book),
        "whitepov" => engine.sees_as_white = true,
        "ponder" => engine.ponders = true,
        "stderr" => value.clone_into(&mut engine.stderr),
        "name" | "cmd" | "dir" => engine_keys::set(engine, key, value)?,
        _ if key.starts_with("option.") => engine_keys::set(engine, key, value)?,
        _ => return Err(format!("Invalid engine option: \"{key}\"")),
    }
    Ok(())
}

/// Quotes a word so that splitting it as a shell does gives the same word.
fn quoted(word: &str) -> String {
    let word = word.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{word}\"")
}

/// A line that is sent at the start: only options are used.
fn option_line(engine: &mut EngineSettings, line: &str) {
    let Some(rest) = line.trim().strip_prefix("setoption name ") else {
        return;
    };
    let (name, value) = rest.split_once(" value ").unwrap_or((rest, "true"));
    engine
        .options
        .push((name.trim().to_owned(), value.trim().to_owned()));
}

/// An entry of `engines.json`.
///
/// # Errors
/// No entry has this name, or the file cannot be read.
fn configured(file: &Path, name: &str) -> Result<CutechessEngine, String> {
    let unknown = || format!("Unknown engine configuration: \"{name}\"");
    let text = std::fs::read_to_string(file).map_err(|_| unknown())?;
    let all: Value = serde_json::from_str(&text).map_err(|error| format!("{ENGINES}: {error}"))?;
    let entries = all.as_array().into_iter().flatten();
    let mut named = entries.filter(|entry| entry["name"] == name);
    named.next().map(entry).ok_or_else(unknown)
}

/// The names in `engines.json`, one per line.
pub(super) fn names() -> String {
    let text = std::fs::read_to_string(engines_file()).unwrap_or_default();
    let all: Value = serde_json::from_str(&text).unwrap_or_default();
    let entries = all.as_array().into_iter().flatten();
    let names = entries.filter_map(|entry| entry["name"].as_str());
    names.map(|name| format!("{name}\n")).collect()
}

/// An entry of `engines.json` as an engine.
pub(in crate::front) fn entry(entry: &Value) -> CutechessEngine {
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
