//! Paragraphs on a page of text as wide as the terminal, and lines on standard error, which may be lost.

use std::io::{self, Write};
use std::sync::OnceLock;

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

use crate::platform::Stream;
use crate::platform::terminal::size;

/// The width where nobody says it.
const USUAL_COLUMNS: usize = 100;

/// The narrowest page that tables can keep to, and the widest that is still easy to read.
const COLUMN_LIMITS: [usize; 2] = [60, 160];

static COLUMNS: OnceLock<usize> = OnceLock::new();

/// Says once, when the program begins, how wide the terminal is; `None` without a terminal.
pub(crate) fn set_page_width(columns: Option<usize>) {
    let [least, most] = COLUMN_LIMITS;
    let width = columns.map_or(USUAL_COLUMNS, |columns| columns.clamp(least, most));
    // Whoever said it first was right.
    let _known = COLUMNS.set(width);
}

/// The columns of a page of text for people.
pub(crate) fn page_width() -> usize {
    *COLUMNS.get().unwrap_or(&USUAL_COLUMNS)
}

/// The lines of a paragraph of at most `width` columns; a longer word has its own line.
/// The first line begins with `first`, the others with `next`, which count as columns.
pub(crate) fn wrap(text: &str, width: usize, first: &str, next: &str) -> Vec<String> {
    let lines = textwrap::wrap(text, usual(width, first, next)).into_iter();
    lines.map(|line| line.into_owned()).collect()
}

fn usual<'a>(width: usize, first: &'a str, next: &'a str) -> Options<'a> {
    Options::new(width)
        .initial_indent(first)
        .subsequent_indent(next)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit)
}

/// A paragraph on the page, the lines after the first indented by two more.
pub(crate) fn paragraph(text: &str, indent: usize) -> String {
    let (first, next) = (" ".repeat(indent), " ".repeat(indent + 2));
    wrap(text, page_width(), &first, &next).join("\n") + "\n"
}

/// A label in a column of this width, and next to it a text on the page, its lines below each other.
pub(crate) fn labelled(label: &str, columns: usize, text: &str) -> String {
    let (first, next) = (format!("{label:<columns$}"), " ".repeat(columns));
    wrap(text, page_width(), &first, &next).join("\n") + "\n"
}

/// A line of others behind `margin`: unchanged if it fits the page, else broken at blanks, and a word that
/// is too long anywhere, the lines after the first further in. No word is left out.
pub(crate) fn verbatim(line: &str, margin: &str) -> String {
    if margin.chars().count() + line.chars().count() <= page_width() {
        return format!("{margin}{line}\n");
    }
    let further = format!("{margin}    ");
    let options = usual(page_width(), margin, &further).break_words(true);
    let lines = textwrap::wrap(line, options).into_iter();
    lines.map(|line| line.into_owned() + "\n").collect()
}

/// Below this many columns the terminal breaks lines itself.
const MIN_COLUMNS: usize = 40;

/// Writes a line to standard error. One that cannot be written, because the disk below it is
/// full or its reader has gone, is lost: `eprintln!` would end the program.
pub(crate) fn tell(line: &str) {
    // One write: lines of several threads stay whole.
    let _lost = io::stderr().write_all(format!("{}\n", fitted(line)).as_bytes());
}

/// For standard error: the text with its lines broken at blanks to the width of the terminal, where there is one.
pub(crate) fn fitted(text: &str) -> String {
    // What is no terminal has no size.
    let columns = size(Stream::Error).map_or(0, |[columns, _]| columns);
    if columns < MIN_COLUMNS {
        return text.to_owned();
    }
    let lines = text.lines().map(|line| {
        let deeper = line.len() - line.trim_start().len() + 2;
        wrap(line, columns, "", &" ".repeat(deeper)).join("\n")
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_others_is_broken_and_whole() {
        let line = format!("setoption  name {} value end", "x".repeat(250));
        let text = verbatim(&line, "| ");
        assert!(
            text.lines()
                .all(|line| line.chars().count() <= page_width())
        );
        assert!(text.lines().all(|line| line.starts_with("| ")));
        let words = text.replace(['|', ' ', '\n'], "");
        assert_eq!(words, line.replace(' ', ""));
        assert_eq!(verbatim("a  b ", "| "), "| a  b \n");
    }

    #[test]
    fn a_text_stands_beside_its_label() {
        let text = labelled("void", 8, &"word ".repeat(40));
        assert!(text.starts_with("void    word"));
        assert!(
            text.lines()
                .skip(1)
                .all(|line| line.starts_with("        word"))
        );
        assert!(
            text.lines()
                .all(|line| line.chars().count() <= page_width())
        );
    }

    #[test]
    fn lines_keep_to_their_width_and_words_stay_whole() {
        let lines = wrap(
            "one two three a-very-long-hyphenated-word four",
            12,
            "* ",
            "  ",
        );
        assert_eq!(
            lines,
            [
                "* one two",
                "  three",
                "  a-very-long-hyphenated-word",
                "  four"
            ]
        );
    }
}
