//! Text that comes from others or goes to other programs.
//!
//! | file | what |
//! |---|---|
//! | `harmless` | what an engine says, for people's eyes |
//! | `suggest` | what was probably meant by a word that does not exist |
//! | `count` | numbers of things |
//! | `duration` | how long something took |
//! | `wrap` | paragraphs broken at blanks, lines broken at the edge of the page |
//! | `width` | how wide text for people is |
//! | `fields` | the same as a field of JSON or CSV |
//! | `columns` | tables whose columns are data, for people and for programs |
//! | `tell` | a line on standard error, which may be lost |

mod columns;
mod count;
mod duration;
mod fields;
mod harmless;
mod suggest;
mod tell;
mod width;
mod wrap;

pub(crate) use columns::{
    CellValue, Column, ColumnUnit, columns, csv, results_json, row_json, short_name, signed,
};
pub(crate) use count::count;
pub(crate) use duration::duration;
pub(crate) use fields::{csv_number, csv_row, harmless_json, write_json, write_json_line};
pub use harmless::is_harmful;
pub(crate) use harmless::{printable, printable_lines};
pub(crate) use suggest::{nearest, suggestion};
pub(crate) use tell::{fitted, tell};
pub(crate) use width::{page_width, set_page_width};
pub(crate) use wrap::{labelled, paragraph, verbatim, wrap};
