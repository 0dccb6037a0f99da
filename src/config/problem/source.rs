//! A text in which something can be wrong, and its lines.

use std::ops::Range;

/// A text in which something can be wrong: the event file, or a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SourceText {
    pub name: String,
    pub text: String,
    /// Where each line begins.
    lines: Vec<usize>,
}

impl SourceText {
    pub(crate) fn new(name: String, text: String) -> SourceText {
        let ends = text.match_indices('\n').map(|(end, _)| end + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        SourceText { name, text, lines }
    }

    /// The line in which a span begins: its number from 1, its text, and the span in it.
    pub(crate) fn line(&self, span: &Range<usize>) -> (usize, &str, Range<usize>) {
        let start = span.start.min(self.text.len());
        let number = self.lines.partition_point(|&line| line <= start);
        let begin = self.lines[number - 1];
        let line = self.text[begin..].lines().next().unwrap_or("");
        let end = (span.end.max(start) - begin).min(line.len());
        (number, line, (start - begin).min(end)..end)
    }
}
