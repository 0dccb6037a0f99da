//! Bytes from a pipe to lines, bounded in memory, without an allocation per line; and lines to words.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr2;

/// The longest line that is kept, in bytes. More of the same line is thrown away.
pub const MAX_LINE: usize = 64 * 1024;

/// The least room that [`LineBuffer::spare`] offers, in bytes.
const READ_SIZE: usize = 4096;

/// One line without its end, borrowed from the buffer until the next call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The text; bytes that are not UTF-8 are replaced by U+FFFD.
    pub text: &'a str,
    /// The line was longer than [`MAX_LINE`] and this is its beginning.
    pub truncated: bool,
}

/// Cuts a stream of bytes into lines.
///
/// A line ends at LF, CR or both. Empty lines carry no meaning in the protocol and are
/// skipped. Take every line after each [`push`](Self::push) or [`commit`](Self::commit):
/// then the buffer holds at most one line's beginning and what was just read.
///
/// ```
/// use arbiter960::uci::LineBuffer;
/// let mut buffer = LineBuffer::new();
/// buffer.push(b"readyok\r\nbestm");
/// assert_eq!(buffer.next_line().map(|line| line.text), Some("readyok"));
/// assert_eq!(buffer.next_line(), None);
/// buffer.push(b"ove e2e4\n");
/// assert_eq!(buffer.next_line().map(|line| line.text), Some("bestmove e2e4"));
/// ```
#[derive(Debug, Default)]
pub struct LineBuffer {
    /// Storage; only `start..end` is meaningful.
    bytes: Vec<u8>,
    /// First byte not yet given out.
    start: usize,
    /// End of what was read.
    end: usize,
    /// No line end lies in `start..scanned`.
    scanned: usize,
    /// The rest of an overlong line is being thrown away.
    discarding: bool,
    /// Holds a line that was not UTF-8.
    repaired: String,
}

impl LineBuffer {
    /// An empty buffer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.reserve(bytes.len());
        self.bytes[self.end..self.end + bytes.len()].copy_from_slice(bytes);
        self.end += bytes.len();
    }

    /// Room to read into, never empty; call [`commit`](Self::commit) with what was read.
    pub fn spare(&mut self) -> &mut [u8] {
        self.reserve(READ_SIZE);
        &mut self.bytes[self.end..]
    }

    /// Takes over `count` bytes that were written to the front of [`spare`](Self::spare).
    pub fn commit(&mut self, count: usize) {
        self.end = (self.end + count).min(self.bytes.len());
    }

    /// The next complete line, if there is one.
    pub fn next_line(&mut self) -> Option<Line<'_>> {
        let (range, truncated) = self.next_range()?;
        Some(Line {
            text: self.decode(range),
            truncated,
        })
    }

    /// At end of file: the last line, where it has no line end. Call it after
    /// [`next_line`](Self::next_line) has given `None`.
    pub fn finish(&mut self) -> Option<Line<'_>> {
        let range = self.start..self.end;
        self.clear_keeping_state();
        self.discarding = false;
        (!range.is_empty()).then(|| Line {
            text: self.decode(range),
            truncated: false,
        })
    }

    /// What was read of a line whose end has not come.
    pub(crate) fn unfinished(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes[self.start..self.end])
    }

    /// Bytes held and not given out.
    pub fn pending(&self) -> usize {
        self.end - self.start
    }

    fn next_range(&mut self) -> Option<(Range<usize>, bool)> {
        loop {
            let found = memchr2(b'\n', b'\r', &self.bytes[self.scanned..self.end]);
            let Some(offset) = found else {
                self.scanned = self.end;
                return self.cut_overlong();
            };
            let range = self.start..self.scanned + offset;
            self.start = range.end + 1;
            self.scanned = self.start;
            if std::mem::take(&mut self.discarding) || range.is_empty() {
                continue;
            }
            let truncated = range.len() > MAX_LINE;
            return Some((
                range.start..range.end.min(range.start + MAX_LINE),
                truncated,
            ));
        }
    }

    /// Gives out the beginning of a line that is too long and throws away what follows it.
    fn cut_overlong(&mut self) -> Option<(Range<usize>, bool)> {
        if self.discarding {
            self.clear_keeping_state();
            return None;
        }
        if self.pending() <= MAX_LINE {
            return None;
        }
        let range = self.start..self.start + MAX_LINE;
        self.clear_keeping_state();
        self.discarding = true;
        Some((range, true))
    }

    fn clear_keeping_state(&mut self) {
        (self.start, self.end, self.scanned) = (0, 0, 0);
    }

    /// Makes room for `count` bytes behind `end`, moving what is pending to the front first.
    fn reserve(&mut self, count: usize) {
        if self.start > 0 {
            self.bytes.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.scanned -= self.start;
            self.start = 0;
        }
        if self.bytes.len() < self.end + count {
            self.bytes.resize(self.end + count, 0);
        }
    }

    fn decode(&mut self, range: Range<usize>) -> &str {
        let bytes = &self.bytes[range];
        match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(_) => {
                self.repaired.clear();
                self.repaired.push_str(&String::from_utf8_lossy(bytes));
                &self.repaired
            }
        }
    }
}

// Words of a line, and the text between keywords.

