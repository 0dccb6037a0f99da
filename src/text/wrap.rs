//! Paragraphs broken at blanks.

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// The lines of a paragraph of at most `width` columns; a longer word has a line of its own.
/// The first line begins with `first`, the others with `next`, which count as columns.
pub(crate) fn wrap(text: &str, width: usize, first: &str, next: &str) -> Vec<String> {
    let options = Options::new(width)
        .initial_indent(first)
        .subsequent_indent(next)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    let lines = textwrap::wrap(text, options).into_iter();
    lines.map(|line| line.into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
