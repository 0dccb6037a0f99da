//! `arbiter960 fastchess`: from the words of a command line to the last line of its output.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::common::command_line::{Asked, DONE, FAILED};
use super::common::output::{Told, is_unread, print};
use super::common::settings::{CommandLine, EngineSettings, Level, Settings, Stats};
use super::common::text::INDEXING;
use super::common::unreadable::Unreadable;
use super::common::values::hours;
use super::common::{event, event_engine, place};
use super::fastchess::saved::{self, Kept};
use super::fastchess::{options, sanitize};
use super::prepared::{Prepared, make_files, plays_random_order, translate};
use super::{cutechess, unstarted};
use crate::engine::start::EngineStartError;
use crate::host::neighbours;
use crate::run::signals::{Habit, SignalWatch};
use crate::run::{EndReason, RunEnding, RunError, Session};
use crate::tournament::EventView;

/// Our own option: prints the event file, and plays nothing.
const PRINT_CONFIG: &str = "--print-config";

/// Runs the command line of fastchess after the program's name; returns the exit code.
pub(crate) fn fastchess(program: &str, words: &[String], drawn_seed: u64) -> u8 {
    let begun = Instant::now();
    let signals = match SignalWatch::with_habit(Habit::Front(FAILED)) {
        Ok(signals) => signals,
        Err(error) => return fail(&error.to_string()),
    };
    let (words, prints_config) = without_own_option(words);
    let mut note = |words: &str| note(words, prints_config);
    match options::read(&words, drawn_seed, &mut note) {
        Err(words) => fail(&words),
        Ok(Asked::Text(text, code)) => say(&text, code),
        Ok(Asked::Event(line)) => {
            let front = FrontRun {
                signals: &signals,
                program,
                words: &words,
                begun,
            };
            front.begin(*line, prints_config, FrontRun::run)
        }
    }
}

/// The words for the other program, and whether our own option is among them.
fn without_own_option(words: &[String]) -> (Vec<String>, bool) {
    let (own, others): (Vec<String>, Vec<String>) =
        words.iter().cloned().partition(|word| word == PRINT_CONFIG);
    (others, !own.is_empty())
}

/// Runs the command line of cutechess-cli after the program's name; returns the exit code.
pub(crate) fn cutechess_cli(program: &str, words: &[String], drawn_seed: u64) -> u8 {
    let begun = Instant::now();
    let signals = match SignalWatch::with_habit(Habit::Front(DONE)) {
        Ok(signals) => signals,
        Err(error) => return warn(&error.to_string()),
    };
    let (words, prints_config) = without_own_option(words);
    let mut note = |words: &str| note(words, prints_config);
    match cutechess::read(&words, drawn_seed, &mut note) {
        Err(lines) => {
            crate::text::tell(&lines);
            FAILED
        }
        Ok(Asked::Text(text, code)) => say(&text, code),
        Ok(Asked::Event(line)) => {
            let front = FrontRun {
                signals: &signals,
                program,
                words: &words,
                begun,
            };
            front.begin(*line, prints_config, FrontRun::run_as_cutechess)
        }
    }
}

/// Prints a warning of cutechess-cli that ends the program.
fn warn(words: &str) -> u8 {
    crate::text::tell(&format!("Warning: {words}"));
    FAILED
}

/// Prints a text and returns the code; an error of the output is ignored, since its reader has gone.
fn say(text: &str, code: u8) -> u8 {
    let _unread = print(text);
    code
}

/// Prints a line that comes before everything else, unless the event file is printed.
fn note(words: &str, prints_config: bool) {
    if !prints_config {
        say(&format!("{words}\n"), DONE);
    }
}

fn fail(words: &str) -> u8 {
    say(&format!("{}\n", words.trim_end()), FAILED)
}

/// 128 and the number of SIGINT.
const INTERRUPTED: u8 = 130;

/// 128 and the number of SIGPIPE.
const UNREAD: u8 = 141;

/// A run of the program.
struct FrontRun<'a> {
    signals: &'a SignalWatch,
    program: &'a str,
    words: &'a [String],
    begun: Instant,
}

/// The result of a run.
struct RunResult {
    ending: RunEnding,
    /// Nothing is left to play.
    complete: bool,
}