/// Walks over the words of a line and remembers where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Tokens { rest: text }
    }

    /// What has not been read, without blanks around it.
    pub(super) fn rest(&self) -> &'a str {
        self.rest.trim_ascii()
    }

    /// The next word without taking it.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.split_word().map(|(word, _)| word)
    }

    /// Takes everything before the first word that ends it.
    pub(super) fn take_until(&mut self, ends: impl Fn(&str) -> bool) -> &'a str {
        let text = self.rest;
        loop {
            let before = self.rest;
            if self.next().is_none_or(&ends) {
                self.rest = before;
                return text[..text.len() - before.len()].trim_ascii();
            }
        }
    }

    fn split_word(&self) -> Option<(&'a str, &'a str)> {
        let text = self.rest.trim_ascii_start();
        if text.is_empty() {
            return None;
        }
        let end = text
            .bytes()
            .position(|byte| byte.is_ascii_whitespace())
            .unwrap_or(text.len());
        Some(text.split_at(end))
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (word, rest) = self.split_word()?;
        self.rest = rest;
        Some(word)
    }
}

/// Splits `text` at the words in `keywords`: each keyword with the text up to the next one.
/// Blanks inside the text are kept; the text before the first keyword is skipped.
pub(super) fn fields<'a>(text: &'a str, keywords: &[&str]) -> Vec<(&'a str, &'a str)> {
    let mut found = Vec::new();
    let is_keyword = |word: &str| keywords.contains(&word);
    let mut tokens = Tokens::new(text);
    tokens.take_until(is_keyword);
    while let Some(keyword) = tokens.next() {
        found.push((keyword, tokens.take_until(is_keyword)));
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(buffer: &mut LineBuffer) -> Vec<(String, bool)> {
        let mut lines = Vec::new();
        while let Some(line) = buffer.next_line() {
            lines.push((line.text.to_owned(), line.truncated));
        }
        lines
    }

    #[test]
    fn every_line_end_counts_and_empty_lines_do_not() {
        let mut buffer = LineBuffer::new();
        buffer.push(b"a\nb\r\n\n\r\n c \rlast");
        let lines: Vec<String> = all(&mut buffer).into_iter().map(|line| line.0).collect();
        assert_eq!(lines, ["a", "b", " c "]);
        assert_eq!(buffer.finish().map(|line| line.text), Some("last"));
        assert_eq!(buffer.finish(), None);
    }

    #[test]
    fn a_line_of_a_megabyte_is_cut_once_and_memory_stays_bounded() {
        let mut buffer = LineBuffer::new();
        let mut lines = Vec::new();
        for _ in 0..1024 {
            buffer.push(&[b'x'; 1024]);
            lines.extend(all(&mut buffer));
        }
        buffer.push(b"tail\nreadyok\n");
        lines.extend(all(&mut buffer));
        assert_eq!(
            lines,
            [("x".repeat(MAX_LINE), true), ("readyok".into(), false)]
        );
        assert!(
            buffer.bytes.len() <= MAX_LINE + 2 * READ_SIZE,
            "{}",
            buffer.bytes.len()
        );
    }

    #[test]
    fn an_overlong_line_within_one_chunk_is_cut_as_well() {
        let mut buffer = LineBuffer::new();
        buffer.push(&[b'y'; MAX_LINE + 1]);
        buffer.push(b"\nok\n");
        assert_eq!(
            all(&mut buffer),
            [("y".repeat(MAX_LINE), true), ("ok".into(), false)]
        );
    }

    #[test]
    fn a_line_of_exactly_the_limit_is_whole() {
        let mut buffer = LineBuffer::new();
        buffer.push(&[b'z'; MAX_LINE]);
        assert_eq!(buffer.next_line(), None);
        buffer.push(b"\n");
        assert_eq!(all(&mut buffer), [("z".repeat(MAX_LINE), false)]);
    }

    #[test]
    fn what_is_not_utf8_is_replaced() {
        let mut buffer = LineBuffer::new();
        buffer.push(b"id name caf\xe9 \xff\n");
        assert_eq!(
            buffer.next_line().unwrap().text,
            "id name caf\u{fffd} \u{fffd}"
        );
    }

    #[test]
    fn a_reader_may_write_straight_into_the_buffer() {
        let mut buffer = LineBuffer::new();
        let spare = buffer.spare();
        spare[..8].copy_from_slice(b"readyok\n");
        buffer.commit(8);
        assert_eq!(buffer.next_line().unwrap().text, "readyok");
    }

    proptest! {
        #[test]
        fn chunks_do_not_matter(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), any::<u8>()], 0..400),
            size in 1_usize..50,
        ) {
            let mut whole = LineBuffer::new();
            whole.push(&bytes);
            let mut parts = LineBuffer::new();
            let mut lines = Vec::new();
            for chunk in bytes.chunks(size) {
                parts.push(chunk);
                lines.extend(all(&mut parts));
            }
            prop_assert_eq!(lines, all(&mut whole));
            prop_assert_eq!(parts.finish(), whole.finish());
        }
    }

    #[test]
    fn words_are_separated_by_any_blanks() {
        assert_eq!(
            Tokens::new(" \ta  b\tc ").collect::<Vec<_>>(),
            ["a", "b", "c"]
        );
        assert_eq!(Tokens::new("  ").next(), None);
    }

    #[test]
    fn fields_keep_blanks_inside_values() {
        let text = "junk default Fail High var Always var  Fail High  var";
        let expected = [
            ("default", "Fail High"),
            ("var", "Always"),
            ("var", "Fail High"),
            ("var", ""),
        ];
        assert_eq!(fields(text, &["default", "var"]), expected);
    }
}
