//! The files that a command line asks for. Games and final positions are appended as they are stored, one after the
//! other; the file may already contain those of other events.
//!
//! The length of the file before the event is stored in the store's folder. A continued run writes the stored games
//! behind that length again; but where others have added to the file since, it adds what is missing at the end. So a game
//! that was stored but not written when the last run was killed, or half written, is in the file exactly once at the end,
//! and nothing of others is lost.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::Arc;

use flate2::CrcWriter;

use super::common::game_text::WrittenGames;
use super::common::output::SharedOutcome;
use super::common::reason;
use crate::event::PlayedGame;
use crate::platform::{lock, read_text_untrusted};
use crate::sink::{InSinkFile, Sink, SinkError, replace_file};
use crate::store::Reader;

/// What a file contains of each game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GameFileFormat {
    /// The game.
    Pgn,
    /// Its last position.
    Epd,
}

/// A file to which games are added.
pub(super) struct GameFileSink {
    content: GameFileFormat,
    path: PathBuf,
    file: File,
    games: Arc<dyn WrittenGames>,
    /// Games of a pair, if games are written in the order of their numbers.
    in_pair: Option<u64>,
    /// Games that wait for those before them, and the number of the next game to write.
    waiting: BTreeMap<u64, String>,
    next: u64,
    /// The checksum of the file so far, if it is printed.
    checksum: Option<CrcWriter<io::Sink>>,
    /// Whether `-recover` is set; without it, the game that ends a run is not written.
    recovers: bool,
    /// What the lines, which hear of a game after the files, have said: nothing is written behind the game
    /// that decides a test, though a lane may have finished another one before it was stopped.
    outcome: SharedOutcome,
}

impl GameFileSink {
    /// Opens a file for an event in this folder, and adds the stored games.
    ///
    /// # Errors
    /// The file or the store cannot be read or written.
    pub(super) fn open(
        content: GameFileFormat,
        (name, append): (&str, bool),
        games: Arc<dyn WrittenGames>,
        (reader, recovers): (&Reader, bool),
        outcome: &SharedOutcome,
    ) -> Result<GameFileSink, SinkError> {
        let path = PathBuf::from(name);
        // The length of the file before the event.
        let mark = reader.folder().join(match content {
            GameFileFormat::Pgn => "pgn-begins-at",
            GameFileFormat::Epd => "epd-begins-at",
        });
        let mut options = OpenOptions::new();
        options.create(true).read(true).append(true);
        let file = options.open(&path).at(&path)?;
        let known = read_text_untrusted(&mark).ok();
        let known = known.and_then(|text| text.trim().parse::<u64>().ok());
        let is_regular = file.metadata().at(&path)?.is_file();
        if known.is_none() && !append && is_regular {
            file.set_len(0).at(&path)?;
        }
        let length = file.metadata().at(&path)?.len();
        // A file that is shorter than before has been replaced.
        let begins = known.map_or(length, |begins| begins.min(length));
        if known != Some(begins) {
            replace_file(&mark, begins.to_string().as_bytes(), false).at(&mark)?;
        }
        let in_pair = games.in_order();
        let mut added = GameFileSink {
            content,
            checksum: None,
            file,
            games,
            waiting: BTreeMap::new(),
            next: 0,
            recovers: recovers || in_pair.is_some(),
            in_pair: in_pair.filter(|_| content == GameFileFormat::Pgn),
            path: path.clone(),
            outcome: outcome.clone(),
        };
        if content == GameFileFormat::Pgn && added.games.tells_checksum() {
            let mut checksum = CrcWriter::new(io::sink());
            added.file.seek(SeekFrom::Start(0)).at(&path)?;
            io::copy(&mut added.file, &mut checksum).at(&path)?;
            added.checksum = Some(checksum);
        }
        added.add_stored(reader, (begins, length))?;
        Ok(added)
    }

