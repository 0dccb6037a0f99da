//! Text that comes from others or goes to other programs.
//!
//! | file | what |
//! |---|---|
//! | `harmless` | what strangers say, for people's eyes, and as a field of JSON or CSV; what was probably meant by a word that does not exist |
//! | `numbers` | numbers, Elo, probabilities and times in words |
//! | `page` | paragraphs on a page, its width, and lines on standard error |
//! | `column` | the columns of tables as data, and their rows for programs |
//! | `table` | tables for people; titles, labelled lines, paragraphs and tables as data; the writer of each form |

/// Whether a value is the usual one, which stored texts leave out.
pub(crate) fn is_usual<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

mod column;
mod harmless;
mod numbers;
mod page;
mod table;

pub(crate) use column::{
    CellValue, Column, ColumnUnit, RowObject, columns, csv, csv_head, csv_line, results_json,
    row_json, short_name,
};
pub use harmless::is_harmful;
pub(crate) use harmless::{
    harmless_json, nearest, printable, printable_lines, suggestion, write_json, write_json_line,
};
pub(crate) use numbers::{
    about, clock, count, decimal, duration, duration_of_seconds, elo, elo_or_dash, estimate,
    instant, interval, is_narrow, or_dash, p_value, percent, probability, push_hundredths,
    push_number, push_padded, signed, without_zeros,
};
pub(crate) use page::{fitted, labelled, page_width, paragraph, set_page_width, tell, verbatim};
pub(crate) use table::{Document, Table, TextPart};
