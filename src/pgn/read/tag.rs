//! One tag: `[Name "Value"]`.

use std::borrow::Cow;
use std::ops::Range;

/// The places of a tag's parts in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TagSpan {
    /// The name.
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
    let length = line[start..]
        .iter()
        .take_while(|&&byte| is_name(byte))
        .count();
    let quote = skip_blanks(line, start + length);
    let is_tag = length > 0 && line.get(quote) == Some(&b'"');
    is_tag.then_some((start..start + length, quote + 1))
}

/// Letters, digits, underscore (specification, 8.1.1), and characters that other programs use.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'#' | b'=' | b':')
}

fn closing_quote(line: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        match line.get(at)? {
            b'\\' => at += 2,
            b'"' if is_closed(line, at) => return Some(at),
            _ => at += 1,
        }
    }
}

fn last_closing_quote(line: &[u8], from: usize) -> Option<usize> {
    (from..line.len())
        .rev()
        .find(|&at| line[at] == b'"' && is_closed(line, at))
}

/// Whether a bracket follows the quote.
fn is_closed(line: &[u8], quote: usize) -> bool {
    line.get(skip_blanks(line, quote + 1)) == Some(&b']')
}

fn skip_blanks(line: &[u8], from: usize) -> usize {
    let blanks = line
        .iter()
        .skip(from)
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
    from + blanks.count()
}

/// A value as text: UTF-8, otherwise Latin-1 (the specification's character set); escapes are removed, and a line end
/// becomes a blank.
pub(super) fn decode(value: &[u8]) -> Cow<'_, str> {
    let text = match std::str::from_utf8(value) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(value.iter().map(|&byte| char::from(byte)).collect()),
    };
    if text.contains(['\\', '\n']) {
        Cow::Owned(unescape(&text.replace("\r\n", "\n").replace('\n', " ")))
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
