//! A text of statistics as data: written once for a terminal, a page of HTML (`page`) and Markdown.

use super::harmless::printable_lines;
use super::page::{page_width, wrap};
use super::table::Table;

/// The width of the labels of lines.
const LABEL_COLUMNS: usize = 18;

/// A part of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TextPart {
    /// The title of a section, or of a table in it.
    Title(String),
    /// A label and its text.
    Line(String, String),
    Paragraph(String),
    Table(Table),
}

/// A text, part by part.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Document(pub(crate) Vec<TextPart>);

impl Document {
    /// The text that this writes.
    pub(crate) fn written(write: impl FnOnce(&mut Document)) -> Document {
        let mut document = Document::default();
        write(&mut document);
        document
    }

    /// Adds a title.
    pub(crate) fn title(&mut self, text: impl Into<String>) {
        self.0.push(TextPart::Title(text.into()));
    }

    /// Adds a labelled line.
    pub(crate) fn line(&mut self, label: impl Into<String>, text: impl Into<String>) {
        self.0.push(TextPart::Line(label.into(), text.into()));
    }

    /// Adds a paragraph.
    pub(crate) fn paragraph(&mut self, text: impl Into<String>) {
        self.0.push(TextPart::Paragraph(text.into()));
    }

    /// Adds a table.
    pub(crate) fn table(&mut self, table: Table) {
        self.0.push(TextPart::Table(table));
    }

    /// For a terminal.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (place, part) in self.0.iter().enumerate() {
            match part {
                TextPart::Title(title) => {
                    text += if place > 0 { "\n" } else { "" };
                    text += &format!("{}\n", printable_lines(title));
                }
                TextPart::Line(label, said) => text += &indented(label, said),
                TextPart::Paragraph(said) => {
                    let lines = wrap(&printable_lines(said), page_width(), "  ", "  ");
                    text.extend(lines.into_iter().map(|line| line + "\n"));
                }
                TextPart::Table(table) => text += &table.text(),
            }
        }
        text
    }

    /// For documents.
    pub(crate) fn markdown(&self) -> String {
        let part = |part: &TextPart| match part {
            TextPart::Title(title) => format!("## {}\n\n", printable_lines(title)),
            TextPart::Line(label, said) => format!("* **{label}**: {}\n", printable_lines(said)),
            TextPart::Paragraph(said) => format!("\n{}\n", printable_lines(said)),
            TextPart::Table(table) => format!("\n{}\n", table.markdown()),
        };
        self.0.iter().map(part).collect()
    }
}

/// `  label             text`, the text broken at blanks below itself.
fn indented(label: &str, text: &str) -> String {
    let first = format!("  {label:<LABEL_COLUMNS$}");
    let next = " ".repeat(LABEL_COLUMNS + 2);
    let lines = wrap(&printable_lines(text), page_width(), &first, &next);
    lines.into_iter().map(|line| line + "\n").collect()
}