impl FrontRun<'_> {
    /// Plays the event, or prints its event file.
    fn begin(&self, line: CommandLine, prints: bool, run: fn(&Self, CommandLine) -> u8) -> u8 {
        for words in &line.settings.unwritten.warnings {
            crate::text::tell(&format!("Warning: {words}"));
        }
        match prints {
            true => self.print_config(line),
            false => run(self, line),
        }
    }

    fn print_config(&self, line: CommandLine) -> u8 {
        let mut line = line;
        let mut silent = |_: &str| ();
        let checked = sanitize::settings(&mut line.settings, &mut silent)
            .and_then(|()| sanitize::engines(&mut line.engines));
        match checked {
            Ok(()) => say(
                &event::event(&line.settings, &line.engines, "fastchess").to_toml(),
                DONE,
            ),
            Err(words) => fail(&words),
        }
    }

    /// Runs without the last lines of fastchess, and returns exit code 0 whatever the engines did.
    fn run_as_cutechess(&self, mut line: CommandLine) -> u8 {
        let asked = line.clone();
        for engine in &line.engines {
            let program = event_engine::program(engine);
            if !program.is_file() {
                let why = format!("Cannot execute command: {}", engine.cmd);
                return without_game(
                    &asked,
                    &format!("Cannot start engine {}:\n{why}", engine.name),
                );
            }
        }
        let engines = sanitize::named_engines(&mut line.engines);
        let (prepared, session) = match engines.and_then(|()| translate(self.words, line)) {
            Ok(Some(prepared)) => prepared,
            Ok(None) => return DONE,
            Err(words) => return warn(&words),
        };
        let told = Arc::<Mutex<Told>>::default();
        match play(&prepared, session, self.signals, &told) {
            Ok(outcome) => {
                let is_decided = told.lock().unwrap_or_else(PoisonError::into_inner).decided;
                prepared.leave(outcome.complete || is_decided);
                match outcome.ending.signal() {
                    Some(signal) if signal != INTERRUPTED => signal,
                    _ => say("Finished match\n", DONE),
                }
            }
            Err(RunError::Engines(unfit)) => {
                let first = unfit.first().map(|one| {
                    let why = match &one.error {
                        EngineStartError::Silent { .. } => {
                            "Chess protocol was not started in time".to_owned()
                        }
                        EngineStartError::Ended { .. } => String::new(),
                        other => other.to_string(),
                    };
                    format!("Could not initialize player {}: {why}", one.name)
                });
                without_game(&asked, &first.unwrap_or_default())
            }
            Err(error) => warn(&error.to_string()),
        }
    }

    /// Prints why nothing more was played.
    fn failed(&self, prepared: &Prepared, error: RunError) -> u8 {
        match error {
            RunError::Engines(unfit) => {
                let lines = unstarted::lines(&prepared.tournament, &unstarted::tried(&unfit));
                prepared.log.printed(&lines);
                self.unstarted(&prepared.line, &lines)
            }
            RunError::Sink(error) if is_unread(&error) => UNREAD,
            error => {
                let words = format!("Error: {error}");
                prepared.log.printed(&words);
                fail(&words)
            }
        }
    }

    /// The end of a run in which an engine does not start.
    fn unstarted(&self, line: &CommandLine, lines: &str) -> u8 {
        let _unread = print(lines);
        let settings = &line.settings;
        make_files(settings);
        write_config(settings, &line.engines, &[], None);
        self.end(Some(settings))
    }

    fn run(&self, mut line: CommandLine) -> u8 {
        let missing = match sanitized(&mut line).and_then(|()| unstarted::missing(&line)) {
            Ok(missing) => missing,
            Err(words) => return fail(&words),
        };
        let indexes = plays_random_order(&line.settings);
        if let Some(lines) = missing {
            if indexes {
                say(&format!("{INDEXING}\n"), FAILED);
            }
            return self.unstarted(&line, &lines);
        }
        let (mut prepared, session) = match translate(self.words, line) {
            Ok(Some(prepared)) => prepared,
            // Everything was played before.
            Ok(None) => return self.end(None),
            Err(words) => return fail(&words),
        };
        let indexing = if indexes {
            format!("{INDEXING}\n")
        } else {
            String::new()
        };
        if print(&indexing).is_err_and(|error| is_unread(&error)) {
            return UNREAD;
        }
        prepared.begin_log();
        let told = Arc::<Mutex<Told>>::default();
        let outcome = match play(&prepared, session, self.signals, &told) {
            Ok(outcome) => outcome,
            Err(error) => return self.failed(&prepared, error),
        };
        let told = std::mem::take(&mut *told.lock().unwrap_or_else(PoisonError::into_inner));
        if told.unread {
            // As after a kill: the same line continues.
            return UNREAD;
        }
        let mut interrupted = told.broken_off || outcome.ending.signal().is_some() && !told.decided;
        let mut is_complete = outcome.complete || told.decided && !told.broken_off;
        if let Some(unreadable) = Unreadable::of(&prepared.tournament)
            && !interrupted
            && !told.decided
        {
            (interrupted, is_complete) = (true, false);
            let before = prepared.line.games_before().cast_unsigned();
            let lines = unreadable.lines(&prepared.tournament, before);
            prepared.log.printed(&lines);
            let _unread = print(&lines);
        }
        save(&prepared, &told, prepared.place.kept || !is_complete);
        prepared.leave(is_complete);
        prepared.log.note(Level::Info, "Finished match");
        let code = self.end(interrupted.then_some(&prepared.line.settings));
        match outcome.ending.signal() {
            Some(signal) if interrupted && signal != INTERRUPTED => signal,
            _ => code,
        }
    }

    /// Prints the last lines; `interrupted` contains the settings of a run that was interrupted.
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
}

