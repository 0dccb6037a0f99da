//! Statistics as text and CSV.
//!
//! | file | what |
//! |---|---|
//! | `text` | for people, as wide as the terminal |
//! | `cells` | tables whose columns have names and kinds |
//! | `positions` | the table of start positions, as in `positions.csv` |
//! | `csv` | the other tables for programs |

mod cells;
mod csv;
mod positions;
mod text;

pub(crate) use csv::{covariance_csv, draws_csv, engines_csv, pairs_csv};
pub(crate) use positions::positions_csv;
pub(super) use text::numbers;
pub(crate) use text::numbers::{elo, name, or_dash, p_value, percent, probability, whole_elo};
pub(crate) use text::{
    By, TextPart, details, first_move_parts, rating_of, ratings, self_play, table, two_engines,
    warnings,
};
#[cfg(feature = "parquet")]
pub(crate) use {
    cells::{Cell, Column, Kind},
    csv::{PAIR_COLUMNS, pair_cells},
    positions::{POSITION_COLUMNS, position_rows},
};
