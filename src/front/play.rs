//! From the words of a command line to the last line of its output.

use std::time::Instant;

use super::Front;
use super::common::command_line::{Asked, DONE, FAILED, INDEXING};
use super::common::counts::Stats;
use super::common::output::{SharedOutcome, is_unread, print};
use super::common::settings::{BookFormat, CommandLine, Order, Settings};
use super::common::values::hours;
use super::common::{event, event_engine, place};
use super::cutechess::CutechessStandings;
use super::fastchess::options::sanitize;
use super::fastchess::saved;
use super::prepared::{
    Prepared, make_files, missing_programs, translate, unreadable, unreadable_lines,
    unstarted_engines,
};
use crate::engine::start::EngineStartError;
use crate::host::neighbours;
use crate::platform::lock;
use crate::run::signals::SignalWatch;
use crate::run::{EndReason, RunEnding, RunError, Session};
use crate::text::tell;
use crate::tournament::EventView;

/// Our own option: prints the event file, and plays nothing.
pub(crate) const PRINT_CONFIG: &str = "--print-config";

/// Runs the command line of another runner after the program's name; returns the exit code.
pub(crate) fn play(front: Front, program: &str, words: &[String], drawn_seed: u64) -> u8 {
    let begun = Instant::now();
    let (interrupted, give_up): (u8, fn(&str) -> u8) = match front {
        Front::Fastchess => (FAILED, fail),
        Front::Cutechess => (DONE, warn),
    };
    let signals = match SignalWatch::of_front(Some(interrupted)) {
        Ok(signals) => signals,
        Err(error) => return give_up(&error.to_string()),
    };
    let is_own = |word: &String| word == PRINT_CONFIG;
    let (own, words): (Vec<String>, Vec<String>) = words.iter().cloned().partition(is_own);
    let line = match front.read(&words, drawn_seed) {
        Ok(Asked::Event(line)) => *line,
        Ok(Asked::Text(text)) => return say(&text, DONE),
        Err(wrong) if front == Front::Fastchess => return fail(&wrong),
        Err(wrong) => {
            tell(&wrong);
            return FAILED;
        }
    };
    for words in &line.settings.unwritten.warnings {
        tell(&format!("Warning: {words}"));
    }
    if !own.is_empty() {
        return print_config(line);
    }
    let (signals, words) = (&signals, &words);
    let run = FrontRun {
        signals,
        program,
        words,
        begun,
    };
    match front {
        Front::Fastchess => run.fastchess(line),
        Front::Cutechess => run.cutechess(line),
    }
}

/// Prints the event file that says the same.
fn print_config(mut line: CommandLine) -> u8 {
    // The number of games at once is kept: the event may be played on another machine.
    line.settings.force_concurrency = true;
    let checked = sanitize(&mut line);
    let event = |()| event::event(&line.settings, &line.engines, "fastchess");
    match checked.map(event) {
        Ok(event) => say(&event.to_toml(), DONE),
        Err(wrong) => fail(&wrong),
    }
}

/// Prints a warning of cutechess-cli that ends the program.
fn warn(words: &str) -> u8 {
    tell(&format!("Warning: {words}"));
    FAILED
}

