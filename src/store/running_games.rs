//! The moves of running games that may go on after an interruption.
//!
//! Such a game has a file, `running/PAIR.GAME`, from before its first move until the store has the game. Its first line
//! is how the game began, each other line a move, or only the time at which the game went on. A line begins with a
//! checksum of it and of all lines before it: what follows a line that is cut or altered does not count.
//!
//! Zeros stand where lines will be: a sync of what is written over them changes no size of a file, so the games of two
//! lanes do not wait for one commit of the file system's journal after the other.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::move_row::{MoveRows, StoredMove};
use super::payload::play;
use super::reader::Reader;
use crate::chess::Position;
use crate::event::{GameId, PlayedGame, UnixMillis};
use crate::hash::fnv1a;
use crate::platform::files::{open_plain, sync_folder};
use crate::referee::{Breaches, MoveRecord};

/// Bytes of a file before its first move: room for a game of 500 plies.
const ROOM: usize = 1 << 16;

/// The files of an event's running games.
#[derive(Debug, Clone)]
pub(crate) struct RunningGameFiles {
    folder: PathBuf,
}

/// A game as far as its file has it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RecordedGame {
    /// The hash of the identity under which it began.
    pub identity: u64,
    /// The game so far; `ended` is when the last of it was written.
    pub game: PlayedGame,
    /// Bytes of the file that count.
    length: u64,
    checksum: u64,
}

/// The file of a game that runs.
#[derive(Debug)]
pub(crate) struct RunningGameFile {
    file: Arc<File>,
    checksum: u64,
}

/// A line behind the first: moves, or none where the game went on.
#[derive(Serialize, Deserialize)]
struct PlayedLine<M> {
    at_ms: i64,
    moves: M,
    breaches: [Breaches; 2],
}

impl RunningGameFiles {
    /// Of the event in this folder.
    pub(crate) fn of_event(folder: &Path) -> RunningGameFiles {
        RunningGameFiles {
            folder: folder.join("running"),
        }
    }

    fn path(&self, game: GameId) -> PathBuf {
        self.folder.join(game.to_string())
    }

    /// The file of a game that begins, which survives a power cut from now on.
    ///
    /// # Errors
    /// What the disk says.
    pub(crate) fn begin(&self, identity: u64, game: &PlayedGame) -> io::Result<RunningGameFile> {
        if !self.folder.is_dir() {
            fs::create_dir_all(&self.folder)?;
            self.folder.parent().map_or(Ok(()), sync_folder)?;
        }
        let mut file = RunningGameFile::behind(File::create(self.path(game.id))?, 0, 0)?;
        file.write_line(&(identity, game))?;
        file.file.sync_all()?;
        sync_folder(&self.folder)?;
        Ok(file)
    }

    /// The game, if a run has left it behind with moves by its engines.
    pub(crate) fn recorded(&self, game: GameId) -> Option<RecordedGame> {
        let recorded = RecordedGame::of_file(&self.path(game))?;
        (recorded.game.id == game).then_some(recorded)
    }

    /// The file of a game that goes on now, without what does not count of it.
    ///
    /// # Errors
    /// What the disk says.
    pub(crate) fn go_on(
        &self,
        recorded: &RecordedGame,
        now: UnixMillis,
    ) -> io::Result<RunningGameFile> {
        let path = self.path(recorded.game.id);
        let file = OpenOptions::new().write(true).open(path)?;
        let mut file = RunningGameFile::behind(file, recorded.length, recorded.checksum)?;
        file.write(now, &[], recorded.game.record.breaches)?;
        file.file.sync_all()?;
        Ok(file)
    }

    /// The games that runs have left behind, in the order of the plan.
    pub(crate) fn all(&self) -> Vec<RecordedGame> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let games = entries.filter_map(|entry| RecordedGame::of_file(&entry.path()));
        let mut games: Vec<RecordedGame> = games.collect();
        games.sort_by_key(|recorded| recorded.game.id);
        games
    }

    /// The game is stored, or begins anew.
    pub(crate) fn remove(&self, game: GameId) {
        // One that stays is of a game that is stored, and is not read for it.
        let _ = fs::remove_file(self.path(game));
    }
}

impl Reader {
    /// Another number for each identity of the event: a game goes on under the one under which it began.
    ///
    /// # Errors
    /// What SQLite says.
    pub(crate) fn identity_hash(&self) -> Result<u64, StoreError> {
        let identity = self.identity()?.map(|accepted| accepted.identity.to_json());
        Ok(fnv1a(identity.unwrap_or_default().into_bytes()))
    }
}

