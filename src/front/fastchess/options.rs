//! The command line of fastchess: the options that read their words themselves, and what all of them make together.

use std::path::Path;

use super::rows::{OPTIONS, OptionRow, PGN_KEYS, Takes, dated, take_word, unrecognized};
use super::saved;
use crate::front::common::command_line::{
    Asked, DONE, Given, KeyValue, alone, pairs, some_pairs, split,
};
use crate::front::common::event::processors;
use crate::front::common::settings::{CommandLine, EngineSettings, Settings};
use crate::front::common::text::HELP;
use crate::front::common::values::{milliseconds, real, time_control, whole};

/// The result of the words that were read so far.
pub(super) struct FastchessReading {
    line: CommandLine,
    /// The settings before `-config file=`.
    before: Option<(Settings, Vec<EngineSettings>)>,
    each: Option<Given>,
}

/// Reads the words after the program's name.
///
/// # Errors
/// The text that fastchess prints.
pub(in crate::front) fn read(words: &[String], seed: u64) -> Result<Asked, String> {
    if words.is_empty() {
        return Ok(Asked::Text(HELP.to_owned(), DONE));
    }
    let mut reading = FastchessReading {
        line: CommandLine::new(Settings::new(seed), Vec::new()),
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
    let nearest = OPTIONS
        .iter()
        .map(|(name, _)| (strsim::levenshtein(word, name), name));
    match nearest.min() {
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
    fn take_all(&mut self, words: &[String]) -> Result<Option<Asked>, String> {
        let (given, wrong) = split(words, OPTIONS.iter().map(|(name, _)| *name), is_value);
        for option in &given {
            // The message names the last word that was read.
            let last = option.words.last().map_or(option.name, String::as_str);
            let asked = self
                .take(option)
                .map_err(|why| located(option.name, last, &why))?;
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
                return Ok(Some(Asked::Text(text(), DONE)));
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

    fn load(&mut self, file: &str) -> Result<(), String> {
        self.line.notes += &format!("Loading config file: {file}\n");
        let saved = saved::load(Path::new(file))?;
        let kept = CommandLine {
            discards: self.line.discards,
            notes: std::mem::take(&mut self.line.notes),
            ..saved
        };
        let before = std::mem::replace(&mut self.line, kept);
        self.before = Some((before.settings, before.engines));
        Ok(())
    }
}

/// Takes in these values of the keys of an option.
fn take_keys(
    settings: &mut Settings,
    option: &str,
    keys: &[OptionRow],
    all: &[KeyValue],
) -> Result<(), String> {
    for (key, value) in all {
        let row = keys.iter().find(|(known, _)| known == key);
        let taken = row.map_or(Err(None), |(_, takes)| take_word(settings, *takes, value));
        let shown = match row {
            Some((_, Takes::Choice(_))) if option != "-output" => &format!("{option} {key}"),
            _ => option,
        };
        taken.map_err(|why| why.unwrap_or_else(|| unrecognized(shown, key, value)))?;
    }
    Ok(())
}

pub(super) fn engine(reading: &mut FastchessReading, given: &Given) -> Result<(), String> {
    let mut engine = EngineSettings::default();
    for (key, value) in some_pairs(given)? {
        set_key(&mut engine, &key, &value)?;
    }
    reading.line.engines.push(engine);
    Ok(())
}

/// Takes in a key of an engine.
fn set_key(engine: &mut EngineSettings, key: &str, value: &str) -> Result<(), String> {
    if engine.set_common(key, value) {
        return Ok(());
    }
    let tc = &mut engine.limit.tc;
    match key {
        "tc" if value.contains("hg") => {
            return Err("Hourglass time control not supported.".to_owned());
        }
        // The margin and the time of a move that were given before are lost, as in fastchess.
        "tc" => *tc = time_control(value, real)?,
        "st" => tc.fixed_time = milliseconds(real(value)?),
        "timemargin" => {
            tc.timemargin = whole::<i32>(value)?.into();
            if tc.timemargin < 0 {
                return Err("The value for timemargin cannot be a negative number.".to_owned());
            }
        }
        // In fastchess, negative numbers wrap around to large ones.
        "nodes" => engine.limit.nodes = whole::<i64>(value)?.cast_unsigned(),
        "plies" | "depth" => engine.limit.plies = whole::<i64>(value)?.cast_unsigned(),
        "args" => value.clone_into(&mut engine.args),
        "restart" if matches!(value, "on" | "off") => engine.restart = value == "on",
        "restart" => {
            return Err(format!(
                "Invalid parameter (must be either \"on\" or \"off\"): {value}"
            ));
        }
        "proto" if value == "uci" => {}
        "proto" => return Err("Unsupported protocol.".to_owned()),
        _ => return Err(unrecognized("engine", key, value)),
    }
    Ok(())
}

pub(super) fn each(reading: &mut FastchessReading, given: &Given) -> Result<(), String> {
    let each = reading.each.get_or_insert(Given {
        name: given.name,
        words: Vec::new(),
    });
    each.words.extend_from_slice(&given.words);
    Ok(())
}

pub(super) fn pgn_out(reading: &mut FastchessReading, given: &Given) -> Result<(), String> {
    let settings = &mut reading.line.settings;
    // The form of cutechess-cli, which weather-factory writes for both runners.
    if let [path] = given.words.as_slice()
        && !path.contains('=')
    {
        settings.pgn.file.clone_from(path);
        return Ok(());
    }
    settings.pgn.file = dated("pgn");
    take_keys(settings, given.name, &PGN_KEYS, &pairs(given)?)
}

/// One number, or nothing for 2; other words do not matter.
pub(super) fn repeat(reading: &mut FastchessReading, given: &Given) -> Result<(), String> {
    let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
    reading.line.settings.games = match given.words.as_slice() {
        [word] if is_number(word) => whole(word)?,
        _ => 2,
    };
    Ok(())
}

/// `3,5,7-11`.
pub(super) fn affinity(reading: &mut FastchessReading, given: &Given) -> Result<(), String> {
    let settings = &mut reading.line.settings;
    settings.affinity = true;
    for part in given
        .words
        .first()
        .into_iter()
        .flat_map(|word| word.split(','))
    {
        // The first number may have a sign, as the second; there is no processor with a negative number.
        let bar = part.char_indices().skip(1).find(|(_, one)| *one == '-');
        let (first, last) = bar.map_or((part, part), |(at, _)| (&part[..at], &part[at + 1..]));
        let number = |text: &str| text.trim().parse::<i32>().ok();
        let ends = number(first).zip(number(last));
        let ends = ends.filter(|(first, last)| bar.is_none() || last > first);
        let (first, last) = ends.ok_or("Bad cpu list.")?;
        let all = (first.max(0)..=last.min(i32::from(u16::MAX))).map(u16::try_from);
        settings.unwritten.cpus.extend(all.flatten());
    }
    Ok(())
}

pub(super) fn debug(_: &mut FastchessReading, given: &Given) -> Result<(), String> {
    alone(given)?;
    let words = "The 'debug' option does not exist in fastchess. Use the 'log' option \
                 instead to write all engine input and output into a text file.";
    Err(words.to_owned())
}

/// Two engines and a book; the rest of an ordinary test.
pub(super) fn quick(reading: &mut FastchessReading, given: &Given) -> Result<(), String> {
    let (mut engines, mut book) = (Vec::new(), None);
    for (key, value) in some_pairs(given)? {
        match key.as_str() {
            "cmd" => engines.push(value),
            "book" => book = Some(value),
            _ => return Err(unrecognized("quick", &key, &value)),
        }
    }
    let [one, other] = engines.as_slice() else {
        return Err("Option \"-quick\" requires exactly two cmd entries.".to_owned());
    };
    let book = book.ok_or("Option \"-quick\" requires a book=FILE entry.")?;
    let numbers = if one == other { ["1", "2"] } else { ["", ""] };
    let lanes = (processors() - 2).max(1);
    let options = [
        format!("-engine\ncmd={one}\nname={one}{}\ntc=10+0.1", numbers[0]),
        format!(
            "-engine\ncmd={other}\nname={other}{}\ntc=10+0.1",
            numbers[1]
        ),
        format!("-openings\nfile={book}\norder=random"),
        format!("-games\n2\n-rounds\n25000\n-concurrency\n{lanes}\n-recover"),
        "-draw\nmovenumber=30\nmovecount=8\nscore=8\n-output\nformat=cutechess".to_owned(),
    ];
    let words: Vec<String> = options.join("\n").lines().map(str::to_owned).collect();
    reading.take_all(&words).map(|_| ())
}

pub(super) fn config(reading: &mut FastchessReading, given: &Given) -> Result<(), String> {
    let mut drops_stats = false;
    for (key, value) in &some_pairs(given)? {
        match (key.as_str(), value.as_str()) {
            ("file", file) => reading.load(file)?,
            ("outname", name) => name.clone_into(&mut reading.line.settings.config_name),
            ("discard", "true") => {
                let line = &mut reading.line;
                line.notes += "Discarding config file\n";
                line.discards = true;
                // Without a file there were no settings before.
                let empty = (Settings::new(line.settings.seed), Vec::new());
                (line.settings, line.engines) = reading.before.take().unwrap_or(empty);
                line.stats.clear();
                line.store = None;
            }
            ("stats", value) => drops_stats = value == "false",
            _ => return Err(unrecognized("config", key, value)),
        }
    }
    let line = &mut reading.line;
    if line.engines.len() > 2 {
        eprintln!("Warning: Stats will be dropped for more than 2 engines.");
    }
    if line.engines.len() > 2 || drops_stats {
        line.stats.clear();
    }
    if drops_stats {
        line.store = None;
    }
    Ok(())
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
