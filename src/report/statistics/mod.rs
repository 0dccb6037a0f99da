//! Statistics as text and CSV.
//!
//! | file | what |
//! |---|---|
//! | `text` | for people, as wide as the terminal |
//! | `engines` | the columns of the table of engines |
//! | `pairs` | the columns of the table of pairs |
//! | `positions` | the columns of the table of start positions |

mod engines;
mod pairs;
mod positions;
mod text;

pub(crate) use engines::{engines_csv, ratings_beside};
pub(crate) use pairs::pairs_csv;
#[cfg(feature = "parquet")]
pub(crate) use pairs::{PairRow, pair_rows};
pub(crate) use positions::{PlayedStart, all_played, positions_csv};
pub(super) use text::numbers;
pub(crate) use text::numbers::{elo, name, or_dash, p_value, percent, probability};
pub(crate) use text::{
    By, TextPart, calibration, details, first_move_parts, first_starts, of_rated, of_results,
    ratings, self_play, table, two_engines, warnings,
};
