//! Paragraphs broken at blanks, and lines of others broken where the page ends.

use super::page_width;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

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
    let lines = wrap(text, page_width(), &first, &next).into_iter();
    lines.map(|line| line + "\n").collect()
}

/// A label in a column of this width, and next to it a text on the page, its lines below each other.
pub(crate) fn labelled(label: &str, columns: usize, text: &str) -> String {
    let (first, next) = (format!("{label:<columns$}"), " ".repeat(columns));
    let lines = wrap(text, page_width(), &first, &next).into_iter();
    lines.map(|line| line + "\n").collect()
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
