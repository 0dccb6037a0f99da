//! How far a text has been read: shared by the readers of a stream and of a chunk.

use memchr::memchr_iter;

use super::scan::{Extent, Scan};
use super::tag::TagSpan;
use super::{PgnError, PgnErrorKind, PgnPlace, RawGame};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A place in a text, and the game that was found there.
#[derive(Debug)]
pub(super) struct ReadProgress {
    /// The text before this place has been handed out.
    pub(super) start: usize,
    /// The line of `start`, from 1.
    pub(super) line: u64,
    /// Games so far.
    pub(super) games: u64,
    tags: Vec<TagSpan>,
    unreadable: Vec<usize>,
}

impl ReadProgress {
    /// The beginning of a text, which is this line of its file.
    pub(super) fn at_line(line: u64) -> ReadProgress {
        ReadProgress {
            start: 0,
            line,
            games: 0,
            tags: Vec::new(),
            unreadable: Vec::new(),
        }
    }

    /// Skips empty lines and byte order marks: a file may begin with one, and files may have been joined.
    pub(super) fn skip_blanks(&mut self, text: &[u8]) {
        let mut rest = &text[self.start..];
        loop {
            rest = rest.trim_ascii_start();
            match rest.strip_prefix(BYTE_ORDER_MARK) {
                Some(after) => rest = after,
                None => break,
            }
        }
        self.consume(text, text.len() - self.start - rest.len());
    }

    /// The game that begins here; `None` if more text is needed to know.
    pub(super) fn scan(&mut self, text: &[u8], at_end: bool) -> Option<Extent> {
        let text = &text[self.start..];
        if text.is_empty() {
            return None;
        }
        Scan { text, at_end }.game(&mut self.tags, &mut self.unreadable)
    }

    /// Returns the game that was found, and moves past it.
    ///
    /// # Errors
    /// [`PgnErrorKind::NotAGame`] if the text is not a game.
    pub(super) fn hand_out<'a>(
        &'a mut self,
        text: &'a [u8],
        extent: Extent,
    ) -> Result<RawGame<'a>, PgnError> {
        let (from, line) = (self.start, self.line);
        self.consume(text, extent.end);
        let mut game = RawGame {
            text: &text[from..from + extent.end],
            tags: &self.tags,
            unreadable: &self.unreadable,
            movetext: extent.movetext,
            number: self.games + 1,
            line,
        };
        if game.is_game() {
            self.games += 1;
            game.number = self.games;
            return Ok(game);
        }
        let place = PgnPlace {
            line,
            game: self.games,
            ply: 0,
        };
        Err(PgnError {
            place,
            kind: PgnErrorKind::NotAGame,
        })
    }

    /// Counts bytes that were read.
    pub(super) fn consume(&mut self, text: &[u8], bytes: usize) {
        let passed = &text[self.start..self.start + bytes];
        self.line += memchr_iter(b'\n', passed).count() as u64;
        self.start += bytes;
    }

    /// The error of this kind at this place.
    pub(super) fn error(&self, kind: PgnErrorKind) -> PgnError {
        PgnError {
            place: PgnPlace {
                line: self.line,
                game: self.games,
                ply: 0,
            },
            kind,
        }
    }
}
