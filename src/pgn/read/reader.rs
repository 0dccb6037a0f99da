//! Games one after the other from a stream.

mod part;

use std::io::{self, Read};

use memchr::memchr_iter;

use crate::pgn::LineEnds;

use super::scan::{Extent, Scan, find_event};
use super::tag::TagSpan;
use super::{PgnError, PgnErrorKind, PgnPlace, RawGame};

pub(super) use part::Part;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Maximum size of a game in bytes: a limit only so that no file can fill the memory.
pub const MAX_GAME_BYTES: usize = 16 << 20;

/// Number of bytes without the beginning of a game after which a file is given up: a device, or a file of holes.
const MAX_JUNK_BYTES: usize = 256 << 20;

/// Initial size of the buffer in bytes. It grows to hold the longest game of the file.
const BUFFER_BYTES: usize = 256 << 10;

/// Reads games from a file of any size, in memory for a few of them.
///
/// The input need not be buffered: it is read in large pieces.
///
/// ```
/// use arbiter960::pgn::PgnReader;
/// let text = "[White \"a\"]\n\n1. e4 e5 *\n\n[White \"b\"]\n\n1. d4 *\n";
/// let mut reader = PgnReader::new(text.as_bytes());
/// let mut names = Vec::new();
/// while let Some(game) = reader.next_game() {
///     names.extend(game?.tag("White").map(|name| name.into_owned()));
/// }
/// assert_eq!(names, ["a", "b"]);
/// # Ok::<(), arbiter960::pgn::PgnError>(())
/// ```
#[derive(Debug)]
pub struct PgnReader<R> {
    input: LineEnds<R>,
    buffer: Vec<u8>,
    /// The buffer before this place has been handed out.
    start: usize,
    /// End of the filled part of the buffer.
    end: usize,
    at_end: bool,
    /// Why nothing more can be read, until it is told.
    failed: Option<io::Error>,
    /// The line of `start`, from 1.
    line: u64,
    /// Games so far.
    games: u64,
    /// The tags of the game that was found last, and the lines that look like tags.
    tags: Vec<TagSpan>,
    unreadable: Vec<usize>,
}

impl<R: Read> PgnReader<R> {
    /// Reads from this input.
    pub fn new(input: R) -> PgnReader<R> {
        PgnReader::with_buffer(input, BUFFER_BYTES)
    }

    /// Reads with a buffer of this size in bytes, which grows where a game needs it.
    pub fn with_buffer(input: R, bytes: usize) -> PgnReader<R> {
        PgnReader {
            input: LineEnds::new(input),
            buffer: vec![0; bytes.clamp(16, MAX_GAME_BYTES)],
            start: 0,
            end: 0,
            at_end: false,
            failed: None,
            line: 1,
            games: 0,
            tags: Vec::new(),
            unreadable: Vec::new(),
        }
    }

    /// The next game; `None` at the end.
    ///
    /// Costs little more than finding the game's end: a caller that needs only tags does not pay for the moves.
    ///
    /// # Errors
    /// Text that is not a game, or a game that is too long. The next call continues after it; only after
    /// [`PgnErrorKind::Io`] no game follows.
    pub fn next_game(&mut self) -> Option<Result<RawGame<'_>, PgnError>> {
        match self.find_game() {
            Ok(extent) => Some(self.hand_out(extent?)),
            Err(error) => Some(Err(error)),
        }
    }

    /// Number of games so far.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// The game that was found, after which the next begins.
    fn hand_out(&mut self, extent: Extent) -> Result<RawGame<'_>, PgnError> {
        let (from, line) = (self.start, self.line);
        self.consume(extent.end);
        let game = RawGame {
            text: &self.buffer[from..from + extent.end],
            tags: &self.tags,
            unreadable: &self.unreadable,
            movetext: extent.movetext,
            number: self.games + 1,
            line,
        };
        if game.is_game() {
            self.games += 1;
            Ok(game)
        } else {
            let no_game = PgnErrorKind::Form("text that is no game");
            Err(error_at(line, self.games, no_game))
        }
    }

    /// The extent of the next game, which is then in the buffer from `start` on.
    fn find_game(&mut self) -> Result<Option<Extent>, PgnError> {
        loop {
            self.skip_blanks();
            let end = self.end.min(self.start + MAX_GAME_BYTES);
            let at_end = self.at_end && end == self.end;
            let text = &self.buffer[self.start..end];
            if text.is_empty() && at_end {
                return Ok(None);
            }
            if !text.is_empty() {
                let scan = Scan { text, at_end };
                let found = scan.game(&mut self.tags, &mut self.unreadable);
                if found.is_some() {
                    return Ok(found);
                }
            }
            if text.len() >= MAX_GAME_BYTES {
                return Err(self.give_game_up());
            }
            self.fill().map_err(|error| self.error(error.into()))?;
        }
    }

    /// Skips empty lines and byte order marks: a file may begin with one, and files may have been joined.
    fn skip_blanks(&mut self) {
        let text = &self.buffer[self.start..self.end];
        let mut rest = text.trim_ascii_start();
        while let Some(after) = rest.strip_prefix(BYTE_ORDER_MARK) {
            rest = after.trim_ascii_start();
        }
        self.consume(text.len() - rest.len());
    }

    /// Counts bytes that were read.
    fn consume(&mut self, bytes: usize) {
        let passed = &self.buffer[self.start..self.start + bytes];
        self.line += memchr_iter(b'\n', passed).count() as u64;
        self.start += bytes;
    }

    /// The error of this kind at this place.
    fn error(&self, kind: PgnErrorKind) -> PgnError {
        error_at(self.line, self.games, kind)
    }

    /// Makes room, and reads until the buffer is full or the input ends. An error is told when nothing before it is left.
    fn fill(&mut self) -> io::Result<()> {
        if let Some(error) = self.failed.take() {
            (self.at_end, self.end, self.start) = (true, 0, 0);
            return Err(error);
        }
        let start = std::mem::take(&mut self.start);
        self.buffer.copy_within(start..self.end, 0);
        self.end -= start;
        // A game that fills half of the buffer would be scanned repeatedly.
        let size = self.buffer.len();
        if self.end > size / 2 {
            self.buffer
                .resize(size.max(MAX_GAME_BYTES.min(2 * size)), 0);
        }
        self.read_input();
        Ok(())
    }

    fn read_input(&mut self) {
        while self.end < self.buffer.len() && !self.at_end && self.failed.is_none() {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.at_end = true,
                Ok(bytes) => self.end += bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => self.failed = Some(error),
            }
        }
    }

    /// Drops a game that is too long, up to the next line that begins one. It still counts as a game, with its number
    /// and the line on which it begins. No game follows if no such line is found soon.
    fn give_game_up(&mut self) -> PgnError {
        self.games += 1;
        let too_long = self.error(PgnErrorKind::TooLong);
        let mut dropped = 0;
        loop {
            let text = &self.buffer[self.start..self.end];
            if let Some(next) = find_event(text) {
                self.consume(next);
                return too_long;
            }
            // The last bytes that were read may be the beginning of such a line.
            let kept = if self.at_end { 0 } else { 16.min(text.len()) };
            let passed = text.len() - kept;
            self.consume(passed);
            if self.at_end {
                return too_long;
            }
            dropped += passed;
            if dropped >= MAX_JUNK_BYTES {
                (self.at_end, self.end, self.start) = (true, 0, 0);
                let none = format!("no game begins within {} MiB", MAX_JUNK_BYTES >> 20);
                return self.error(io::Error::other(none).into());
            }
            if let Err(error) = self.fill() {
                return self.error(error.into());
            }
        }
    }
}

