//! The command line of fastchess as a whole: its options one after another, what they make together, and checks and
//! corrections after all were read.

use std::collections::HashMap;
use std::path::Path;

use super::own_words::{FastchessReading, Takes, set_key, take_keys, take_word};
use super::rows::OPTIONS;
use crate::front::common::command_line::{Asked, Given, HELP, alone, pairs, some_pairs, split};
use crate::front::common::event::processors;
use crate::front::common::event_engine::is_unlimited;
use crate::front::common::settings::{
    BookFormat, CommandLine, EngineSettings, Output, Settings, Variant,
};

/// Reads the words after the program's name.
///
/// # Errors
/// The text that fastchess prints.
pub(in crate::front) fn read(words: &[String], seed: u64) -> Result<Asked, String> {
    if words.is_empty() {
        return Ok(Asked::Text(HELP.to_owned()));
    }
    let mut reading = FastchessReading {
        line: CommandLine {
            settings: Settings::new(seed),
            ..CommandLine::default()
        },
        before: None,
        each: None,
    };
    let asked = reading.take_all(words);
    let asked = asked.and_then(|asked| match asked {
        Some(asked) => Ok(asked),
        None => {
            reading.for_each()?;
            Ok(Asked::Event(Box::new(reading.line.clone())))
        }
    });
    asked.map_err(|why| reading.line.notes + &why)
}

