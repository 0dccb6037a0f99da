//! The file of `-log`, in the format of fastchess: time of day, slot, engine, and a mark for the direction.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::engine::uci_log::{Speaker, SpokenLine, SpokenLines, missing};
use crate::front::common::settings::{Level, Log};
use crate::text::tell;

/// Beginnings of the continuation lines of a warning.
const CONTINUED: [&str; 4] = ["Info; ", "Infos; ", "Position; ", "Moves; "];

/// The file, if there is one. All clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct LogFile(Option<Arc<Mutex<Open>>>);

#[derive(Debug)]
struct Open {
    out: BufWriter<File>,
    name: String,
    level: Level,
    has_engine_lines: bool,
    has_failed: bool,
    time_zone: TimeZone,
}

impl LogFile {
    /// Opens the file. If that fails, a message on the standard error names it, and nothing is written.
    pub(crate) fn open(log: &Log) -> LogFile {
        if log.file.is_empty() {
            return LogFile::default();
        }
        let mut options = OpenOptions::new();
        options.create(true).write(true);
        match log.append_file {
            true => options.append(true),
            false => options.truncate(true),
        };
        match options.open(&log.file) {
            Ok(file) => LogFile(Some(Arc::new(Mutex::new(Open {
                out: BufWriter::new(file),
                name: log.file.clone(),
                level: log.level,
                has_engine_lines: log.engine_coms,
                has_failed: false,
                time_zone: TimeZone::system(),
            })))),
            Err(error) => {
                tell(&format!("Failed to open log file. {}: {error}", log.file));
                LogFile::default()
            }
        }
    }

    /// Writes a message of the runner, if its level is high enough.
    pub(crate) fn note(&self, level: Level, words: &str) {
        if let Some(mut open) = self.lock() {
            open.note(level, words);
            open.flush();
        }
    }

    /// Writes the warnings and errors among the lines that were printed.
    pub(crate) fn printed(&self, text: &str) {
        let Some(mut open) = self.lock() else {
            return;
        };
        let mut before = None;
        for line in text.lines() {
            let is_continued = CONTINUED.iter().any(|begin| line.starts_with(begin));
            let level = level_of(line);
            match (level, before) {
                (Some(level), _) => open.note(level, line),
                (None, Some(level)) if is_continued => open.go_on(level, line),
                (None, _) => {}
            }
            before = level.or(before.filter(|_| is_continued));
        }
        open.flush();
    }

    /// Records what engines send, if that was asked for.
    pub(crate) fn spoken_lines(&self) -> Option<Box<dyn SpokenLines>> {
        let is_wanted = self.lock().is_some_and(|open| open.has_engine_lines);
        is_wanted.then(|| Box::new(self.clone()) as Box<dyn SpokenLines>)
    }

    fn lock(&self) -> Option<MutexGuard<'_, Open>> {
        let file = self.0.as_ref()?;
        Some(file.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Open {
    fn note(&mut self, level: Level, words: &str) {
        let label = format!("{level:?}").to_uppercase();
        let head = self.head(&label, SystemTime::now(), "");
        self.go_on(level, &format!("{head}fastchess --- {words}"));
    }

    /// Writes a line without adding a head, if its level is high enough.
    fn go_on(&mut self, level: Level, line: &str) {
        if u8::from(level) >= u8::from(self.level) {
            self.write(line);
        }
    }

    /// `[WARN  ] [11:41:36.510308] <                    > `.
    fn head(&self, label: &str, time: SystemTime, slot: &str) -> String {
        let time = Timestamp::try_from(time).unwrap_or_default();
        let time = time.to_zoned(self.time_zone.clone());
        let time = time.strftime("%H:%M:%S.%6f");
        format!("[{label:<6}] [{time:>15}] <{slot:>20}> ")
    }

    fn write(&mut self, line: &str) {
        let written = writeln!(self.out, "{line}");
        self.check(written);
    }

    fn flush(&mut self) {
        let flushed = self.out.flush();
        self.check(flushed);
    }

    /// Reports the first error.
    fn check(&mut self, result: io::Result<()>) {
        if let Err(error) = result
            && !std::mem::replace(&mut self.has_failed, true)
        {
            tell(&format!("-log: {} cannot be written: {error}", self.name));
        }
    }
}

impl SpokenLines for LogFile {
    /// `[Engine] [11:41:36.510375] <                   1>  A <--- isready`.
    fn line(&mut self, line: &SpokenLine<'_>) -> io::Result<()> {
        let Some(mut open) = self.lock() else {
            return Ok(());
        };
        // The slot has the meaning of a thread number in fastchess: 0 before the first game.
        let slot = line
            .place
            .rsplit('-')
            .next()
            .filter(|slot| *slot != "start");
        let head = open.head("Engine", line.time, slot.unwrap_or("0"));
        let (name, text) = (line.engine, &line.text);
        open.write(&match line.speaker {
            Speaker::Runner => format!("{head} {name} <--- {text}"),
            Speaker::Engine => format!("{head} {name} ---> {text}"),
            Speaker::Stderr => format!("{head} <stderr> {name} ---> {text}"),
        });
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some(mut open) = self.lock() {
            open.flush();
        }
        Ok(())
    }

    fn end(&mut self, dropped: u64) -> io::Result<()> {
        if dropped > 0 {
            tell(&format!("-log: {}", missing(dropped)));
            self.note(Level::Fatal, &missing(dropped));
        }
        SpokenLines::flush(self)
    }
}

/// The level of a line that was printed; `None` if it is not a message.
fn level_of(line: &str) -> Option<Level> {
    let begins = |words: &str| line.starts_with(words);
    match line {
        _ if begins("Warning") || line.ends_with("stopping tournament.") => Some(Level::Warn),
        _ if begins("Fatal; ") => Some(Level::Fatal),
        _ if begins("Error") => Some(Level::Err),
        _ if begins("Player: ") || begins("  Timeouts: ") || begins("  Crashed: ") => {
            Some(Level::Info)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_keeps_its_further_lines_and_results_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("a.log");
        let log = LogFile::open(&Log {
            file: name.display().to_string(),
            level: Level::Warn,
            append_file: true,
            compress: false,
            realtime: true,
            engine_coms: false,
        });
        log.printed(
            "Started game 1 of 2 (A vs B)\nWarning; Illegal PV move - move a1a1 from A\n\
             Info; depth 1\nPosition; startpos\nMoves; e2e4\nFinished game 1 (A vs B): 1-0 {x}\n\
             Moves; e7e5\nPlayer: A\n",
        );
        log.note(Level::Trace, "Game 1 finished with result 1-0");
        let text = std::fs::read_to_string(name).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("[WARN  ] ["), "{text}");
        assert!(lines[0].ends_with("fastchess --- Warning; Illegal PV move - move a1a1 from A"));
        assert_eq!(
            lines[1..],
            ["Info; depth 1", "Position; startpos", "Moves; e2e4"]
        );
        assert!(log.spoken_lines().is_none());
    }
}
