//! A stream in parts that probably begin and end with whole games, so that several threads can read them.

use std::io::{self, Read};

use memchr::memmem::rfind;
use memchr::{memchr, memrchr};

use super::{PgnError, PgnReader, RawGame};

/// Maximum size of a part in bytes: a part grows up to this if no end of a game is found.
const MAX_PART_BYTES: usize = 8 << 20;

/// Most games are shorter than this.
const NEAR: usize = 64 << 10;

/// The text before a new game, the surest first; each ends with the game's first byte.
const PART_ENDS: [&[u8]; 2] = [b"\n\n[Event \"", b"\n\n["];

/// A part of a stream that seems to hold whole games, and the line after it: whether the guess was right is known once
/// the part has been read.
pub(in crate::pgn::read) struct Part {
    /// Cannot read on where the part ends, unless the stream ends there, too.
    reader: PgnReader<io::Empty>,
    /// Where the line after the part begins.
    cut: usize,
}

impl Part {
    /// Hands out the games, counted from 1, with line numbers of the file, up to one that does not end with the part.
    pub(in crate::pgn::read) fn read(
        &mut self,
        mut each: impl FnMut(Result<RawGame<'_>, PgnError>),
    ) {
        let reader = &mut self.reader;
        loop {
            reader.skip_blanks();
            let start = reader.start;
            if start == self.cut {
                return;
            }
            match reader.find_game() {
                Ok(Some(extent)) if start + extent.end <= self.cut => each(reader.hand_out(extent)),
                _ => {
                    reader.start = start;
                    return;
                }
            }
        }
    }

    /// Number of games that were handed out.
    pub(in crate::pgn::read) fn games(&self) -> u64 {
        self.reader.games
    }

    /// Whether nothing is left of it.
    pub(in crate::pgn::read) fn is_read(&self) -> bool {
        self.reader.start == self.cut
    }

    /// Whether no part comes after it.
    pub(in crate::pgn::read) fn is_last(&self) -> bool {
        self.cut == self.reader.buffer.len()
    }
}

impl<R: Read> PgnReader<R> {
    /// The next part of about this many bytes; `None` at the end, or if the rest must be read by one reader. No game may
    /// have been read before.
    pub(in crate::pgn::read) fn next_part(&mut self, bytes: usize) -> Option<Part> {
        let (cut, line_end) = loop {
            self.read_input();
            if self.at_end {
                break (self.end, self.end);
            }
            if let Some(found) = last_game(&self.buffer[..self.end]) {
                break found;
            }
            let size = self.buffer.len();
            if self.failed.is_some() || size >= MAX_PART_BYTES {
                return None;
            }
            self.buffer.resize(2 * size, 0);
        };
        if cut == 0 {
            return None;
        }
        let after = &self.buffer[cut..self.end];
        let mut buffer = vec![0; after.len().max(bytes)];
        buffer[..after.len()].copy_from_slice(after);
        let mut part = PgnReader::with_buffer(io::empty(), 0);
        (part.line, part.end, part.at_end) = (self.line, line_end, self.at_end);
        part.failed = (!self.at_end).then(|| io::ErrorKind::UnexpectedEof.into());
        self.consume(cut);
        (self.start, self.end) = (0, self.end - cut);
        part.buffer = std::mem::replace(&mut self.buffer, buffer);
        part.buffer.truncate(line_end);
        Some(Part { reader: part, cut })
    }

    /// Takes back what was not read of a part, and the parts after it: they were cut in the wrong places.
    pub(in crate::pgn::read) fn take_back(
        &mut self,
        part: &Part,
        later: impl Iterator<Item = Part>,
    ) {
        let mut text = part.reader.buffer[part.reader.start..part.cut].to_vec();
        later.for_each(|part| text.extend_from_slice(&part.reader.buffer[..part.cut]));
        text.extend_from_slice(&self.buffer[..self.end]);
        (self.line, self.end) = (part.reader.line, text.len());
        text.resize(self.end.max(self.buffer.len()), 0);
        self.buffer = text;
    }
}

/// The last place at which a game seems to begin, and the end of that line.
fn last_game(text: &[u8]) -> Option<(usize, usize)> {
    let end = memrchr(b'\n', text)? + 1;
    // The place is nearly always near the end, and searching backwards is slow.
    let in_part = |from: usize| {
        let mut found = PART_ENDS
            .iter()
            .map(|begins| rfind(&text[from..end], begins));
        found.find_map(|found| Some(from + found? + 2))
    };
    let cut = in_part(end.saturating_sub(NEAR)).or_else(|| in_part(0))?;
    Some((cut, cut + memchr(b'\n', &text[cut..end])? + 1))
}