/// Whether a word is a value: a dash begins an option, unless a digit follows.
fn is_value(word: &str) -> bool {
    let rest = word.strip_prefix('-');
    rest.is_none_or(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
}

fn unknown(word: &str) -> String {
    let text = format!("Unrecognized option: {word} parsing failed.");
    let names = OPTIONS.iter().map(|(name, _)| name);
    let distances = names.map(|name| (strsim::levenshtein(word, name), name));
    match distances.min() {
        Some((0..=2, name)) => format!("{text}: Did you mean \"{name}\"?"),
        _ => text,
    }
}

/// An error message with its option and a value.
fn located(option: &str, value: &str, why: &str) -> String {
    format!("Error while reading option \"{option}\" with value \"{value}\"\nReason: {why}")
}

impl FastchessReading {
    /// Takes in all options; the options before an unknown one are read first, as in fastchess. Returns what the line asks for other
    /// than an event.
    pub(super) fn take_all(&mut self, words: &[String]) -> Result<Option<Asked>, String> {
        let (given, wrong) = split(words, OPTIONS.iter().map(|(name, _)| *name), is_value);
        for option in &given {
            // The message names the last word that was read.
            let last = option.words.last().map_or(option.name, String::as_str);
            let asked = self.take(option);
            let asked = asked.map_err(|why| located(option.name, last, &why))?;
            if asked.is_some() {
                return Ok(asked);
            }
        }
        if let Some(wrong) = wrong {
            return Err(unknown(wrong));
        }
        Ok(None)
    }

    fn take(&mut self, given: &Given) -> Result<Option<Asked>, String> {
        let row = OPTIONS.iter().find(|(name, _)| *name == given.name);
        let settings = &mut self.line.settings;
        match row.map(|(_, takes)| *takes) {
            None => {}
            Some(Takes::Asks(text)) => {
                alone(given)?;
                return Ok(Some(Asked::Text(text.to_owned())));
            }
            Some(Takes::Flag(place)) => {
                alone(given)?;
                *place(settings) = true;
            }
            Some(Takes::Words(place)) => *place(settings) = given.words.concat(),
            Some(Takes::Keys(keys, begin)) => {
                begin(settings);
                let all = if given.name == "-epdout" {
                    pairs(given)
                } else {
                    some_pairs(given)
                };
                take_keys(settings, given.name, keys, &all?)?;
            }
            Some(Takes::Line(take)) => take(self, given)?,
            Some(takes) => {
                let [word] = given.words.as_slice() else {
                    let name = given.name;
                    return Err(format!("Option \"{name}\" expects exactly one value."));
                };
                take_word(settings, takes, word).map_err(Option::unwrap_or_default)?;
            }
        }
        Ok(None)
    }

    /// `-each`, after everything else.
    fn for_each(&mut self) -> Result<(), String> {
        let Some(given) = self.each.take() else {
            return Ok(());
        };
        let shown = if given.words.is_empty() {
            "<none>"
        } else {
            &given.words.join(" ")
        };
        let wrong = |why: String| located(given.name, shown, &why);
        for (key, value) in some_pairs(&given).map_err(wrong)? {
            for engine in &mut self.line.engines {
                set_key(engine, &key, &value).map_err(wrong)?;
            }
        }
        Ok(())
    }
}

// Checks and corrections after all options were read.

/// Checks and completes what a command line says; its notes take the lines that are printed during the checks.
/// cutechess-cli has checked its own while it was read, and plays without limits and without a book.
///
/// # Errors
/// The text that is printed.
pub(in crate::front) fn sanitize(line: &mut CommandLine) -> Result<(), String> {
    if line.settings.is_cutechess() {
        return named_engines(&mut line.engines);
    }
    settings(&mut line.settings, &mut line.notes)?;
    if line.engines.len() < 2 {
        return Err("Error: Need at least two engines to start!".to_owned());
    }
    if line.settings.rounds == 0 || line.settings.games == 0 {
        return Err("Invalid number of players, rounds, or games per round".to_owned());
    }
    line.engines.iter().try_for_each(limits)?;
    named_engines(&mut line.engines)
}

fn settings(settings: &mut Settings, notes: &mut String) -> Result<(), String> {
    if settings.games > 2 {
        std::mem::swap(&mut settings.games, &mut settings.rounds);
        if settings.games > 2 {
            return Err("Error: Exceeded -game limit! Must be less than 2".to_owned());
        }
    }
    if settings.output == Output::Cutechess || settings.games != 2 {
        settings.report_penta = false;
    }
    for interval in [&mut settings.ratinginterval, &mut settings.scoreinterval] {
        if *interval == 0 {
            *interval = i32::MAX;
        }
    }
    concurrency(settings, notes)?;
    sprt(settings, notes)?;
    if settings.variant == Variant::Chess960 && settings.opening.file.is_empty() {
        return Err("Error: Please specify a Chess960 opening book".to_owned());
    }
    if settings.opening.file.is_empty() {
        *notes += "Warning: No opening book specified! Consider using one, otherwise all games will be \
                   played from the starting position.\n";
    }
    if settings.opening.format == BookFormat::None {
        *notes += "Warning: Unknown opening format, 2. All games will be played from the starting position.\n";
    }
    Ok(())
}

fn concurrency(settings: &mut Settings, notes: &mut String) -> Result<(), String> {
    let processors = processors();
    if settings.concurrency <= 0 {
        settings.concurrency = processors - settings.concurrency.abs();
        *notes += &format!(
            "Info: Adjusted concurrency to {} based on number of available hardware threads.\n",
            settings.concurrency
        );
    }
    if settings.concurrency > processors && !settings.force_concurrency {
        let words =
            "Error: Concurrency exceeds number of CPUs. Use -force-concurrency to override.";
        return Err(words.to_owned());
    }
    Ok(())
}

fn sprt(settings: &mut Settings, notes: &mut String) -> Result<(), String> {
    let sprt = &settings.sprt;
    if !sprt.enabled {
        return Ok(());
    }
    let inside = |value: f64| value > 0.0 && value < 1.0;
    let wrong = match sprt {
        _ if sprt.elo0 >= sprt.elo1 => Some("elo0 must be less than elo1!"),
        _ if !inside(sprt.alpha) => Some("alpha must be a decimal number between 0 and 1!"),
        _ if !inside(sprt.beta) => Some("beta must be a decimal number between 0 and 1!"),
        _ if sprt.alpha + sprt.beta >= 1.0 => Some("sum of alpha and beta must be less than 1!"),
        _ if !["normalized", "bayesian", "logistic"].contains(&sprt.model.as_str()) => {
            Some("invalid SPRT model!")
        }
        _ => None,
    };
    if let Some(wrong) = wrong {
        return Err(format!("Error; SPRT: {wrong}"));
    }
    if sprt.model == "bayesian" && settings.report_penta {
        *notes += "Warning; Bayesian SPRT model not available with pentanomial statistics. Disabling \
                   pentanomial reports...\n";
        settings.report_penta = false;
    }
    Ok(())
}

/// Checks the engines except their limits, and gives each a unique name.
fn named_engines(engines: &mut [EngineSettings]) -> Result<(), String> {
    engines.iter_mut().try_for_each(engine)?;
    let mut seen: HashMap<String, u32> = HashMap::new();
    for engine in engines {
        let count = seen.entry(engine.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            engine.name = format!("{}_{count}", engine.name);
        }
    }
    Ok(())
}

fn limits(engine: &EngineSettings) -> Result<(), String> {
    if is_unlimited(engine) {
        return Err("Error; no TimeControl specified!".to_owned());
    }
    if engine.limit.tc.runs() && engine.limit.tc.fixed_time != 0 {
        return Err("Error; cannot use tc and st together!".to_owned());
    }
    Ok(())
}

fn engine(engine: &mut EngineSettings) -> Result<(), String> {
    let path = Path::new(&engine.dir).join(&engine.cmd);
    if (!engine.dir.is_empty() || path.is_absolute()) && !path.is_file() {
        return Err(format!("Engine binary does not exist: {}", path.display()));
    }
    if engine.name.is_empty() {
        let stem = Path::new(&engine.cmd).file_stem();
        let name = stem.map(|stem| stem.to_string_lossy().into_owned());
        engine.name = name.unwrap_or_default();
    }
    if engine.name.is_empty() {
        Err("Error; please specify a name for each engine!".to_owned())
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    fn reason(line: &str) -> String {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        read(&words, 1).unwrap_err()
    }

    #[test]
    fn unknown_words_are_named_and_the_nearest_option() {
        assert_eq!(
            reason("-engne"),
            "Unrecognized option: -engne parsing failed.: Did you mean \"-engine\"?"
        );
        assert_eq!(
            reason("-something"),
            "Unrecognized option: -something parsing failed."
        );
        let colour = "Unrecognized engine option \"colour\" with value \"red\".";
        assert!(reason("-engine colour=red").ends_with(colour));
        let level = "Unrecognized log level option \"level\" with value \"x\".";
        assert!(reason("-log level=x").ends_with(level));
    }

    #[test]
    fn an_option_takes_all_words_up_to_the_next() {
        let names = OPTIONS.iter().map(|(name, _)| *name);
        let words = ["-resign", "movecount=3", "score=-5", "-concurrency", "-2"];
        let words = words.map(str::to_owned);
        let (given, wrong) = split(&words, names, is_value);
        assert_eq!((given[1].words.as_slice(), wrong), (&words[4..], None));
    }
}
