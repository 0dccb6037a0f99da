//! A stream in chunks that probably begin and end with whole games, so that several threads
//! can read them. Whether the guess was right is known once the chunk before has been read.

use std::io::{self, Read};

use memchr::memmem::rfind;
use memchr::{memchr, memrchr};

use crate::pgn::LineEnds;

use super::raw::ReadProgress;
use super::{PgnError, RawGame};

/// Maximum size of a chunk in bytes: a chunk grows up to this if no end of a game is found.
const MAX_CHUNK_BYTES: usize = 8 << 20;

/// Most games are shorter than this.
const NEAR: usize = 64 << 10;

/// The text before a new game, the surest first; each ends with the game's first byte.
const SEAMS: [&[u8]; 4] = [b"\n\n[Event \"", b"\n\r\n[Event \"", b"\n\n[", b"\n\r\n["];

/// A part of a file, and the line after it if that seems to begin the next game.
pub(super) struct Chunk {
    text: Vec<u8>,
    /// Where the line after it begins.
    cut: usize,
    /// The line of its first byte.
    line: u64,
    /// No chunk comes after it.
    pub(super) at_end: bool,
}

/// How a chunk was read.
pub(super) struct ChunkEnd {
    /// The games handed out.
    pub(super) games: u64,
    /// The start of a game that does not end with the chunk.
    pub(super) rest: Option<Rest>,
}

/// A place in a chunk; the text from there must be read together with what follows.
pub(super) struct Rest {
    at: usize,
    /// The line of that place.
    pub(super) line: u64,
}

impl Chunk {
    /// Hands out the games, counted from 1, with line numbers of the file.
    pub(super) fn read(&self, mut each: impl FnMut(Result<RawGame<'_>, PgnError>)) -> ChunkEnd {
        let mut progress = ReadProgress::at_line(self.line);
        loop {
            progress.skip_blanks(&self.text[..self.cut]);
            let end = |rest| ChunkEnd {
                games: progress.games,
                rest,
            };
            if progress.start == self.cut {
                return end(None);
            }
            let rest = Rest {
                at: progress.start,
                line: progress.line,
            };
            match progress.scan(&self.text, self.at_end) {
                Some(extent) if rest.at + extent.end <= self.cut => {
                    each(progress.hand_out(&self.text, extent));
                }
                _ => {
                    return ChunkEnd {
                        games: progress.games,
                        rest: Some(rest),
                    };
                }
            }
        }
    }

    /// The text that was not handed out.
    pub(super) fn after(&self, rest: &Rest) -> &[u8] {
        &self.text[rest.at..self.cut]
    }

    /// The chunk, without the line after it.
    pub(super) fn text(&self) -> &[u8] {
        &self.text[..self.cut]
    }
}

/// Cuts a stream into chunks.
pub(super) struct Chunks<R> {
    pub(super) input: LineEnds<R>,
    /// Text that was read and belongs to the next chunk.
    pub(super) pending: Vec<u8>,
    bytes: usize,
    line: u64,
    at_end: bool,
}

impl<R: Read> Chunks<R> {
    /// Chunks of about this size in bytes.
    pub(super) fn new(input: R, bytes: usize) -> Chunks<R> {
        Chunks {
            input: LineEnds::new(input),
            pending: Vec::new(),
            bytes,
            line: 1,
            at_end: false,
        }
    }

    /// The next chunk; `None` at the end.
    ///
    /// # Errors
    /// The input cannot be read.
    pub(super) fn next_chunk(&mut self) -> io::Result<Option<Chunk>> {
        if self.at_end {
            return Ok(None);
        }
        let mut wanted = self.bytes.max(self.pending.len());
        loop {
            self.fill(wanted)?;
            if self.at_end {
                return Ok(Some(self.take(self.pending.len(), self.pending.len())));
            }
            if let Some((cut, line_end)) = seam(&self.pending) {
                return Ok(Some(self.take(cut, line_end)));
            }
            if wanted >= MAX_CHUNK_BYTES {
                // The reader of this chunk will find that the game is not finished.
                return Ok(Some(self.take(self.pending.len(), self.pending.len())));
            }
            wanted *= 2;
        }
    }

    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        let missing = wanted.saturating_sub(self.pending.len());
        self.pending.reserve_exact(missing);
        let mut limited = self.input.by_ref().take(missing as u64);
        let read = limited.read_to_end(&mut self.pending)?;
        self.at_end = read < missing;
        Ok(())
    }

    fn take(&mut self, cut: usize, line_end: usize) -> Chunk {
        let after = self.pending[cut..].to_vec();
        let mut text = std::mem::replace(&mut self.pending, after);
        text.truncate(line_end);
        let line = self.line;
        self.line += memchr::memchr_iter(b'\n', &text[..cut]).count() as u64;
        Chunk {
            text,
            cut,
            line,
            at_end: self.at_end,
        }
    }
}

/// The last place at which a game seems to begin, and the end of that line.
fn seam(text: &[u8]) -> Option<(usize, usize)> {
    let end = memrchr(b'\n', text)? + 1;
    // The place is nearly always near the end, and searching backwards is slow.
    let near = end.saturating_sub(NEAR);
    let in_part = |from: usize| {
        let begins = |seam: &&[u8]| {
            let bracket = memchr(b'[', seam)?;
            Some(from + rfind(&text[from..end], seam)? + bracket)
        };
        SEAMS.iter().find_map(begins)
    };
    let cut = in_part(near).or_else(|| in_part(0))?;
    let line = memchr(b'\n', &text[cut..end])?;
    Some((cut, cut + line + 1))
}