    fn add_stored(&mut self, reader: &Reader, (begins, end): (u64, u64)) -> Result<(), SinkError> {
        let mut due = Vec::new();
        if reader.last_place()? > 0 {
            for stored in reader.games_after(0) {
                let game = stored?.game;
                if self.is_written(&game) {
                    due.extend(self.due(&game));
                }
            }
        }
        let mut found = Vec::new();
        if end > begins {
            self.file.seek(SeekFrom::Start(begins)).at(&self.path)?;
            self.file.read_to_end(&mut found).at(&self.path)?;
        }
        let waiting = self.waiting.values().map(String::as_str);
        let stored = due.iter().map(String::as_str).chain(waiting);
        if let Some(missing) = missing_beside_others(&found, stored) {
            // Behind the games of others there is no order of numbers left to keep.
            due = missing.into_iter().map(str::to_owned).collect();
            self.waiting.clear();
            self.in_pair = None;
        } else if end > begins {
            self.file.set_len(begins).at(&self.path)?;
        }
        due.iter().try_for_each(|text| self.write(text))
    }

    fn is_written(&self, game: &PlayedGame) -> bool {
        let broken = reason::fault(game).is_some_and(reason::is_breakdown);
        !game.record.outcome.is_void() && (self.recovers || !broken)
    }

    /// What is to be written now that this game is there.
    fn due(&mut self, game: &PlayedGame) -> Vec<String> {
        let text = match self.content {
            GameFileFormat::Pgn => self.games.text(game),
            GameFileFormat::Epd => self.games.final_position(game),
        };
        let Some(in_pair) = self.in_pair else {
            return vec![text];
        };
        let number = game.id.pair.0 * in_pair + u64::from(game.id.game);
        self.waiting.insert(number, text);
        let mut due = Vec::new();
        while let Some(text) = self.waiting.remove(&self.next) {
            due.push(text);
            self.next += 1;
        }
        due
    }

    fn write(&mut self, text: &str) -> Result<(), SinkError> {
        self.file.write_all(text.as_bytes()).at(&self.path)?;
        if let Some(checksum) = &mut self.checksum {
            checksum.write_all(text.as_bytes()).at(&self.path)?;
        }
        Ok(())
    }
}

/// Of the stored games, in the order in which they are written, those that a file does not have; `None` if it has nothing
/// but whole games of ours, and at its end perhaps a part of one.
fn missing_beside_others<'a>(
    mut found: &[u8],
    stored: impl Iterator<Item = &'a str>,
) -> Option<Vec<&'a str>> {
    let (mut others, mut missing) = (false, Vec::new());
    for text in stored {
        match memchr::memmem::find(found, text.as_bytes()) {
            Some(at) => {
                others |= at > 0;
                found = &found[at + text.len()..];
            }
            None => missing.push(text),
        }
    }
    let is_part = |text: &&str| text.as_bytes().starts_with(found);
    (others || !(found.is_empty() || missing.iter().any(is_part))).then_some(missing)
}

impl Sink for GameFileSink {
    fn committed(&mut self, game: &PlayedGame) -> Result<(), SinkError> {
        if !self.is_written(game) || lock(&self.outcome).decided {
            return Ok(());
        }
        for text in self.due(game) {
            self.write(&text)?;
        }
        if let Some(checksum) = &self.checksum {
            let (path, sum) = (self.path.display(), checksum.crc().sum());
            lock(&self.outcome).checksum = format!("File {path} has CRC32: {sum:#x}\n");
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        // The games before these are not played in this run.
        for text in std::mem::take(&mut self.waiting).into_values() {
            self.write(&text)?;
        }
        self.file.sync_data().at(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_others_stay_and_ours_are_there_once() {
        let ours = ["[a]\n\n1-0\n\n", "[b]\n\n0-1\n\n", "[c]\n\n1/2-1/2\n\n"];
        let [a, b, c] = ours;
        let missing = |found: &str| missing_beside_others(found.as_bytes(), ours.into_iter());
        let whole = ours.concat();
        for end in 0..=whole.len() {
            assert_eq!(
                missing(&whole[..end]),
                None,
                "a run was killed after {end} bytes"
            );
        }
        let foreign = "[x]\n\n0-1\n\n";
        assert_eq!(missing(&format!("{a}{foreign}")), Some(vec![b, c]));
        assert_eq!(missing(&format!("{foreign}{a}{b}")), Some(vec![c]));
        assert_eq!(missing(&format!("{whole}{foreign}")), Some(vec![]));
        assert_eq!(missing(foreign), Some(vec![a, b, c]));
    }
}
