//! `arbiter960 fastchess`: from the words of a command line to the last line of its output.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::blocks::Blocks;
use super::console::{Beginning, Console, Told, print};
use super::cutechess;
use super::event;
use super::files::{Added, Content};
use super::options::{self, Asked};
use super::pgn::{Games, hours};
use super::place::Place;
use super::sanitize;
use super::saved;
use super::settings::{BookFormat, CommandLine, Order, Settings};
use super::starts::Starts;
use super::text::{CUTECHESS_HELP, HELP, cutechess_version, version};
use crate::config::{Disk, Overrides, Tournament, parse};
use crate::host::neighbours;
use crate::run::signals::{SignalWatch, Stop};
use crate::run::{Ending, RunError, Session};
use crate::schedule::Plan;
use crate::sink::{RunOutputs, Sinks};
use crate::store::Reader;
use crate::tournament::EventView;
use crate::uci::Ready;

/// An option of ours: the event file is printed, and nothing is played.
const PRINT_CONFIG: &str = "--print-config";

/// Exit codes of fastchess.
const DONE: u8 = 0;
const FAILED: u8 = 1;

/// Runs the command line of fastchess behind the program's name; the exit code.
pub(crate) fn fastchess(program: &str, words: &[String], drawn_seed: u64) -> u8 {
    let begun = Instant::now();
    let (words, prints_config) = without_own_option(words);
    match options::read(&words, drawn_seed) {
        Err(words) => fail(&words),
        Ok(Asked::Help) => say(HELP, DONE),
        Ok(Asked::Version) => say(&format!("{}\n", version()), DONE),
        Ok(Asked::Event(line)) => {
            let front = Front {
                program,
                words: &words,
                begun,
            };
            match prints_config {
                true => front.print_config(*line),
                false => front.run(*line),
            }
        }
    }
}

/// The words of the other program, and whether ours is among them.
fn without_own_option(words: &[String]) -> (Vec<String>, bool) {
    let (own, others): (Vec<String>, Vec<String>) =
        words.iter().cloned().partition(|word| word == PRINT_CONFIG);
    (others, !own.is_empty())
}

/// Runs the command line of cutechess-cli behind the program's name; the exit code.
pub(crate) fn cutechess_cli(program: &str, words: &[String], drawn_seed: u64) -> u8 {
    let begun = Instant::now();
    let (words, prints_config) = without_own_option(words);
    match cutechess::read(&words, drawn_seed) {
        Err(words) => warn(&words),
        Ok(cutechess::Asked::Help) => say(CUTECHESS_HELP, DONE),
        Ok(cutechess::Asked::Version) => say(&format!("{}\n", cutechess_version()), DONE),
        Ok(cutechess::Asked::Event(line)) => {
            let front = Front {
                program,
                words: &words,
                begun,
            };
            match prints_config {
                true => front.print_config(*line),
                false => front.run_as_cutechess(*line),
            }
        }
    }
}

/// A warning of cutechess-cli, which ends it.
fn warn(words: &str) -> u8 {
    crate::text::tell(&format!("Warning: {words}"));
    FAILED
}

/// Prints, and is done; nobody hears of a reader that has gone.
fn say(text: &str, code: u8) -> u8 {
    let _unread = print(text);
    code
}

fn fail(words: &str) -> u8 {
    say(&format!("{}\n", words.trim_end()), FAILED)
}

/// A run of the program.
struct Front<'a> {
    program: &'a str,
    words: &'a [String],
    begun: Instant,
}

/// An event that can be played.
struct Prepared {
    line: CommandLine,
    place: Place,
    tournament: Tournament,
    /// Pairs that were played before, of a `config.json` of fastchess.
    before: u64,
}

/// What came of a run.
struct Outcome {
    ending: Ending,
    /// Nothing is left to play.
    complete: bool,
}

