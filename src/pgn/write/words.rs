//! Wraps words into lines, and makes text fit for comments: PGN's export format has fewer than 80 columns
//! (specification, 4.3).

use std::time::Duration;

use jiff::Timestamp;

use crate::event::UnixMillis;
use crate::text::{is_harmful, push_number, push_padded};

/// Maximum length of a line, without its end.
const LINE: usize = 79;

/// Appends words to a text, each after a space, or after a line end if the line would become too long.
///
/// Words are written directly into the text: the space before a word is replaced by the line end if the finished word
/// is too long for the line.
pub(super) struct WrappedWords<'a> {
    out: &'a mut String,
    /// Start of the line that is being written.
    line: usize,
    /// Place of the space before the word that is being written.
    space: usize,
}

impl<'a> WrappedWords<'a> {
    /// Starts with an empty line.
    pub(super) fn new(out: &'a mut String) -> WrappedWords<'a> {
        let end = out.len();
        WrappedWords {
            out,
            line: end,
            space: end,
        }
    }

    /// Adds what `write` appends as one word, which is never split between lines.
    pub(super) fn word(&mut self, write: impl FnOnce(&mut String)) {
        self.space = self.out.len();
        if self.space > self.line {
            self.out.push(' ');
        }
        let word = self.out.len();
        write(self.out);
        // At the beginning of a line `%` escapes it, and `[` looks like a tag to readers that read line by line.
        let may_begin_a_line = !matches!(self.out.as_bytes().get(word), Some(b'%' | b'['));
        if word > self.space && self.out.len() - self.line > LINE && may_begin_a_line {
            self.out.replace_range(self.space..word, "\n");
            self.line = word;
        }
    }

    /// Adds a word.
    pub(super) fn text(&mut self, word: &str) {
        self.word(|out| out.push_str(word));
    }

    /// Adds a comment of these words.
    pub(super) fn comment<'t>(&mut self, words: impl Iterator<Item = &'t str>) {
        let mut words = words.peekable();
        let mut opening = "{";
        while let Some(word) = words.next() {
            let closing = if words.peek().is_none() { "}" } else { "" };
            self.word(|out| {
                [opening, word, closing]
                    .iter()
                    .for_each(|part| out.push_str(part))
            });
            opening = "";
        }
    }

    /// Ends the last line.
    pub(super) fn end(self) {
        self.out.push('\n');
    }
}

/// A text that is safe in a comment: a closing brace would end the comment.
pub(super) fn printable(text: &str) -> String {
    let replace = |character: char| match character {
        '{' => '(',
        '}' => ')',
        other if is_harmful(other) => ' ',
        other => other,
    };
    text.chars().map(replace).collect()
}

/// Appends a time as `h:mm:ss`, with milliseconds up to the last digit that is not zero; shorter fractions are cut off,
/// so that no clock shows more than it has.
pub(super) fn push_clock(out: &mut String, time: Duration) {
    let seconds = time.as_secs();
    push_number(out, seconds / 3600);
    out.push(':');
    push_padded(out, seconds / 60 % 60, 2);
    out.push(':');
    push_padded(out, seconds % 60, 2);
    let millis = u64::from(time.subsec_millis());
    if millis > 0 {
        out.push('.');
        push_padded(out, millis, 3);
        out.truncate(out.trim_end_matches('0').len());
    }
}

/// A moment in ISO 8601, UTC, with milliseconds: `2026-11-20T11:26:23.394Z`; `None` outside the years -9999 to 9999.
pub(super) fn iso(at: UnixMillis) -> Option<String> {
    let moment = Timestamp::from_millisecond(at.0).ok()?;
    Some(format!("{moment:.3}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(words: &[&str]) -> String {
        let mut out = String::from("before\n");
        let mut lines = WrappedWords::new(&mut out);
        words.iter().for_each(|word| lines.text(word));
        lines.end();
        out
    }

    #[test]
    fn no_line_has_80_columns() {
        let text = wrapped(&["twenty-one-characters"; 40]);
        assert!(text.lines().all(|line| line.len() < 80), "{text}");
        assert_eq!(text.split_whitespace().count(), 41);
    }

    #[test]
    fn a_word_longer_than_a_line_has_a_line_to_itself() {
        let long = "x".repeat(100);
        assert_eq!(
            wrapped(&["a", &long, "b"]),
            format!("before\na\n{long}\nb\n")
        );
    }

    #[test]
    fn no_line_begins_like_an_escape_or_a_tag() {
        let long = "x".repeat(79);
        assert_eq!(
            wrapped(&[&long, "%clk", "[b"]),
            format!("before\n{long} %clk [b\n")
        );
    }

    fn text(write: impl Fn(&mut String)) -> String {
        let mut out = String::new();
        write(&mut out);
        out
    }

    #[test]
    fn clocks_show_no_more_than_they_have() {
        let clock = |millis| text(|out| push_clock(out, Duration::from_micros(millis)));
        assert_eq!(clock(9_800_000), "0:00:09.8");
        assert_eq!(clock(3_723_000_999), "1:02:03");
        assert_eq!(clock(60_050_000), "0:01:00.05");
    }

    #[test]
    fn moments_are_in_utc() {
        let moment = |millis| iso(UnixMillis(millis));
        let expected = Some("2020-11-23T16:18:27.275Z".to_owned());
        assert_eq!(moment(1_606_148_307_275), expected);
        let expected = Some("2020-11-23T16:18:27.000Z".to_owned());
        assert_eq!(moment(1_606_148_307_000), expected);
        assert_eq!(moment(i64::MAX), None);
    }
}
