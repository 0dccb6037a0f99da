//! `arbiter960 import`: the settings of other runners as an event file with comments.

use std::path::Path;

use super::common::command_line::Asked;
use super::common::event;
use super::common::settings::{CommandLine, EngineSettings, Settings};
use super::fastchess::{sanitize, saved};
use super::names::Front;

/// The event file equivalent to these words: a command line with its program first, or a `config.json` of fastchess.
///
/// # Errors
/// What is wrong with the words.
pub(crate) fn import(words: &[String], drawn_seed: u64) -> Result<String, String> {
    let Some((first, rest)) = words.split_first() else {
        return Err(
            "nothing to import: name a file, or a command line with its program first".to_owned(),
        );
    };
    match (Front::of_program(first), rest) {
        (Some(front), words) => match front.read(words, drawn_seed)? {
            Asked::Event(line) => file(*line, &format!("a command line of {}", front.name())),
            Asked::Text(..) => Err("this command line asks for no event".to_owned()),
        },
        (None, []) => file(saved::load(Path::new(first))?, "config.json of fastchess"),
        (None, _) => Err(format!(
            "`{first}` is neither fastchess nor cutechess-cli: a command line begins with one of them"
        )),
    }
}

/// The event file of a command line or of a file of another runner, with comments.
///
/// # Errors
/// What is wrong with it.
pub(super) fn file(mut line: CommandLine, source: &str) -> Result<String, String> {
    // Keeps the number of games at once: the event may be played on another machine.
    line.settings.force_concurrency = true;
    sanitize::line(&mut line)?;
    let version = env!("CARGO_PKG_VERSION");
    let mut comments = vec![format!("From {source}, by arbiter960 {version}.")];
    comments.extend(without_counterpart(&line));
    let name = event_name(&line.settings);
    let event = event::event(&line.settings, &line.engines, &name).to_toml();
    Ok(format!("# {}\n\n{event}", comments.join("\n# ")))
}

/// The name of the event and of its folder.
fn event_name(settings: &Settings) -> String {
    let name = settings.pgn.event_name.replace(['/', '\\'], "-");
    let name: String = name.chars().filter(|one| !one.is_control()).collect();
    match name.trim() {
        "" | "." | ".." => "imported".to_owned(),
        name => name.chars().take(60).collect(),
    }
}

/// The settings that an event file cannot express, one per line.
fn without_counterpart(line: &CommandLine) -> Vec<String> {
    let (settings, pgn) = (&line.settings, &line.settings.pgn);
    let notes = [
        (
            !pgn.file.is_empty(),
            "-pgnout: games.pgn lies in the folder of results; `run --pgn FILE` writes another.",
        ),
        (
            !settings.epd.file.is_empty(),
            "-epdout: `run --epd-out FILE` writes the last positions.",
        ),
        (pgn.crc, "-crc32 has no counterpart."),
        (
            !settings.log.file.is_empty(),
            "-log: log/run.log lies in the folder of results; `run --log-engines` writes down what engines say.",
        ),
        (
            settings.unwritten.strict,
            "-strict has no counterpart: warnings end nothing.",
        ),
        (
            !settings.unwritten.cpus.is_empty(),
            "-use-affinity: the list of processors has no counterpart; `cpus` in [[engine]] names some.",
        ),
        (
            i64::try_from(settings.seed).is_err(),
            "-srand is too large for an event file: `run --seed` takes it.",
        ),
        (
            !line.stats.is_empty(),
            "The results in the file are not taken over: `fastchess -config file=` goes on with them.",
        ),
    ];
    let notes = notes.into_iter().filter(|(applies, _)| *applies);
    let notes = notes.map(|(_, words)| words.to_owned());
    let ponders = |engine: &&EngineSettings| {
        let mut options = engine.options.iter();
        options.any(|(name, value)| name.eq_ignore_ascii_case("Ponder") && value == "true")
    };
    let engines = line.engines.iter().filter(ponders);
    let left_out = engines.map(|engine| {
        let name = &engine.name;
        format!(
            "option.Ponder=true of {name} is left out: engines do not think on the opponent's time."
        )
    });
    notes.chain(left_out).collect()
}
