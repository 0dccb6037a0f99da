//! The file of `-log`: warnings, errors and what engines send, in the format of fastchess: time of day, slot, engine, and a mark for
//! the direction.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::engine::uci_log::{Speaker, SpokenLine, SpokenLines};
use crate::front::common::settings::Log;
use crate::platform::lock;
use crate::text::tell;

/// Beginnings of the continuation lines of a warning.
const CONTINUED: [&str; 4] = ["Info; ", "Infos; ", "Position; ", "Moves; "];

/// The file, if there is one. All clones share it.
#[derive(Debug, Clone, Default)]
pub(in crate::front) struct LogFile {
    file: Option<Arc<Mutex<BufWriter<File>>>>,
    has_engine_lines: bool,
}

impl LogFile {
    /// Opens the file. If that fails, a message on the standard error names it, and nothing is written.
    pub(in crate::front) fn open(log: &Log) -> LogFile {
        if log.file.is_empty() {
            return LogFile::default();
        }
        let mut options = OpenOptions::new();
        options.create(true).append(log.append_file);
        options.write(true).truncate(!log.append_file);
        match options.open(&log.file) {
            Ok(file) => LogFile {
                file: Some(Arc::new(Mutex::new(BufWriter::new(file)))),
                has_engine_lines: log.engine_coms,
            },
            Err(error) => {
                tell(&format!("Failed to open log file. {}: {error}", log.file));
                LogFile::default()
            }
        }
    }

    /// Writes the warnings and errors among the lines that were printed.
    pub(in crate::front) fn printed(&self, text: &str) {
        let mut goes_on = false;
        for line in text.lines() {
            let label = label(line);
            let is_continued = CONTINUED.iter().any(|begin| line.starts_with(begin));
            goes_on = label.is_some() || goes_on && is_continued;
            match label {
                Some(label) => {
                    let head = head(label, SystemTime::now(), "");
                    self.write(&format!("{head}fastchess --- {line}"));
                }
                None if goes_on => self.write(line),
                None => {}
            }
        }
        self.with_file(Write::flush);
    }

    /// Records what engines send, if that was asked for.
    pub(in crate::front) fn spoken_lines(&self) -> Option<Box<dyn SpokenLines>> {
        let is_wanted = self.file.is_some() && self.has_engine_lines;
        is_wanted.then(|| Box::new(self.clone()) as Box<dyn SpokenLines>)
    }

    fn write(&self, line: &str) {
        self.with_file(|file| writeln!(file, "{line}"));
    }

    /// An error of the disk ends the log, and is told once.
    fn with_file(&self, act: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) {
        let Some(file) = &self.file else {
            return;
        };
        let acted = act(&mut lock(file));
        if let Err(error) = acted {
            tracing::warn!(%error, "the file of -log cannot be written");
        }
    }
}

/// `[WARN  ] [11:41:36.510308] <                    > `.
fn head(label: &str, time: SystemTime, slot: &str) -> String {
    let time = Timestamp::try_from(time).unwrap_or_default();
    let time = time.to_zoned(TimeZone::system()).strftime("%H:%M:%S.%6f");
    format!("[{label:<6}] [{time:>15}] <{slot:>20}> ")
}

impl SpokenLines for LogFile {
    /// `[Engine] [11:41:36.510375] <                   1>  A <--- isready`.
    fn line(&mut self, line: &SpokenLine) -> io::Result<()> {
        // The slot has the meaning of a thread number in fastchess: 0 before the first game.
        let slot = line.process.place.rsplit('-').next();
        let slot = slot.filter(|slot| *slot != "start").unwrap_or("0");
        let head = head("Engine", line.time, slot);
        let (name, text) = (&line.process.engine, line.text());
        self.write(&match line.speaker {
            Speaker::Runner => format!("{head} {name} <--- {text}"),
            Speaker::Engine => format!("{head} {name} ---> {text}"),
            Speaker::Stderr => format!("{head} <stderr> {name} ---> {text}"),
        });
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.with_file(Write::flush);
        Ok(())
    }

    fn lost(&mut self, words: &str) {
        tell(&format!("-log: {words}"));
    }
}

/// The level of a line that was printed; `None` if it is not a message.
fn label(line: &str) -> Option<&'static str> {
    let begins = |words: &str| line.starts_with(words);
    match line {
        _ if begins("Warning") || line.ends_with("stopping tournament.") => Some("WARN"),
        _ if begins("Fatal; ") => Some("FATAL"),
        _ if begins("Error") => Some("ERR"),
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
            level: crate::front::common::settings::Level::Warn,
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
