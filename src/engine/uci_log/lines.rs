//! Whole lines out of the pieces in which the dialogue arrives.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::clock::Stamp;
use crate::text::printable;

use super::{LoggedBytes, LoggedProcess, Speaker};

/// A line longer than this is broken, in bytes.
const MAX_LINE_BYTES: usize = 64 << 10;

#[derive(Debug)]
pub(crate) struct SpokenLine<'a> {
    /// When its first byte was handed in, since the run began.
    pub(crate) at: Stamp,
    /// The same by the time of day.
    pub(crate) time: SystemTime,
    /// Where the engine plays: `start` or `lane-1`.
    pub(crate) place: &'a str,
    /// The engine that speaks or is spoken to.
    pub(crate) engine: &'a str,
    /// Its process, from 0 in the order in which they were started.
    pub(crate) process: u64,
    pub(crate) speaker: Speaker,
    /// The words without the line's end, control characters made visible.
    pub(crate) text: String,
}

/// Lines that are not complete: of each engine in each place, by who speaks.
#[derive(Debug)]
pub(super) struct PartialLines {
    /// The time of day of stamp 0.
    begin: SystemTime,
    begun: HashMap<(Arc<str>, Speaker), Begun>,
}

/// A line that is not complete.
#[derive(Debug)]
struct Begun {
    process: Arc<LoggedProcess>,
    at: Stamp,
    bytes: Vec<u8>,
}

impl PartialLines {
    /// Nothing has been said yet; stamps are counted from this time of day.
    pub(super) fn new(begin: SystemTime) -> PartialLines {
        PartialLines {
            begin,
            begun: HashMap::new(),
        }
    }

    /// Takes in what was said and hands on the lines that are complete.
    ///
    /// # Errors
    /// That of `hand_on`; the lines behind it are lost.
    pub(super) fn add<E>(
        &mut self,
        words: &LoggedBytes,
        mut hand_on: impl FnMut(&Arc<LoggedProcess>, SpokenLine<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let key = (Arc::clone(&words.process.file), words.speaker);
        for piece in words.bytes.split_inclusive(|byte| *byte == b'\n') {
            let fresh = || Begun {
                process: Arc::clone(&words.process),
                at: words.at,
                bytes: Vec::new(),
            };
            let mut line = match self.begun.remove(&key) {
                Some(line) if line.process.number == words.process.number => line,
                // The engine was started again in the middle of a line.
                Some(broken) => {
                    hand_on(&broken.process, self.whole(words.speaker, &broken))?;
                    fresh()
                }
                None => fresh(),
            };
            line.bytes.extend(piece);
            if line.bytes.ends_with(b"\n") || line.bytes.len() > MAX_LINE_BYTES {
                hand_on(&line.process, self.whole(words.speaker, &line))?;
            } else {
                self.begun.insert(key.clone(), line);
            }
        }
        Ok(())
    }

    /// Hands on the lines that never ended.
    ///
    /// # Errors
    /// As [`PartialLines::add`].
    pub(super) fn end<E>(
        &mut self,
        mut hand_on: impl FnMut(&Arc<LoggedProcess>, SpokenLine<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for ((_, speaker), line) in std::mem::take(&mut self.begun) {
            hand_on(&line.process, self.whole(speaker, &line))?;
        }
        Ok(())
    }

    fn whole<'a>(&self, speaker: Speaker, line: &'a Begun) -> SpokenLine<'a> {
        let Begun { process, at, bytes } = line;
        let text = String::from_utf8_lossy(bytes);
        SpokenLine {
            at: *at,
            time: self.begin + Duration::from_nanos(at.0),
            place: &process.place,
            engine: &process.engine,
            process: process.number,
            speaker,
            text: printable(text.trim_end_matches(['\r', '\n'])).into_owned(),
        }
    }
}
