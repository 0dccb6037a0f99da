//! The table of positions on the page, and its data.

use maud::{Markup, html};

use crate::report::statistics::PlayedStart;
use crate::text::{CellValue, Column};

use super::facts::EventFacts;
use super::figure::{Data, field};
use super::tables::{cells, heads};

/// The data of the positions, for download.
pub(super) fn data(played: &[PlayedStart<'_>]) -> Data {
    let columns = PlayedStart::FOR_DOWNLOAD;
    let row = |row| columns.iter().map(|column| short(column, row)).collect();
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    Data::new("positions.csv", &names.join(","), played.iter().map(row))
}

/// A field with few digits: there may be a thousand rows.
fn short<R>(column: &Column<R>, row: &R) -> String {
    match (column.value)(row) {
        CellValue::Real(value) => field(Some(value)),
        other => other.field(),
    }
}

/// The table of all positions, with links to their games.
pub(super) fn table(facts: &EventFacts, prefix: &str, played: &[PlayedStart<'_>]) -> Markup {
    let command = facts.command("stats", "--by position");
    html! {
        details id=(format!("{prefix}positions")) {
            summary { @if played.len() == 1 { "Table of the position" } @else { "Table of all " (played.len()) " positions" } }
            p { "In the order of start numbers: an order by estimate would look like a ranking. Computed by " code { (command) } "." }
            div.wide tabindex="0" role="region" aria-label="Table of positions" { table {
                thead { tr { (heads(&[PlayedStart::NUMBER])) (heads(&PlayedStart::ON_PAGE)) } }
                tbody { @for one in played {
                    tr id=(format!("{prefix}start-{}", one.start.start)) {
                        td { a href=(format!("#{prefix}games-start-{}", one.start.start)) { (one.label()) } }
                        (cells(&PlayedStart::ON_PAGE, one))
                    }
                } }
            } }
        }
    }
}
