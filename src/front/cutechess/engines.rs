//! The engines of a command line of cutechess-cli, and those of `engines.json`.

use std::path::Path;

use serde_json::Value;

use crate::front::engine_keys;
use crate::front::settings::Engine;

/// The file in the working folder that `conf` names entries of.
pub(super) const ENGINES: &str = "engines.json";

/// What is said of the key `debug` of an engine, and of `-debug all`, which gives it to each.
pub(super) const NO_DEBUG_MODE: &str =
    "debug of an engine has no effect: `debug on` is not sent; -debug prints what is said";

/// An engine with what only cutechess-cli asks of it.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::front) struct Player {
    pub(in crate::front) engine: Engine,
    pub(in crate::front) protocol: String,
    /// `tc=inf`.
    pub(super) has_no_clock: bool,
    /// What its waits are multiplied by.
    pub(super) timeout_scale: f64,
    /// What was asked for in vain, in words.
    pub(in crate::front) ignored: Vec<&'static str>,
}

impl Default for Player {
    fn default() -> Player {
        Player {
            engine: Engine::default(),
            protocol: String::new(),
            has_no_clock: false,
            timeout_scale: 1.0,
            ignored: Vec::new(),
        }
    }
}

/// Takes in the words of `-engine` or `-each`.
///
/// # Errors
/// The text that cutechess-cli prints.
pub(super) fn take(player: &mut Player, words: &[String]) -> Result<(), String> {
    words.iter().try_for_each(|word| {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        set(player, key, value)
    })
}

fn set(player: &mut Player, key: &str, value: &str) -> Result<(), String> {
    let engine = &mut player.engine;
    let is_number = |least: i64| value.parse::<i64>().is_ok_and(|number| number >= least);
    let invalid = |what: &str| Err(format!("Invalid {what}: \"{value}\""));
    let is_positive = |text: &str| text.parse::<f64>().is_ok_and(|seconds| seconds >= 0.001);
    match key {
        "" => Ok(()),
        "conf" => {
            *player = configured(Path::new(ENGINES), value)?;
            Ok(())
        }
        "arg" => {
            // Joined as a shell would read them, to be split so again.
            let quoted = value.replace('\\', "\\\\").replace('"', "\\\"");
            engine.args += &format!(" \"{quoted}\"");
            Ok(())
        }
        "proto" if value == "uci" => {
            player.protocol = value.to_owned();
            Ok(())
        }
        "proto" => Err(format!("Usupported chess protocol: \"{value}\"")),
        "restart" => match value {
            "auto" | "off" | "on" => {
                engine.restart = value == "on";
                Ok(())
            }
            _ => invalid("restart mode"),
        },
        "tc" if value.starts_with("hg") && is_positive(value.trim_start_matches("hg")) => {
            Err("arbiter960 has no time control like \"".to_owned() + value + "\"")
        }
        "tc" if value == "infinite" || value.contains("hg") => invalid("time control"),
        "tc" => {
            let (margin, fixed) = (engine.limit.tc.timemargin, engine.limit.tc.fixed_time);
            engine_keys::set(engine, "tc", value).or_else(|_| invalid("time control"))?;
            engine.limit.tc.timemargin = margin;
            engine.limit.tc.fixed_time = fixed;
            player.has_no_clock = value == "inf";
            Ok(())
        }
        "st" if value
            .parse::<f64>()
            .is_ok_and(|seconds| seconds * 1000.0 >= 1.0) =>
        {
            engine_keys::set(engine, "st", value).or_else(|_| invalid("search time"))
        }
        "st" => invalid("search time"),
        "timemargin" if is_number(0) => engine_keys::set(engine, key, value),
        "timemargin" => invalid("time margin"),
        "depth" if is_number(1) => engine_keys::set(engine, key, value),
        "depth" => invalid("depth limit"),
        "nodes" if is_number(1) => engine_keys::set(engine, key, value),
        "nodes" => invalid("node limit"),
        "name" | "cmd" | "dir" => engine_keys::set(engine, key, value),
        "initstr" => {
            value
                .split("\\n")
                .for_each(|line| option_line(engine, line));
            Ok(())
        }
        "trust" => vain(player, "trust has no effect: every move is checked"),
        "tscale" => match value.parse::<f64>() {
            Ok(scale) if (0.2..=120.0).contains(&scale) => {
                player.timeout_scale = scale;
                Ok(())
            }
            _ => invalid("timeout scale factor"),
        },
        "bookdepth" if !is_number(1) => invalid("book depth limit"),
        "book" | "bookdepth" => vain(
            player,
            "book and bookdepth have no effect: engines play without a book of the runner",
        ),
        "whitepov" => vain(
            player,
            "whitepov has no effect: scores are taken from the engine's side",
        ),
        "ponder" => {
            engine.ponders = true;
            Ok(())
        }
        "debug" => vain(player, NO_DEBUG_MODE),
        "stderr" => vain(
            player,
            "stderr has no effect: its end is kept with a fault, in the store",
        ),
        _ if key.starts_with("option.") => engine_keys::set(engine, key, value),
        _ => Err(format!("Invalid engine option: \"{key}\"")),
    }
}

