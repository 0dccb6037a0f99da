//! Statistics as text and CSV.
//!
//! | file | what |
//! |---|---|
//! | `text` | for people, as wide as the terminal |
//! | `csv` | tables for other programs, `positions.csv` among them |

mod csv;
mod text;

pub(crate) use csv::{covariance_csv, draws_csv, engines_csv, pairs_csv, positions_csv};
pub(super) use text::numbers;
pub(crate) use text::numbers::{elo, p_value, whole_elo};
pub(crate) use text::{
    By, builds_table, conclusion, conclusion_lines, first_move, rating_of, table, text, unnamed,
};