/// Checks and completes what a command line says.
fn sanitized(line: &mut CommandLine) -> Result<(), String> {
    let mut said = String::new();
    let mut note = |words: &str| said += &format!("{words}\n");
    let checked = sanitize::settings(&mut line.settings, &mut note)
        .and_then(|()| sanitize::engines(&mut line.engines));
    let _unread = print(&said);
    checked?;
    if line.settings.unwritten.test_env {
        place::remove_abandoned();
    }
    Ok(())
}

/// Writes `config.json`, with the place of the store if that is kept.
fn save(prepared: &Prepared, told: &Told, keeps_store: bool) {
    let CommandLine {
        settings,
        engines,
        stats: before,
        ..
    } = &prepared.line;
    let store = prepared.place.folder.to_string_lossy();
    let kept = keeps_store.then_some(Kept {
        store: &store,
        before,
    });
    write_config(settings, engines, &told.stats, kept);
}

fn write_config(
    settings: &Settings,
    engines: &[EngineSettings],
    stats: &[(String, Stats)],
    kept: Option<Kept<'_>>,
) {
    let path = Path::new(&settings.config_name);
    if let Err(error) = saved::write(path, settings, engines, stats, kept) {
        say(
            &format!("Error: {} cannot be written: {error}\n", path.display()),
            FAILED,
        );
    }
}

/// What cutechess-cli prints if an engine does not start: there this is not a failure.
fn without_game(line: &CommandLine, warning: &str) -> u8 {
    if let Some(own) = &line.settings.unwritten.cutechess {
        let standing = cutechess::CutechessStandings::new((&line.settings, own), &line.engines);
        let _unread = print(&(standing.ranking() + &standing.outcomes()));
    }
    crate::text::tell(&format!("Warning: {warning}"));
    say("Finished match\n", DONE)
}

/// Plays the missing games of an event.
fn play(
    prepared: &Prepared,
    mut session: Session,
    signals: &SignalWatch,
    told: &Arc<Mutex<Told>>,
) -> Result<RunResult, RunError> {
    // Signals wait until the dispatcher handles them: if one ended the program at once, that would look like a kill.
    let _attended = signals.attend();
    make_files(&prepared.line.settings);
    session.share_with(neighbours::folder());
    session.play_regardless();
    session.place_lanes(prepared.line.settings.unwritten.cpus.clone());
    if let Some(lines) = prepared.spoken_lines() {
        session.tell_spoken_lines(lines);
    }
    drop(session.take_remarks());
    let complete = session.is_complete()?;
    let audience =
        |session: &Session, _: &EventView| prepared.listeners(session, (told, signals.stopper()));
    let ending = match complete {
        true => session.complete(signals, audience)?,
        false => session.play(signals, audience)?,
    };
    let nothing_left = matches!(ending.reason, EndReason::NothingLeft) && ending.voided == 0;
    Ok(RunResult {
        complete: complete || nothing_left,
        ending,
    })
}