fn error_at(line: u64, game: u64, kind: PgnErrorKind) -> PgnError {
    let place = PgnPlace { line, game, ply: 0 };
    PgnError { place, kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tags `White` and lines of all games; `!` for text that is not a game.
    fn games(text: &[u8], buffer: usize) -> Vec<(String, u64)> {
        let mut reader = PgnReader::with_buffer(text, buffer);
        let mut found = Vec::new();
        while let Some(game) = reader.next_game() {
            found.push(match game {
                Ok(game) => {
                    let name = game
                        .tag("White")
                        .map_or("-".into(), |name| name.into_owned());
                    (name, game.line())
                }
                Err(error) => ("!".to_owned(), error.place.line),
            });
        }
        found
    }

    #[test]
    fn the_buffer_does_not_matter() {
        let text = b"\xef\xbb\xbf[Event \"x\"]\r\n[White \"a\"]\r\n\r\n1. e4 {\n\n} *\r\n\r\n\
            [Event \"x\"]\n[White \"M\xfcller\"]\n[Event \"x\"]\n1. d4 ; [\n 1-0\n";
        let expected = games(text, 4096);
        let places: Vec<u64> = expected.iter().map(|&(_, line)| line).collect();
        assert_eq!((expected[1].0.as_str(), places), ("Müller", vec![1, 8, 10]));
        for buffer in 16..200 {
            assert_eq!(games(text, buffer), expected, "with {buffer} bytes");
        }
    }

    #[test]
    fn what_has_no_end_and_no_game_is_given_up() {
        let mut reader = PgnReader::new(io::repeat(0));
        let error = reader.next_game().unwrap().unwrap_err();
        assert!(matches!(error.kind, PgnErrorKind::Io(_)), "{error}");
        assert!(reader.next_game().is_none());
    }

    #[test]
    fn carriage_returns_alone_end_lines() {
        let text =
            b"[Event \"x\"]\r[White \"a\"]\r\r1. e4 e5 ; c\r2. Nf3 *\r\r[White \"b\"]\r\r1. d4 *\r";
        let expected = [("a".to_owned(), 1), ("b".to_owned(), 7)];
        for buffer in 16..100 {
            assert_eq!(games(text, buffer), expected, "with {buffer} bytes");
        }
    }

    #[test]
    fn nothing_is_no_game() {
        assert_eq!(games(b"", 64), []);
        assert_eq!(games(b"\xef\xbb\xbf \n\n", 64), []);
        assert_eq!(games(b"Dear all,\n", 64), [("!".to_owned(), 1)]);
        assert_eq!(games(b"1. e4 *\n", 64), [("-".to_owned(), 1)]);
    }

    #[test]
    fn a_game_without_end_is_dropped() {
        let endless = std::io::repeat(b'x').take(MAX_GAME_BYTES as u64 + 99);
        let text = b"[Event \"x\"]\n{"
            .chain(endless)
            .chain(&b"\n[Event \"y\"]\n*"[..]);
        let mut reader = PgnReader::new(text);
        let error = reader
            .next_game()
            .expect("something")
            .expect_err("too long");
        assert!(matches!(error.kind, PgnErrorKind::TooLong));
        assert_eq!((error.place.line, error.place.game), (1, 1));
        let game = reader.next_game().expect("a game").expect("a good one");
        assert_eq!((game.tag("Event").as_deref(), game.line()), (Some("y"), 3));
        assert_eq!(game.number(), 2);
        assert!(reader.next_game().is_none());
    }
}
