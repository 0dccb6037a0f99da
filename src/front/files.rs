//! The files that a command line asks for. Games and final positions are appended as they are stored, one after the
//! other; the file may already contain those of other events.
//!
//! The length of the file before the event is stored in the store's folder. A continued run writes the stored games
//! behind that length again. So a game that was stored but not written when the last run was killed, or half written, is
//! in the file exactly once at the end.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::Arc;

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

impl GameFileFormat {
    fn text(self, games: &dyn WrittenGames, game: &PlayedGame) -> String {
        match self {
            GameFileFormat::Pgn => games.text(game),
            GameFileFormat::Epd => games.final_position(game),
        }
    }

    /// The name of the file, in the store's folder, with the length of the other file before the event.
    fn mark(self) -> &'static str {
        match self {
            GameFileFormat::Pgn => "pgn-begins-at",
            GameFileFormat::Epd => "epd-begins-at",
        }
    }
}

/// A file to which games are added.
pub(super) struct GameFileSink {
    content: GameFileFormat,
    path: PathBuf,
    file: File,
    games: Arc<dyn WrittenGames>,
    /// Games that wait for those before them, and the number of the next game to write.
    waiting: BTreeMap<u64, String>,
    next: u64,
    /// The checksum of the file so far, if it is printed.
    checksum: Option<flate2::Crc>,
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
        let mark = reader.folder().join(content.mark());
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
        if length > begins {
            file.set_len(begins).at(&path)?;
        }
        let by_number = games.in_order().is_some();
        let mut added = GameFileSink {
            content,
            checksum: None,
            file,
            games,
            waiting: BTreeMap::new(),
            next: 0,
            recovers: recovers || by_number,
            path: path.clone(),
            outcome: outcome.clone(),
        };
        if content == GameFileFormat::Pgn && added.games.tells_checksum() {
            added.checksum = Some(checksum(&mut added.file).at(&path)?);
        }
        added.add_stored(reader)?;
        Ok(added)
    }

    fn add_stored(&mut self, reader: &Reader) -> Result<(), SinkError> {
        if reader.last_place()? == 0 {
            return Ok(());
        }
        for stored in reader.games_after(0) {
            let game = stored?.game;
            if self.is_written(&game) {
                self.add(&game)?;
            }
        }
        Ok(())
    }

    fn is_written(&self, game: &PlayedGame) -> bool {
        let broken = reason::fault(game).is_some_and(reason::is_breakdown);
        !game.record.outcome.is_void() && (self.recovers || !broken)
    }

    fn add(&mut self, game: &PlayedGame) -> Result<(), SinkError> {
        let text = self.content.text(&*self.games, game);
        let in_pair = self.games.in_order();
        let Some(in_pair) = in_pair.filter(|_| self.content == GameFileFormat::Pgn) else {
            return self.write(&text);
        };
        let number = game.id.pair.0 * in_pair + u64::from(game.id.game);
        self.waiting.insert(number, text);
        while let Some(text) = self.waiting.remove(&self.next) {
            self.write(&text)?;
            self.next += 1;
        }
        Ok(())
    }

    fn write(&mut self, text: &str) -> Result<(), SinkError> {
        self.file.write_all(text.as_bytes()).at(&self.path)?;
        if let Some(checksum) = &mut self.checksum {
            checksum.update(text.as_bytes());
        }
        Ok(())
    }
}

/// The checksum of the current content of a file.
fn checksum(file: &mut File) -> io::Result<flate2::Crc> {
    let mut checksum = flate2::Crc::new();
    file.seek(SeekFrom::Start(0))?;
    let mut buffer = [0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(checksum),
            read => checksum.update(&buffer[..read]),
        }
    }
}

impl Sink for GameFileSink {
    fn committed(&mut self, game: &PlayedGame) -> Result<(), SinkError> {
        if !self.is_written(game) || lock(&self.outcome).decided {
            return Ok(());
        }
        self.add(game)?;
        if let Some(checksum) = &self.checksum {
            let (path, sum) = (self.path.display(), checksum.sum());
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
