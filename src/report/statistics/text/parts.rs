//! Splits the text of a section into its parts, for pages with another layout than a terminal's.

use super::numbers::LABEL;

/// A part of a text that was made of lines, paragraphs and tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TextPart {
    /// The title of a section.
    Title(String),
    /// A label and its text.
    Line(String, String),
    /// A paragraph, whole.
    Paragraph(String),
    /// The names of columns, and rows with as many cells.
    Table(Vec<String>, Vec<Vec<String>>),
}

/// The parts of a text, in their order; a table is in lines with tabs, the names of its columns first.
pub(super) fn parts(text: &str) -> Vec<TextPart> {
    let mut parts: Vec<TextPart> = Vec::new();
    for line in text.lines() {
        if line.contains('\t') {
            let cells = line.split('\t').map(str::to_owned).collect();
            match parts.last_mut() {
                Some(TextPart::Table(_, rows)) => rows.push(cells),
                _ => parts.push(TextPart::Table(cells, Vec::new())),
            }
            continue;
        }
        let said = line.trim();
        let is_indented = line.starts_with("  ");
        match (label(line), parts.last_mut()) {
            _ if said.is_empty() => {}
            (Some(("", text)), Some(TextPart::Line(_, before))) => *before += &format!(" {text}"),
            (Some((label, text)), _) if !label.is_empty() => {
                parts.push(TextPart::Line(label.to_owned(), text.to_owned()));
            }
            (_, Some(TextPart::Paragraph(before))) if is_indented => *before += &format!(" {said}"),
            _ if is_indented => parts.push(TextPart::Paragraph(said.to_owned())),
            _ => parts.push(TextPart::Title(said.to_owned())),
        }
    }
    parts
}

/// The label of a line, empty if the line continues the one before, and its text.
fn label(line: &str) -> Option<(&str, &str)> {
    let start = line.strip_prefix("  ")?;
    let (end, _) = start.char_indices().nth(LABEL)?;
    let (label, text) = start.split_at(end);
    // Words of a paragraph have one blank between them.
    let fits = label.ends_with("  ") && !text.starts_with(' ');
    fits.then_some((label.trim(), text))
}

#[cfg(test)]
mod tests {
    use super::super::numbers::{line, paragraph};
    use super::*;

    #[test]
    fn a_text_is_taken_apart_as_it_was_made() {
        let long = "many words ".repeat(30).trim().to_owned();
        let row = |number: &str| [number, "RNBQKBNR", "[-3, +4]"].map(str::to_owned).to_vec();
        let text = "The first move\n".to_owned()
            + &paragraph(&long)
            + &line("positions differ", &long)
            + &line("number 518", "one")
            + "\nNamed\n"
            + "number\tback rank\t95 %\n7\tRNBQKBNR\t[-3, +4]\n518\tRNBQKBNR\t[-3, +4]\n"
            + &paragraph("after it");
        let header = ["number", "back rank", "95 %"].map(str::to_owned).to_vec();
        let expected = [
            TextPart::Title("The first move".to_owned()),
            TextPart::Paragraph(long.clone()),
            TextPart::Line("positions differ".to_owned(), long),
            TextPart::Line("number 518".to_owned(), "one".to_owned()),
            TextPart::Title("Named".to_owned()),
            TextPart::Table(header, vec![row("7"), row("518")]),
            TextPart::Paragraph("after it".to_owned()),
        ];
        assert_eq!(parts(&text), expected);
    }
}
