//! The texts of `stats` on a page: lines with their names, paragraphs, and tables whose rows become blocks below each
//! other on a narrow screen.

use maud::{Markup, html};

use crate::report::statistics::TextPart;

/// The parts of a section, without its title.
pub(super) fn words(parts: &[TextPart]) -> Markup {
    // The page has a separate title.
    let parts = parts
        .iter()
        .skip_while(|part| matches!(part, TextPart::Title(_)));
    html! {
        dl.words {
            @for part in parts {
                @match part {
                    TextPart::Title(text) => dd.whole { b { (text) } },
                    TextPart::Paragraph(text) => dd.whole { (text) },
                    TextPart::Line(label, text) => { dt { (label) } dd { (text) } },
                    TextPart::Table(header, rows) => dd.whole { (table(header, rows)) },
                }
            }
        }
    }
}

fn table(header: &[String], rows: &[Vec<String>]) -> Markup {
    html! {
        table.stacked {
            thead { tr { @for name in header { th { (name) } } } }
            tbody { @for row in rows { tr {
                @for (name, cell) in header.iter().zip(row) { td data-name=(name) { (cell) } }
            } } }
        }
    }
}