impl Front<'_> {
    fn print_config(&self, line: CommandLine) -> u8 {
        let mut line = line;
        let mut silent = |_: &str| ();
        let checked = sanitize::settings(&mut line.settings, &mut silent)
            .and_then(|()| sanitize::engines(&mut line.engines));
        let file = checked.and_then(|()| {
            let file = event::file(&line.settings, &line.engines, "fastchess");
            file.map_err(|untranslatable| untranslatable.0)
        });
        match file {
            Ok(file) => say(&file, DONE),
            Err(words) => fail(&words),
        }
    }

    /// Without the last lines of fastchess, and with exit code 0 whatever the engines did.
    fn run_as_cutechess(&self, mut line: CommandLine) -> u8 {
        let engines = sanitize::engines(&mut line.engines);
        let prepared = match engines.and_then(|()| self.translate(line)) {
            Ok(Some(prepared)) => prepared,
            Ok(None) => return DONE,
            Err(words) => return warn(&words),
        };
        if prepared.plays_random_order() && print("Indexing opening suite...\n").is_err() {
            return FAILED;
        }
        let told = Arc::<Mutex<Told>>::default();
        match play(&prepared, &told) {
            Ok(outcome) => {
                let folder = prepared.place.folder();
                if outcome.complete && !prepared.place.kept {
                    remove(&folder);
                }
                say("Finished match\n", DONE)
            }
            Err(error) => warn(&error.to_string()),
        }
    }

    fn run(&self, line: CommandLine) -> u8 {
        let prepared = match self.prepare(line) {
            Ok(Some(prepared)) => prepared,
            // All of it was played before.
            Ok(None) => return self.end(None),
            Err(words) => return fail(&words),
        };
        if prepared.plays_random_order() && print("Indexing opening suite...\n").is_err() {
            return FAILED;
        }
        let told = Arc::<Mutex<Told>>::default();
        let outcome = match play(&prepared, &told) {
            Ok(outcome) => outcome,
            Err(RunError::Engines(unfit)) => {
                let lines: String = unfit
                    .iter()
                    .map(|one| startup_failure(&one.name, &one.error))
                    .collect();
                let _unread = print(&lines);
                return self.end(Some(&prepared.line.settings));
            }
            Err(error) => return fail(&format!("Error: {error}")),
        };
        let told = std::mem::take(&mut *told.lock().unwrap_or_else(PoisonError::into_inner));
        let interrupted = outcome.ending.signal.is_some() || told.broken_off;
        let keeps = prepared.place.kept || !outcome.complete;
        let folder = prepared.place.folder();
        let store = keeps.then(|| folder.to_string_lossy().into_owned());
        let CommandLine {
            settings, engines, ..
        } = &prepared.line;
        let path = Path::new(&settings.config_name);
        if let Err(error) = saved::write(path, settings, engines, &told.stats, store.as_deref()) {
            let _unread = print(&format!(
                "Error: {} cannot be written: {error}\n",
                path.display()
            ));
        }
        if !keeps {
            remove(&folder);
        }
        self.end(interrupted.then_some(settings))
    }

    /// The last lines; with the settings of a run that was interrupted.
    fn end(&self, interrupted: Option<&Settings>) -> u8 {
        let mut text = String::new();
        if let Some(settings) = interrupted {
            text += &format!(
                "Tournament was interrupted. To resume the tournament, run: {} -config file={}\n",
                self.program, settings.config_name
            );
        }
        let total = hours(self.begun.elapsed());
        text += &format!("Finished match\nTotal Time: {total} (hours:minutes:seconds)\n\n");
        say(&text, if interrupted.is_some() { FAILED } else { DONE })
    }

    /// The event of a command line; `None` if all of it was played before.
    fn prepare(&self, mut line: CommandLine) -> Result<Option<Prepared>, String> {
        let mut said = String::new();
        let mut note = |words: &str| said += &format!("{words}\n");
        line.printed.iter().for_each(|words| note(words));
        let checked = sanitize::settings(&mut line.settings, &mut note)
            .and_then(|()| sanitize::engines(&mut line.engines));
        let _unread = print(&said);
        checked?;
        self.translate(line)
    }

    /// The event of a command line that was checked; `None` if all of it was played before.
    fn translate(&self, mut line: CommandLine) -> Result<Option<Prepared>, String> {
        let store = line
            .store
            .as_ref()
            .map(Path::new)
            .filter(|store| store.exists());
        let store = store.and_then(|store| Place::named(store, false));
        let is_ours = store.is_some();
        let place = store.unwrap_or_else(|| Place::of(self.words, &line.settings, &line.engines));
        if is_ours {
            // The store has them.
            line.stats.clear();
        }
        let mut remaining = line.settings.clone();
        let games: i64 = line.stats.values().map(|stats| stats.games()).sum();
        let before = games.max(0) / remaining.games.max(1);
        remaining.rounds -= before;
        let start = i64::from(remaining.opening.start) + before;
        remaining.opening.start = i32::try_from(start).unwrap_or(i32::MAX);
        if remaining.rounds <= 0 {
            return Ok(None);
        }
        if let Some(seed) = recorded_seed(&place) {
            (remaining.seed, line.settings.seed) = (seed, seed);
        }
        let file = event::file(&remaining, &line.engines, &place.name);
        let file = file.map_err(|untranslatable| untranslatable.0)?;
        let tournament = self.check(&file, remaining.seed)?;
        let before = before.cast_unsigned();
        Ok(Some(Prepared {
            line,
            place,
            tournament,
            before,
        }))
    }

    fn check(&self, file: &str, seed: u64) -> Result<Tournament, String> {
        let folder = std::env::current_dir().map_err(|error| error.to_string())?;
        let overrides = Overrides {
            seed: Some(seed),
            ..Overrides::default()
        };
        let origin = folder.join("event (from the command line)");
        let parsed = parse(file, &origin, overrides, &Disk);
        let (tournament, _) = parsed.map_err(|errors| errors.to_string())?;
        Ok(tournament)
    }
}

