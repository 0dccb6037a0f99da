//! Lines of engines that the event file asks to keep with the moves.

use std::sync::Arc;

use regex_lite::Regex;

/// Which lines are kept: of each search, for each of these expressions, the last line that it matches.
#[derive(Debug, Clone, Default)]
pub struct KeptLines(Arc<[Regex]>);

impl KeptLines {
    /// The lines that these expressions match anywhere.
    pub fn new(expressions: Vec<Regex>) -> KeptLines {
        KeptLines(expressions.into())
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl PartialEq for KeptLines {
    fn eq(&self, other: &KeptLines) -> bool {
        self.0
            .iter()
            .map(Regex::as_str)
            .eq(other.0.iter().map(Regex::as_str))
    }
}

/// What was found of them in the search that runs, in the order of the expressions.
#[derive(Debug, Default)]
pub(crate) struct FoundLines(Vec<String>);

impl FoundLines {
    /// A new search.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Looks at a line of the search.
    pub(crate) fn note(&mut self, line: &str, wanted: &KeptLines) {
        self.0.resize_with(wanted.0.len(), String::new);
        for (found, expression) in self.0.iter_mut().zip(&*wanted.0) {
            if expression.is_match(line) {
                found.clear();
                found.push_str(line);
            }
        }
    }

    /// The lines, of the expressions that have one.
    pub(crate) fn take(&mut self) -> Vec<String> {
        let mut lines = std::mem::take(&mut self.0);
        lines.retain(|line| !line.is_empty());
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_each_expression_is_kept() {
        let expressions = ["^info string", "depth [0-9]+", "never"];
        let expressions = expressions.map(|text| Regex::new(text).expect("an expression"));
        let wanted = KeptLines::new(expressions.into());
        let mut found = FoundLines::default();
        for line in [
            "info depth 1",
            "info string a",
            "info depth 2",
            "bestmove e2e4",
        ] {
            found.note(line, &wanted);
        }
        assert_eq!(found.take(), ["info string a", "info depth 2"]);
        assert!(found.take().is_empty());
    }
}
