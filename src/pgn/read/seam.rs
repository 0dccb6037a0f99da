//! Where a game begins on the line of another's result, or after it.

use std::ops::Range;

use memchr::memchr3;

use super::tag::begins_like_a_tag;

/// Shorter pieces are searched byte by byte, because a vectorised search costs more to start.
const SHORT: usize = 24;

/// The results that end a game. `1/2` counts as a result only as a separate word.
const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

/// Reads a movetext piece by piece; each piece is without line ends and comments.
pub(super) struct Seams<'a> {
    text: &'a [u8],
    /// Whether the game has no tags: then the next needs none either, nor numbers.
    tagless: bool,
    /// Whether the last token was a result.
    after_result: bool,
}

impl<'a> Seams<'a> {
    pub(super) fn new(text: &'a [u8], tagless: bool) -> Seams<'a> {
        Seams {
            text,
            tagless,
            after_result: false,
        }
    }

    /// Whether only comments have followed a result.
    pub(super) fn after_result(&self) -> bool {
        self.after_result
    }

    /// Place in a piece of the text where the next game begins.
    pub(super) fn next_game(&mut self, piece: Range<usize>) -> Option<usize> {
        let text = &self.text[piece.clone()];
        if self.after_result {
            let blanks = text.len() - text.trim_ascii_start().len();
            if begins_with_first_move(&text[blanks..]) {
                return Some(piece.start + blanks);
            }
        }
        let mut at = 0;
        while let Some(mark) = next_mark(&text[at..]) {
            if let Some(next) = self.game_at(piece.start + at + mark, piece.end) {
                return Some(next);
            }
            at += mark + 1;
        }
        let trimmed = text.trim_ascii_end();
        if !trimmed.is_empty() {
            self.after_result = ends_with_result(trimmed);
        }
        None
    }

    /// Whether a line after a result begins a game.
    pub(super) fn begins_game(&self, line: &[u8]) -> bool {
        let word = line.split(u8::is_ascii_whitespace).next();
        begins_with_first_move(line) || self.tagless && word.is_some_and(looks_like_a_move)
    }

    /// The start of a game at a bracket or at the sign of a result.
    fn game_at(&self, mark: usize, end: usize) -> Option<usize> {
        if self.text[mark] == b'[' {
            let line = &self.text[mark..];
            return begins_like_a_tag(line).then_some(mark);
        }
        let after_mark = &self.text[mark + 1..end];
        let sign = if self.text[mark] == b'*' { 0 } else { 1 };
        let word = after_mark.iter().take_while(|byte| is_of_result(byte));
        let word_end = mark + 1 + if sign == 0 { 0 } else { word.count() };
        if !ends_with_result(&self.text[..word_end]) {
            return None;
        }
        let rest = &self.text[word_end..end];
        let blanks = rest.len() - rest.trim_ascii_start().len();
        begins_with_first_move(&rest[blanks..]).then_some(word_end + blanks)
    }
}

/// A bracket, or the sign in a result.
fn next_mark(text: &[u8]) -> Option<usize> {
    if text.len() < SHORT {
        return text
            .iter()
            .position(|byte| matches!(byte, b'[' | b'*' | b'-'));
    }
    memchr3(b'[', b'*', b'-', text)
}

fn is_of_result(byte: &u8) -> bool {
    matches!(byte, b'0' | b'1' | b'2' | b'/')
}

/// Whether a text ends with a result that is a separate word.
pub(super) fn ends_with_result(text: &[u8]) -> bool {
    match text.last() {
        Some(b'*') => return true,
        Some(b'0' | b'1' | b'2') => {}
        _ => return false,
    }
    RESULTS.iter().any(|result| {
        text.strip_suffix(*result)
            .is_some_and(|before| before.last().is_none_or(|&byte| ends_a_word(byte)))
    })
}

/// Bytes that are allowed directly before a result.
fn ends_a_word(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(byte, b'.' | b'*' | b')' | b'}' | b'!' | b'?' | b'+' | b'#')
}

/// Whether a text begins with the number of a first move: `1.`
fn begins_with_first_move(text: &[u8]) -> bool {
    text.starts_with(b"1.")
}

/// Approximate test for moves: `e4`, `exd5`, `Nf3`, `N1c3`, `Nxe5`, `O-O`.
pub(super) fn looks_like_a_move(word: &[u8]) -> bool {
    match word {
        [b'a'..=b'h', b'1'..=b'8' | b'x', ..] | [b'O' | b'0', b'-', ..] => true,
        [
            b'K' | b'Q' | b'R' | b'B' | b'N' | b'P',
            b'a'..=b'h' | b'1'..=b'8' | b'x',
            rest @ ..,
        ] => rest.iter().any(u8::is_ascii_digit),
        _ => false,
    }
}
