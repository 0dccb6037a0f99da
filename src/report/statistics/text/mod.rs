//! Statistics as text, as wide as the terminal at most.
//!
//! | file | what |
//! |---|---|
//! | `numbers` | numbers and lines of the same form everywhere |
//! | `parts` | a text taken apart again, for pages |
//! | `overview` | what was counted, and what was not |
//! | `sequential` | the event's SPRT |
//! | `encounter` | two engines |
//! | `field` | ratings of many engines |
//! | `variation` | whether the start positions differ |
//! | `named_positions` | the positions that may be named |
//! | `first_move` | the first-move advantage |
//! | `calibration` | how often what is printed is true |
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
pub(crate) use field::{builds_table, rating_of};
pub(crate) use first_move::{first_move_parts, of_results};
pub(crate) use named_positions::unnamed;
pub(crate) use parts::TextPart;
pub(super) use tables::pair_rows;
pub(crate) use tables::{By, table};

/// Everything that is worth saying, in sections.
pub(crate) fn text(statistics: &EventStatistics) -> String {
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

/// The lines that belong below the table of results when a run ends.
pub(crate) fn conclusion(statistics: &EventStatistics) -> String {
    let lines = conclusion_lines(statistics);
    lines.iter().map(|line| numbers::page(line)).collect()
}

/// The same, each line whole.
pub(crate) fn conclusion_lines(statistics: &EventStatistics) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(sequential::one_line(statistics));
    if statistics.self_play {
        lines.extend(first_move::white_line(statistics));
    } else {
        lines.extend(encounter::elo_line(statistics));
    }
    lines.extend(
        statistics
            .adaptive
            .iter()
            .map(|label| format!("adaptive: {label}")),
    );
    lines.extend(overview::warnings(statistics));
    lines
}
