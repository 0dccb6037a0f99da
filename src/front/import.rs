//! `arbiter960 import`: the settings of other runners as an event file with comments.

use std::path::Path;

use serde_json::Value;

use super::common::settings::{CommandLine, EngineSettings, Settings};
use super::common::{event, event_engine};
use super::cutechess;
use super::fastchess::sanitize;
use super::fastchess::saved::{self, LoadError};
use super::names::Front;

/// The event file equivalent to these words: a command line with its program first, a `config.json` of fastchess, or an
/// `engines.json` of cutechess-cli.
///
/// # Errors
/// What is wrong with the words.
pub(crate) fn import(words: &[String], drawn_seed: u64) -> Result<String, String> {
    let Some((first, rest)) = words.split_first() else {
        return Err(
            "nothing to import: name a file, or a command line with its program first".to_owned(),
        );
    };
    match (Front::of(first), rest) {
        (Some(front), words) => {
            let source = format!("a command line of {}", front.name());
            file(
                front.read(words, drawn_seed, &mut |_| ())?.event()?,
                &source,
            )
        }
        (None, []) => of_json(Path::new(first)),
        (None, _) => Err(format!(
            "`{first}` is neither fastchess nor cutechess-cli: a command line begins with one of them"
        )),
    }
}

fn of_json(path: &Path) -> Result<String, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("{shown}: {error}"))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| format!("{shown}: {error}"))?;
    if let Value::Array(entries) = &value {
        return of_engines(entries);
    }
    let line = saved::load(path).map_err(|error| match error {
        LoadError::Missing => format!("{shown}: there is no such file"),
        LoadError::Unreadable(why) => format!("{shown} is no config.json of fastchess: {why}"),
    })?;
    file(line, "config.json of fastchess")
}

/// The engines of cutechess-cli alone: their file does not say what they play.
fn of_engines(entries: &[Value]) -> Result<String, String> {
    let mut text = "# From engines.json of cutechess-cli. It has no event: add [event], [positions] and [time].\n".to_owned();
    for entry in entries {
        let player = cutechess::entry(entry);
        if !matches!(player.protocol.as_str(), "uci" | "xboard") {
            let (name, protocol) = (&player.engine.name, &player.protocol);
            text += &format!(
                "\n# \"{name}\" is left out: its protocol is \"{protocol}\", and only uci and xboard are spoken.\n"
            );
            continue;
        }
        let engine = event_engine::alone(&player.into_engine(0));
        text += &format!("\n{engine}");
    }
    Ok(text)
}

fn file(mut line: CommandLine, source: &str) -> Result<String, String> {
    // Keeps the number of games at once: the event may be played on another machine.
    line.settings.force_concurrency = true;
    sanitize::line(&mut line, &mut String::new())?;
    let name = event_name(&line.settings);
    let mut comments = vec![format!(
        "From {source}, by arbiter960 {}.",
        env!("CARGO_PKG_VERSION")
    )];
    comments.extend(without_counterpart(&line.settings, &line.engines));
    if !line.stats.is_empty() {
        comments.push("The results in the file are not taken over: `fastchess -config file=` goes on with them.".to_owned());
    }
    let event = event::event(&line.settings, &line.engines, &name).to_toml();
    Ok(format!("# {}\n\n{event}", comments.join("\n# ")))
}

/// The name of the event and of its folder.
fn event_name(settings: &Settings) -> String {
    let name: String = settings
        .pgn
        .event_name
        .chars()
        .filter(|one| !one.is_control())
        .collect();
    let name = name.replace(['/', '\\'], "-");
    match name.trim() {
        "" | "." | ".." => "imported".to_owned(),
        name => name.chars().take(60).collect(),
    }
}

/// The settings that an event file cannot express, one per line.
fn without_counterpart(settings: &Settings, engines: &[EngineSettings]) -> Vec<String> {
    let pgn = &settings.pgn;
    let mut lines = Vec::new();
    let mut note = |applies: bool, words: &str| {
        if applies {
            lines.push(words.to_owned());
        }
    };
    note(
        !pgn.file.is_empty(),
        "-pgnout: games.pgn lies in the folder of results; `run --pgn FILE` writes another.",
    );
    note(
        !settings.epd.file.is_empty(),
        "-epdout: `run --epd-out FILE` writes the last positions.",
    );
    note(pgn.crc, "-crc32 has no counterpart.");
    note(
        !settings.log.file.is_empty(),
        "-log: log/run.log lies in the folder of results; `run --log-engines` writes down what engines say.",
    );
    note(
        settings.unwritten.strict,
        "-strict has no counterpart: warnings end nothing.",
    );
    note(
        !settings.unwritten.cpus.is_empty(),
        "-use-affinity: the list of processors has no counterpart; `cpus` in [[engine]] names some.",
    );
    note(
        i64::try_from(settings.seed).is_err(),
        "-srand is too large for an event file: `run --seed` takes it.",
    );
    let ponders = |engine: &&EngineSettings| {
        let mut options = engine.options.iter();
        options.any(|(name, value)| name.eq_ignore_ascii_case("Ponder") && value == "true")
    };
    for engine in engines.iter().filter(ponders) {
        lines.push(format!(
            "option.Ponder=true of {} is left out: engines do not think on the opponent's time.",
            engine.name
        ));
    }
    lines
}
