//! Statistics as text, as wide as the terminal at most.
//!
//! | file | what |
//! |---|---|
//! | `numbers` | numbers and lines of the same form everywhere |
//! | `parts` | a text split into its parts, for pages |
//! | `overview` | what was counted, and what was not |
//! | `sequential` | the event's SPRT |
//! | `encounter` | two engines |
//! | `field` | ratings of many engines |
//! | `variation` | whether the start positions differ |
//! | `named_positions` | the positions that may be named |
//! | `first_move` | the first-move advantage |
//! | `calibration` | how often the printed statements are true |
//! | `tables` | long tables: by position, by engine, by pair |

mod calibration;
mod encounter;
mod field;
mod first_move;
mod named_positions;
pub(in crate::report) mod numbers;
mod overview;
mod parts;
mod sequential;
mod tables;
mod variation;

use crate::analysis::EventStatistics;

pub(crate) use calibration::calibration;
pub(crate) use encounter::two_engines;
pub(crate) use field::ratings;
pub(crate) use first_move::{first_move_parts, of_rated, of_results, self_play};
pub(crate) use overview::warnings;
pub(crate) use parts::TextPart;
pub(crate) use tables::{By, first_starts, table};

/// Every number, in sections.
pub(crate) fn details(statistics: &EventStatistics) -> String {
    let mut sections = vec![overview::overview(statistics)];
    sections.extend(sequential::section(statistics));
    if statistics.self_play {
        sections.extend(first_move::first_move(statistics));
        sections.extend(encounter::null_check(statistics));
    } else {
        sections.extend(encounter::encounter(statistics));
        sections.extend(field::field(statistics));
        sections.extend(first_move::first_move(statistics));
    }
    sections.join("\n")
}