/// Removes the store of a complete event.
fn remove(folder: &Path) {
    if let Err(error) = fs::remove_dir_all(folder) {
        crate::text::tell(&format!("{} cannot be removed: {error}", folder.display()));
    }
}

/// The seed of an event that has begun.
fn recorded_seed(place: &Place) -> Option<u64> {
    let reader = Reader::open(&place.folder()).ok()?;
    Some(reader.identity().ok()??.identity.seed)
}

/// What fastchess says of an engine that does not come up.
fn startup_failure(name: &str, error: &crate::engine::start::EngineStartError) -> String {
    use crate::engine::start::EngineStartError::{Ended, Silent, Unfit};
    let why = match error {
        Silent { .. } | Ended { .. } => "Engine didn't respond to uciok after startup".to_owned(),
        Unfit(_) => error.to_string(),
        _ => error.to_string(),
    };
    format!("Fatal; {name} engine startup failure: \"{why}\"\n")
}

impl Prepared {
    fn plays_random_order(&self) -> bool {
        let opening = &self.line.settings.opening;
        let has_book = !opening.file.is_empty() && opening.format != BookFormat::None;
        has_book && opening.order == Order::Random
    }

    /// What is said at the beginning of its games of options that an engine refuses.
    fn warnings(&self, ready: &[Ready]) -> Vec<Vec<String>> {
        let engines = self.tournament.engines.iter().enumerate();
        let warnings = engines.map(|(index, spec)| {
            let Some(ready) = ready.get(index) else {
                return Vec::new();
            };
            let options = &ready.identity.options;
            let refused = spec.options.iter().filter_map(|(name, value)| {
                let Some(option) = options.get(name) else {
                    return Some(format!("Warning; {} doesn't have option {name}", spec.name));
                };
                let is_button = option.kind == crate::uci::OptionKind::Button;
                let fits = match is_button {
                    true => value == "true",
                    false => options.validate(name, value).is_ok(),
                };
                (!fits).then(|| format!("Warning; Invalid value for option {name}; {value}"))
            });
            refused.collect()
        });
        warnings.collect()
    }