impl RunningGameFile {
    /// A file whose lines so far have this length and this checksum; what is behind them goes.
    fn behind(mut file: File, length: u64, checksum: u64) -> io::Result<RunningGameFile> {
        file.set_len(length)?;
        file.seek(SeekFrom::End(0))?;
        file.write_all(&vec![0; ROOM.saturating_sub(length as usize)])?;
        file.seek(SeekFrom::Start(length))?;
        let file = Arc::new(file);
        Ok(RunningGameFile { file, checksum })
    }

    /// Moves, and the breaches so far; they are with the system, and not yet on the disk.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn write(
        &mut self,
        at: UnixMillis,
        moves: &[MoveRecord],
        breaches: [Breaches; 2],
    ) -> io::Result<()> {
        self.write_line(&PlayedLine {
            at_ms: at.0,
            moves: MoveRows(moves),
            breaches,
        })
    }

    fn write_line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_string(value)?;
        self.checksum = chained(self.checksum, &text);
        let line = format!("{:016x} {text}\n", self.checksum);
        (&*self.file).write_all(line.as_bytes())
    }

    /// Puts what was written on the disk; to be called from a thread that may wait.
    pub(crate) fn sync(&self) -> impl FnOnce() -> io::Result<()> + Send + use<> {
        let file = Arc::clone(&self.file);
        move || file.sync_data()
    }
}

impl RecordedGame {
    fn of_file(path: &Path) -> Option<RecordedGame> {
        let mut bytes = Vec::new();
        open_plain(path).ok()?.read_to_end(&mut bytes).ok()?;
        let recorded = RecordedGame::read(&bytes)?;
        (!recorded.game.record.moves.is_empty()).then_some(recorded)
    }

    /// `None` without a first line, or if a line of right checksum is not one of this version.
    fn read(bytes: &[u8]) -> Option<RecordedGame> {
        let mut lines = IntactLines {
            bytes,
            length: 0,
            checksum: 0,
        };
        let (identity, mut game): (u64, PlayedGame) = serde_json::from_str(lines.next()?).ok()?;
        let mut position = game.record.board().position().clone();
        for text in lines.by_ref() {
            take(&mut game, &mut position, text)?;
        }
        Some(RecordedGame {
            identity,
            game,
            length: lines.length as u64,
            checksum: lines.checksum,
        })
    }

    /// For how long it has been interrupted.
    pub(crate) fn away(&self, now: UnixMillis) -> Duration {
        between(self.game.ended, now)
    }
}

/// Adds what a line says to a game.
fn take(game: &mut PlayedGame, position: &mut Position, text: &str) -> Option<()> {
    let line: PlayedLine<Vec<StoredMove<'_>>> = serde_json::from_str(text).ok()?;
    let at = UnixMillis(line.at_ms);
    let record = &mut game.record;
    if line.moves.is_empty() {
        let away = between(game.ended, at);
        record.moves.last_mut()?.interruptions.push(away);
    }
    for row in line.moves {
        let chess_move = play(position, row.chess_move).ok()?;
        record.moves.push(row.record(chess_move));
    }
    record.breaches = line.breaches;
    game.ended = at;
    Some(())
}

fn between(earlier: UnixMillis, later: UnixMillis) -> Duration {
    // A clock that was set back gives none.
    Duration::from_millis(u64::try_from(later.0 - earlier.0).unwrap_or(0))
}

/// The lines of a file as far as their checksums are right.
struct IntactLines<'a> {
    bytes: &'a [u8],
    /// Of these so many were such lines.
    length: usize,
    checksum: u64,
}

impl<'a> Iterator for IntactLines<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.bytes.get(self.length..)?;
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        let line = std::str::from_utf8(&rest[..end]).ok()?;
        let (written, text) = line.split_once(' ')?;
        let checksum = chained(self.checksum, text);
        (written == format!("{checksum:016x}")).then_some(())?;
        self.length += end + 1;
        self.checksum = checksum;
        Some(text)
    }
}

/// The checksum of a line behind lines with this one.
fn chained(before: u64, text: &str) -> u64 {
    fnv1a(before.to_le_bytes().into_iter().chain(text.bytes()))
}

#[cfg(test)]
mod tests;