/// Prints a text and returns the code; an error of the output is ignored, since its reader has gone.
fn say(text: &str, code: u8) -> u8 {
    let _unread = print(text);
    code
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

impl FrontRun<'_> {
    /// Runs without the last lines of fastchess, and returns exit code 0 whatever the engines did.
    fn cutechess(&self, mut line: CommandLine) -> u8 {
        say(&line.notes, DONE);
        for engine in &line.engines {
            if !event_engine::program(engine).is_file() {
                let (name, command) = (&engine.name, &engine.cmd);
                let why = format!("Cannot start engine {name}:\nCannot execute command: {command}");
                return without_game(&line, &why);
            }
        }
        let checked = sanitize(&mut line);
        let (prepared, session) = match checked.and_then(|()| translate(self.words, line)) {
            Ok(Some(prepared)) => prepared,
            Ok(None) => return DONE,
            Err(words) => return warn(&words),
        };
        let outcome = SharedOutcome::default();
        match run(&prepared, session, self.signals, &outcome) {
            Ok((ending, is_complete)) => {
                prepared.leave(is_complete || lock(&outcome).decided);
                match ending.signal() {
                    Some(signal) if signal != INTERRUPTED => signal,
                    _ => say("Finished match\n", DONE),
                }
            }
            Err(RunError::Engines(unfit)) => {
                let why = |error: &EngineStartError| match error {
                    EngineStartError::Silent { .. } => {
                        "Chess protocol was not started in time".to_owned()
                    }
                    EngineStartError::Ended { .. } => String::new(),
                    other => other.to_string(),
                };
                let words = unfit.first().map_or_else(String::new, |one| {
                    format!(
                        "Could not initialize player {}: {}",
                        one.name,
                        why(&one.error)
                    )
                });
                without_game(&prepared.line, &words)
            }
            Err(error) => warn(&error.to_string()),
        }
    }

    /// Prints why nothing more was played.
    fn failed(&self, prepared: &Prepared, error: RunError) -> u8 {
        match error {
            RunError::Engines(unfit) => {
                let lines = unstarted_engines(&prepared.tournament, &unfit);
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
        say(lines, FAILED);
        make_files(&line.settings);
        write_config(line, &[], None);
        self.end(Some(&line.settings))
    }

    fn fastchess(&self, mut line: CommandLine) -> u8 {
        let checked = sanitize(&mut line);
        say(&line.notes, DONE);
        let missing = match checked.and_then(|()| missing_programs(&line)) {
            Ok(missing) => missing,
            Err(words) => return fail(&words),
        };
        if line.settings.unwritten.test_env {
            place::remove_abandoned();
        }
        let book = &line.settings.opening;
        let has_book = !book.file.is_empty() && book.format != BookFormat::None;
        let is_random = has_book && book.order == Order::Random;
        let indexing = format!("{INDEXING}\n").repeat(usize::from(is_random));
        if let Some(lines) = missing {
            return self.unstarted(&line, &(indexing + &lines));
        }
        let (prepared, session) = match translate(self.words, line) {
            Ok(Some(prepared)) => prepared,
            // Everything was played before.
            Ok(None) => return self.end(None),
            Err(words) => return fail(&words),
        };
        if print(&indexing).is_err_and(|error| is_unread(&error)) {
            return UNREAD;
        }
        let outcome = SharedOutcome::default();
        let (ending, is_complete) = match run(&prepared, session, self.signals, &outcome) {
            Ok(outcome) => outcome,
            Err(error) => return self.failed(&prepared, error),
        };
        let outcome = std::mem::take(&mut *lock(&outcome));
        if outcome.unread {
            // As after a kill: the same line continues.
            return UNREAD;
        }
        let mut interrupted = outcome.broken_off || ending.signal().is_some() && !outcome.decided;
        let mut is_complete = is_complete || outcome.decided && !outcome.broken_off;
        if let Some(unreadable) = unreadable(&prepared.tournament)
            && !interrupted
            && !outcome.decided
        {
            (interrupted, is_complete) = (true, false);
            let before = prepared.line.games_before();
            let lines = unreadable_lines(&prepared.tournament, &unreadable, before);
            prepared.log.printed(&lines);
            say(&lines, FAILED);
        }
        let store = prepared.place.folder.to_string_lossy();
        let keeps_store = prepared.place.kept || !is_complete;
        write_config(
            &prepared.line,
            &outcome.stats,
            keeps_store.then_some(&*store),
        );
        prepared.leave(is_complete);
        let code = self.end(interrupted.then_some(&prepared.line.settings));
        match ending.signal() {
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

fn write_config(line: &CommandLine, stats: &[(String, Stats)], store: Option<&str>) {
    if let Err(error) = saved::write(line, stats, store) {
        let name = &line.settings.config_name;
        let words = format!("Error: {name} cannot be written: {error}\n");
        say(&words, FAILED);
    }
}

/// What cutechess-cli prints if an engine does not start: there this is not a failure.
fn without_game(line: &CommandLine, warning: &str) -> u8 {
    if let Some(standing) = CutechessStandings::of_line(line) {
        let _unread = print(&standing.of_no_game());
    }
    warn(warning);
    say("Finished match\n", DONE)
}

/// Plays the missing games of an event; returns also whether nothing is left to play.
fn run(
    prepared: &Prepared,
    mut session: Session,
    signals: &SignalWatch,
    outcome: &SharedOutcome,
) -> Result<(RunEnding, bool), RunError> {
    // Signals wait until the dispatcher handles them: if one ended the program at once, that would look like a kill.
    let _attended = signals.attend();
    make_files(&prepared.line.settings);
    session.neighbours = neighbours::folder();
    session.plays_regardless = true;
    session.cpus = prepared.line.settings.unwritten.cpus.clone();
    session.traffic_log = prepared.spoken_lines();
    drop(session.take_remarks());
    let complete = session.is_complete()?;
    let audience = |session: &Session, _: &EventView| {
        prepared.listeners(session, (outcome, signals.stopper()))
    };
    let ending = if complete {
        session.complete(signals, audience)?
    } else {
        session.play(signals, audience)?
    };
    let nothing_left = matches!(ending.reason, EndReason::NothingLeft) && ending.voided == 0;
    Ok((ending, complete || nothing_left))
}
