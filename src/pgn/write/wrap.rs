//! Wraps words into lines, and makes text fit for comments: PGN's export format has fewer than 80 columns
//! (specification, 4.3).

use crate::text::is_harmful;

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
        if word > self.space && self.out.len() - self.line > LINE && self.may_begin_a_line(word) {
            self.out.replace_range(self.space..word, "\n");
            self.line = word;
        }
    }

    /// Adds a word.
    pub(super) fn text(&mut self, word: &str) {
        self.word(|out| out.push_str(word));
    }

    /// Whether a line may begin with the word: `%` there escapes the line, and `[` looks like a tag to readers that
    /// read line by line.
    fn may_begin_a_line(&self, word: usize) -> bool {
        !matches!(self.out.as_bytes().get(word), Some(b'%' | b'['))
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
}
