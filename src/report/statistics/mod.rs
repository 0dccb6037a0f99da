//! Statistics as text, CSV, JSON and Parquet.
//!
//! | file | what |
//! |---|---|
//! | `engines` | the columns of these tables, and of pairs |
//! | `overview` | what was counted, the event's sequential test |
//! | `encounter` | two engines |
//! | `field` | ratings of many engines |
//! | `first_move` | the first-move advantage, and which positions may be named |

mod encounter;
mod engines;
mod field;
mod first_move;
mod overview;

use crate::analysis::EventStatistics;
use crate::text::{Document, Table, or_dash, percent};

pub(crate) use encounter::two_engines;
#[cfg(feature = "parquet")]
pub(crate) use engines::{PairRow, pair_rows};
pub(crate) use engines::{engines_csv, pairs_csv, ratings_beside, unrated_words};
pub(crate) use first_move::{PlayedStart, all_played, of_results, positions_csv, self_play};
pub(crate) use overview::warnings;

/// Every number, in sections.
pub(crate) fn details(statistics: &EventStatistics) -> Document {
    Document::written(|document| {
        overview::overview(statistics, document);
        overview::sequential(statistics, document);
        if statistics.self_play {
            first_move::first_move(statistics, document);
            encounter::null_check(statistics, document);
        } else {
            encounter::encounter(statistics, document);
            field::field(statistics, document);
            first_move::first_move(statistics, document);
        }
    })
}

/// The section on the first move; empty without games.
pub(crate) fn first_move_section(statistics: &EventStatistics) -> Document {
    Document::written(|document| first_move::first_move(statistics, document))
}

/// The table of ratings of three engines or more; empty for fewer.
pub(crate) fn ratings(statistics: &EventStatistics) -> Document {
    Document::written(|document| field::ratings(statistics, document))
}

/// Every position, ordered by number: an order by estimate would look like a ranking.
pub(crate) fn by_position(statistics: &EventStatistics) -> Document {
    let mut document = Document::default();
    let report = &statistics.first_move;
    let rows = all_played(statistics);
    if rows.is_empty() {
        document.paragraph("no games");
        return document;
    }
    document.paragraph(format!("{}.", report.estimand));
    let engines = engines::first_of(&report.advantage.engines, 12, ", ");
    document.line("engines", engines);
    document.line("draws", or_dash(report.advantage.draw_rate, percent));
    overview::adaptive(statistics, &mut document);
    document.table(Table::from_columns(&PlayedStart::BY_NUMBER, &rows));
    document.paragraph(
        "score: White's, in all games; shrunk: towards the mean by its noise; Elo of that; 95 %: holds \
         for 95 % of all positions, not for those that truly are the most extreme; own 95 %: of the \
         position's games alone, holds for any given position; P: above the mean; s: share of \
         positions within 5 Elo of the mean among all that are at least as clear. \
         Positions with s > 0.05 are not distinguishable from the average, whatever their order.",
    );
    document
}

/// Every engine with both colours.
pub(crate) fn by_engine(statistics: &EventStatistics) -> Document {
    let rows = engines::engine_rows(statistics);
    Document::written(|document| {
        document.table(Table::from_columns(&engines::EngineRow::BY_COLOR, &rows));
        if statistics.self_play {
            let check = "Sanity check: one engine plays itself, so its copies should be equal.";
            document.paragraph(check);
        }
    })
}

/// Every complete pair.
pub(crate) fn by_pair(statistics: &EventStatistics) -> Document {
    let rows = engines::pair_rows(statistics);
    Document::written(|document| {
        if rows.is_empty() {
            document.paragraph("no complete pairs")
        } else {
            document.table(Table::from_columns(&engines::PairRow::FOR_PEOPLE, &rows))
        }
    })
}

/// The results of the first positions, and how many more there are.
pub(crate) fn first_starts(statistics: &EventStatistics, most: usize) -> String {
    let mut rows = all_played(statistics);
    let more = rows.len().saturating_sub(most);
    rows.truncate(most);
    let table = Table::from_columns(&PlayedStart::RESULTS, &rows).text();
    match more {
        0 => table,
        _ => format!("{table}{more} more start numbers are in positions.csv\n"),
    }
}
