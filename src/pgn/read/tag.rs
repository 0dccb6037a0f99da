//! One tag: `[Name "Value"]`, also in single quotes.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr3;

/// The places of a tag's parts in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TagSpan {
    pub(super) name: Range<usize>,
    /// The value between the quotes, still escaped.
    pub(super) value: Range<usize>,
    /// The place after the closing bracket.
    pub(super) end: usize,
}

impl TagSpan {
    /// The same tag in a text with `by` more bytes before it.
    pub(super) fn shifted(self, by: usize) -> TagSpan {
        let shift = |range: Range<usize>| range.start + by..range.end + by;
        TagSpan {
            name: shift(self.name),
            value: shift(self.value),
            end: self.end + by,
        }
    }
}

/// Reads the tag at the start of a line, or of several lines that belong together.
///
/// Two common errors are accepted: quotes that should have been escaped belong to the value unless a bracket follows,
/// and a backslash before the last quote is a plain backslash (`C:\`).
pub(super) fn read(line: &[u8]) -> Option<TagSpan> {
    let (name, value) = head(line)?;
    let escaped = closing_quote(line, value);
    let quote = escaped.or_else(|| last_closing_quote(line, value))?;
    let bracket = skip_blanks(line, quote + 1);
    Some(TagSpan {
        name,
        value: value..quote,
        end: bracket + 1,
    })
}

/// Whether a line begins like a tag: `[Name "`.
pub(super) fn begins_like_a_tag(line: &[u8]) -> bool {
    head(line).is_some()
}

/// The place of the name and of the value's first byte.
fn head(line: &[u8]) -> Option<(Range<usize>, usize)> {
    if line.first() != Some(&b'[') {
        return None;
    }
    let start = skip_blanks(line, 1);
    let length = length_of(&line[start..], |&byte| is_name(byte));
    let quote = skip_blanks(line, start + length);
    let is_tag = length > 0 && matches!(line.get(quote), Some(b'"' | b'\''));
    is_tag.then_some((start..start + length, quote + 1))
}

/// Letters, digits, underscore (specification, 8.1.1), and characters that other programs use.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'#' | b'=' | b':')
}

fn closing_quote(line: &[u8], from: usize) -> Option<usize> {
    let (mut at, opening) = (from, line.get(from - 1)?);
    loop {
        match line.get(at)? {
            b'\\' => at += 2,
            quote if quote == opening && is_closed(line, at) => return Some(at),
            _ => at += 1,
        }
    }
}

fn last_closing_quote(line: &[u8], from: usize) -> Option<usize> {
    let opening = *line.get(from - 1)?;
    let mut places = (from..line.len()).rev();
    places.find(|&at| line[at] == opening && is_closed(line, at))
}

/// Whether a bracket follows the quote.
fn is_closed(line: &[u8], quote: usize) -> bool {
    line.get(skip_blanks(line, quote + 1)) == Some(&b']')
}

fn skip_blanks(line: &[u8], from: usize) -> usize {
    let rest = line.get(from..).unwrap_or_default();
    from + length_of(rest, |byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

/// How many bytes qualify before the first that does not.
pub(super) fn length_of(text: &[u8], qualifies: impl Fn(&u8) -> bool) -> usize {
    text.iter().take_while(|byte| qualifies(byte)).count()
}

/// A value as text: UTF-8, otherwise Latin-1 (the specification's character set); escapes are removed, and a line end
/// becomes a blank.
pub(super) fn decode(value: &[u8]) -> Cow<'_, str> {
    let text = match std::str::from_utf8(value) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(value.iter().map(|&byte| char::from(byte)).collect()),
    };
    if text.contains(['\\', '\n']) {
        Cow::Owned(unescape(&text.replace('\n', " ")))
    } else {
        text
    }
}

/// Removes the backslash before a quote or a backslash; other backslashes stay.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let escaped = characters.next_if(|next| character == '\\' && matches!(next, '"' | '\\'));
        out.push(escaped.unwrap_or(character));
    }
    out
}

// Where a game begins on the line of another's result, or after it.

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
    pub(super) after_result: bool,
}

impl<'a> Seams<'a> {
    pub(super) fn new(text: &'a [u8], tagless: bool) -> Seams<'a> {
        Seams {
            text,
            tagless,
            after_result: false,
        }
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
        let sign = usize::from(self.text[mark] != b'*');
        let word = length_of(after_mark, |byte| b"012/".contains(byte));
        let word_end = mark + 1 + sign * word;
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
        let is_mark = |byte: &u8| matches!(byte, b'[' | b'*' | b'-');
        return text.iter().position(is_mark);
    }
    memchr3(b'[', b'*', b'-', text)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(line: &str) -> Option<(String, String, usize)> {
        let tag = read(line.as_bytes())?;
        let value = decode(&line.as_bytes()[tag.value]).into_owned();
        Some((line[tag.name].to_owned(), value, tag.end))
    }

    #[test]
    fn names_and_values() {
        let tag = |name: &str, value: &str, end| Some((name.to_owned(), value.to_owned(), end));
        assert_eq!(parts("[Event \"a\"]"), tag("Event", "a", 11));
        assert_eq!(
            parts("[ Event  \"a\" ] [Site \"b\"]"),
            tag("Event", "a", 14)
        );
        assert_eq!(parts("[White \"\"]"), tag("White", "", 10));
        assert_eq!(
            parts(r#"[White "a \"b\" \\"]"#),
            tag("White", r#"a "b" \"#, 20)
        );
    }

    #[test]
    fn what_should_have_been_escaped() {
        let value = |line| parts(line).map(|(_, value, _)| value);
        assert_eq!(value(r#"[White "a "b" c"]"#).as_deref(), Some(r#"a "b" c"#));
        assert_eq!(value(r#"[Site "C:\"]"#).as_deref(), Some(r"C:\"));
        assert_eq!(value(r#"[Site "C:\games"]"#).as_deref(), Some(r"C:\games"));
    }

    #[test]
    fn what_is_no_tag() {
        for line in [
            "[Event]",
            "[Event \"a",
            "[%eval 0.3]",
            "[",
            "[\"a\"]",
            "Event \"a\"]",
        ] {
            assert_eq!(read(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn latin_1_is_understood() {
        assert_eq!(decode(b"M\xfcller"), "Müller");
    }
}