    /// The listeners of a run: the files and the lines, one after the other on one thread.
    fn listeners(
        &self,
        session: &Session,
        told: &Arc<Mutex<Told>>,
    ) -> Result<RunOutputs, RunError> {
        let CommandLine {
            settings,
            engines,
            stats,
            ..
        } = &self.line;
        let reader = session.reader()?;
        let games = Games {
            options: settings.pgn.clone(),
            variant: settings.variant,
            engines: engines.clone(),
            identities: self.identities(&reader)?,
            before: self.before,
        };
        let mut files = Sinks::default();
        let asked = [
            (Content::Pgn, &settings.pgn.file, settings.pgn.append_file),
            (Content::Epd, &settings.epd.file, settings.epd.append_file),
        ];
        for (content, file, append) in asked {
            if !file.is_empty() {
                let known = (&reader, settings.recover);
                files.add(Added::open(content, (file, append), games.clone(), known)?);
            }
        }
        let plan = self.tournament.plan().map_err(std::io::Error::other)?;
        if settings.unwritten.cutechess {
            files.add(self.cutechess_lines(session, plan, told)?);
            return Ok(RunOutputs {
                files,
                display: Sinks::default(),
                broadcast: Sinks::default(),
            });
        }
        let mut console = Console::new(Beginning {
            settings: settings.clone(),
            engines: engines.clone(),
            blocks: Blocks::new(settings, engines, session.ready()),
            plan,
            stats: stats.clone(),
            warnings: self.warnings_or_none(session.ready()),
            store: self.place.folder().to_string_lossy().into_owned(),
            told: Arc::clone(told),
        });
        for result in reader.results() {
            let result = result?;
            console.recall(result.id, result.seats, result.white);
        }
        files.add(console);
        Ok(RunOutputs {
            files,
            display: Sinks::default(),
            broadcast: Sinks::default(),
        })
    }

    fn cutechess_lines(
        &self,
        session: &Session,
        plan: Plan,
        told: &Arc<Mutex<Told>>,
    ) -> Result<cutechess::Lines, RunError> {
        let CommandLine {
            settings, engines, ..
        } = &self.line;
        let names = [0, 1].map(|place: usize| {
            let engine = engines.get(place);
            engine.map(|engine| engine.name.clone()).unwrap_or_default()
        });
        let warnings = self.warnings_or_none(session.ready());
        let starts = Starts::new(plan);
        let told = Arc::clone(told);
        let mut lines = cutechess::Lines::new(settings.clone(), names, starts, warnings, told);
        for result in session.reader()?.results() {
            let result = result?;
            lines.recall(result.id, result.seats, result.white);
        }
        Ok(lines)
    }

    fn warnings_or_none(&self, ready: &[Ready]) -> Vec<Vec<String>> {
        let mut warnings = self.warnings(ready);
        warnings.resize(self.line.engines.len(), Vec::new());
        warnings
    }

    /// Name and author of every engine, as the store has them.
    fn identities(&self, reader: &Reader) -> Result<Vec<(String, String)>, RunError> {
        let entries = reader.engines(reader.revision()?)?;
        let said: BTreeMap<u16, (String, String)> = entries
            .into_iter()
            .map(|entry| {
                let name = entry.id_name.unwrap_or_default();
                (entry.engine, (name, entry.author.unwrap_or_default()))
            })
            .collect();
        let engines = 0..u16::try_from(self.line.engines.len()).unwrap_or(u16::MAX);
        Ok(engines
            .map(|engine| said.get(&engine).cloned().unwrap_or_default())
            .collect())
    }
}

/// Plays what is missing of an event.
fn play(prepared: &Prepared, told: &Arc<Mutex<Told>>) -> Result<Outcome, RunError> {
    let tournament = prepared.tournament.clone();
    let identity = tournament.identity();
    let identity = identity.map_err(|error| RunError::System(std::io::Error::other(error)))?;
    fs::create_dir_all(&prepared.place.results)?;
    let mut session = Session::open(tournament, identity, &prepared.place.results, false)?;
    session.share_with(neighbours::folder());
    drop(session.take_remarks());
    let complete = session.is_complete()?;
    let signals = SignalWatch::with_first(Stop::VoidGames)?;
    let audience = |session: &Session, _: &EventView| prepared.listeners(session, told);
    let ending = match complete {
        true => session.complete(&signals, audience)?,
        false => session.play(&signals, audience)?,
    };
    let nothing_left = ending.signal.is_none() && ending.voided == 0 && !ending.stopped_by_fault;
    Ok(Outcome {
        complete: complete || (nothing_left && ending.gave_up.is_none()),
        ending,
    })
}