/// Takes a key that changes nothing here.
fn vain(player: &mut Player, words: &'static str) -> Result<(), String> {
    player.ignored.push(words);
    Ok(())
}

/// A line that is sent at the start: of these only options are obeyed.
fn option_line(engine: &mut Engine, line: &str) {
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
/// There is none of this name, or the file cannot be read.
fn configured(file: &Path, name: &str) -> Result<Player, String> {
    let unknown = || format!("Unknown engine configuration: \"{name}\"");
    let text = std::fs::read_to_string(file).map_err(|_| unknown())?;
    let all: Value = serde_json::from_str(&text).map_err(|error| format!("{ENGINES}: {error}"))?;
    let entries = all.as_array().into_iter().flatten();
    let mut named = entries.filter(|entry| entry["name"] == name);
    named.next().map(entry).ok_or_else(unknown)
}

/// The names of `engines.json`, a line each.
pub(super) fn names() -> String {
    let text = std::fs::read_to_string(ENGINES).unwrap_or_default();
    let all: Value = serde_json::from_str(&text).unwrap_or_default();
    let entries = all.as_array().into_iter().flatten();
    let names = entries.filter_map(|entry| entry["name"].as_str());
    names.map(|name| format!("{name}\n")).collect()
}

/// An entry of `engines.json` as an engine.
pub(in crate::front) fn entry(entry: &Value) -> Player {
    let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
    let mut engine = Engine {
        name: text("name"),
        cmd: text("command"),
        dir: text("workingDirectory"),
        restart: entry["restart"] == "on",
        ponders: entry["ponder"] == true,
        ..Engine::default()
    };
    for line in entry["initStrings"].as_array().into_iter().flatten() {
        option_line(&mut engine, line.as_str().unwrap_or_default());
    }
    for option in entry["options"].as_array().into_iter().flatten() {
        let value = match &option["value"] {
            Value::String(value) => value.clone(),
            Value::Null => continue,
            value => value.to_string(),
        };
        let name = option["name"].as_str().unwrap_or_default().to_owned();
        engine.options.push((name, value));
    }
    Player {
        engine,
        protocol: text("protocol"),
        ..Player::default()
    }
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
        let said = |word: &str| take(&mut Player::default(), &[word.to_owned()]).unwrap_err();
        assert_eq!(said("colour=red"), "Invalid engine option: \"colour\"");
        assert_eq!(said("nodes=0"), "Invalid node limit: \"0\"");
        assert_eq!(said("tc=hg"), "Invalid time control: \"hg\"");
        assert_eq!(said("restart=never"), "Invalid restart mode: \"never\"");
    }
}
