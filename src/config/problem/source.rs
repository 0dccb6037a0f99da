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

    /// The line in which a span begins: its number from 1, its text, and the span in it, widened to whole characters.
    pub(crate) fn line(&self, span: &Range<usize>) -> (usize, &str, Range<usize>) {
        let start = span.start.min(self.text.len());
        let number = self.lines.partition_point(|&line| line <= start);
        let begin = self.lines[number - 1];
        let line = self.text[begin..].lines().next().unwrap_or("");
        let end = (span.end.max(start) - begin).min(line.len());
        let start = (start - begin).min(end);
        let is_edge = |place: &usize| line.is_char_boundary(*place);
        let first = (0..=start).rev().find(is_edge).unwrap_or(0);
        let last = (end..=line.len()).find(is_edge).unwrap_or(line.len());
        (number, line, first..last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_whole_characters_wherever_it_begins_and_ends() {
        let text = SourceText::new(String::new(), "a\n“½” b".to_owned());
        for start in 0..=text.text.len() {
            for end in start..=text.text.len() {
                let (_, line, span) = text.line(&(start..end));
                assert!(line.get(span.clone()).is_some(), "{line}: {span:?}");
            }
        }
    }
}
