//! The options of fastchess, in the order of the command line.
//!
//! | file | what |
//! |---|---|
//! | `mod` | from option to option, and what all of them make together |
//! | `rows` | every option: its name, its words, what it sets |
//! | `values` | the options that set more than one thing |

mod rows;
mod values;

use std::path::Path;

use crate::front::common::command_line::{Asked, DONE, Given};
use crate::front::common::engine_keys::{self, unrecognized};
use crate::front::common::event::processors;
use crate::front::common::settings::{CommandLine, EngineSettings, Order, Output, Settings};
use crate::front::common::text::HELP;
use crate::front::fastchess::grammar::{located, split};
use crate::front::fastchess::saved;

use values::format_of;

/// The result of the words that were read so far.
struct FastchessReading<'a> {
    line: CommandLine,
    /// Prints a line at once, before an error in a later word.
    say: &'a mut dyn FnMut(&str),
    /// The settings before `-config file=`.
    before: Option<(Settings, Vec<EngineSettings>)>,
    each: Option<Given>,
}

/// Reads the words after the program's name; `say` prints a line.
///
/// # Errors
/// The text that fastchess prints.
pub(crate) fn read(
    words: &[String],
    seed: u64,
    say: &mut dyn FnMut(&str),
) -> Result<Asked, String> {
    if words.is_empty() {
        return Ok(Asked::Text(HELP.to_owned(), DONE));
    }
    let mut reading = FastchessReading {
        line: CommandLine::new(Settings::new(seed), Vec::new()),
        say,
        before: None,
        each: None,
    };
    let (given, unknown) = split(words, rows::names());
    for option in &given {
        let asked = rows::take(&mut reading, option);
        if let Some(asked) = asked.map_err(|why| option.error(&why))? {
            return Ok(asked);
        }
    }
    if let Some(unknown) = unknown {
        return Err(unknown);
    }
    reading.for_each()?;
    Ok(Asked::Event(Box::new(reading.line)))
}

fn truth(value: &str) -> Option<bool> {
    match value {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

impl FastchessReading<'_> {
    fn each(&mut self, given: &Given) -> Result<(), String> {
        match &mut self.each {
            Some(each) => each.words.extend_from_slice(&given.words),
            None => self.each = Some(given.clone()),
        }
        Ok(())
    }

    /// `-each`, after everything else.
    fn for_each(&mut self) -> Result<(), String> {
        let Some(given) = self.each.take() else {
            return Ok(());
        };
        let shown = match given.words.is_empty() {
            true => "<none>".to_owned(),
            false => given.words.join(" "),
        };
        let wrong = |why: String| located(given.name, &shown, &why);
        for (key, value) in given.some_pairs().map_err(wrong)? {
            for engine in &mut self.line.engines {
                engine_keys::set(engine, &key, &value).map_err(wrong)?;
            }
        }
        Ok(())
    }

    fn quick(&mut self, given: &Given) -> Result<(), String> {
        let mut engines: Vec<EngineSettings> = Vec::new();
        let settings = &mut self.line.settings;
        for (key, value) in &given.some_pairs()? {
            match key.as_str() {
                "cmd" => {
                    let mut engine = EngineSettings {
                        cmd: value.clone(),
                        name: value.clone(),
                        ..EngineSettings::default()
                    };
                    engine.limit.tc.time = 10_000;
                    engine.limit.tc.increment = 100;
                    engines.push(engine);
                }
                "book" => {
                    settings.opening.file = value.clone();
                    settings.opening.order = Order::Random;
                    settings.opening.format = format_of(value).ok_or(
                        "Please include the .pgn or .epd file extension for the opening book.",
                    )?;
                }
                _ => return Err(unrecognized("quick", key, value)),
            }
        }
        if engines.len() != 2 {
            return Err("Option \"-quick\" requires exactly two cmd entries.".to_owned());
        }
        if settings.opening.file.is_empty() {
            return Err("Option \"-quick\" requires a book=FILE entry.".to_owned());
        }
        if engines[0].name == engines[1].name {
            engines[0].name += "1";
            engines[1].name += "2";
        }
        self.line.engines.extend(engines);
        settings.games = 2;
        settings.rounds = 25_000;
        settings.concurrency = (processors() - 2).max(1);
        settings.recover = true;
        settings.draw.enabled = true;
        settings.draw.move_number = 30;
        settings.draw.move_count = 8;
        settings.draw.score = 8;
        settings.output = Output::Cutechess;
        Ok(())
    }

    fn config(&mut self, given: &Given) -> Result<(), String> {
        let mut drops_stats = false;
        for (key, value) in &given.some_pairs()? {
            match (key.as_str(), value.as_str()) {
                ("file", file) => self.load(file)?,
                ("outname", name) => self.line.settings.config_name = name.to_owned(),
                ("discard", "true") => {
                    (self.say)("Discarding config file");
                    self.line.discards = true;
                    // Without a file there were no settings before.
                    let empty = (Settings::new(self.line.settings.seed), Vec::new());
                    let before = self.before.take().unwrap_or(empty);
                    (self.line.settings, self.line.engines) = before;
                    self.line.stats.clear();
                    self.line.store = None;
                }
                ("stats", value) => drops_stats = value == "false",
                _ => return Err(unrecognized("config", key, value)),
            }
        }
        if self.line.engines.len() > 2 {
            eprintln!("Warning: Stats will be dropped for more than 2 engines.");
            self.line.stats.clear();
        }
        if drops_stats {
            self.line.stats.clear();
            self.line.store = None;
        }
        Ok(())
    }

    fn load(&mut self, file: &str) -> Result<(), String> {
        (self.say)(&format!("Loading config file: {file}"));
        let saved = saved::load(Path::new(file)).map_err(|error| match error {
            saved::LoadError::Missing => format!("File not found: {file}"),
            saved::LoadError::Unreadable(why) => why,
        })?;
        let discards = self.line.discards;
        let before = std::mem::replace(&mut self.line, CommandLine { discards, ..saved });
        self.before = Some((before.settings, before.engines));
        Ok(())
    }
}
