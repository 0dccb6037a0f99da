//! Long tables: by position, by engine, by pair.

use crate::analysis::EventStatistics;
use crate::report::statistics::engines::{EngineRow, engine_rows};
use crate::report::statistics::pairs::{PairRow, pair_rows};
use crate::report::statistics::positions::{PlayedStart, all_played, played};
use crate::report::tables::table_of;
use crate::stats::advantage::PositionReport;

use super::numbers::{line, or_dash, paragraph, percent, rendered, some_names};
use super::overview::adaptive;

/// What a table has a row for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum By {
    /// Start positions.
    Position,
    /// Engines.
    Engine,
    /// Complete pairs.
    Pair,
}

/// The whole table.
pub(crate) fn table(statistics: &EventStatistics, by: By) -> String {
    match by {
        By::Position => by_position(statistics),
        By::Engine => by_engine(statistics),
        By::Pair => by_pair(statistics),
    }
}

/// Every position, ordered by number: an order by estimate would look like a ranking.
fn by_position(statistics: &EventStatistics) -> String {
    let report = &statistics.first_move;
    let rows = all_played(statistics);
    if rows.is_empty() {
        return paragraph("no games");
    }
    let mut text = paragraph(&format!("{}.", report.estimand));
    let draws = or_dash(report.advantage.draw_rate, percent);
    text += &line("engines", &some_names(&report.advantage.engines));
    text += &line("draws", &draws);
    text += &adaptive(statistics);
    text += &rendered(&table_of(&PlayedStart::BY_NUMBER, &rows));
    text + &paragraph(
        "score: White's, in all games; shrunk: towards the mean by its noise; Elo of that; 95 %: holds \
         for 95 % of all positions, not for those that truly are the most extreme; own 95 %: of the \
         position's games alone, holds for any given position; P: above the mean; s: share of \
         positions within 5 Elo of the mean among all that are at least as clear. \
         Positions with s > 0.05 are not distinguishable from the average, whatever their order.",
    )
}

/// The results of the first positions, and how many more there are.
pub(crate) fn first_starts(statistics: &EventStatistics, most: usize) -> String {
    let mut rows = all_played(statistics);
    let more = rows.len().saturating_sub(most);
    rows.truncate(most);
    let table = rendered(&table_of(&PlayedStart::RESULTS, &rows));
    match more {
        0 => table,
        _ => format!("{table}{more} more start numbers are in positions.csv\n"),
    }
}

/// Positions that are named because of their games, with the intervals that are valid for a selection.
pub(super) fn named_table(statistics: &EventStatistics, positions: &[&PositionReport]) -> String {
    let rows = played(statistics, positions.iter().copied());
    rendered(&table_of(&PlayedStart::NAMED, &rows))
}

/// The same with tabs between cells, whatever the width of the page.
pub(super) fn named_cells(statistics: &EventStatistics, positions: &[&PositionReport]) -> String {
    let rows = played(statistics, positions.iter().copied());
    let columns = PlayedStart::NAMED;
    let heads = columns.each_ref().map(|column| column.head.to_owned());
    let cells = rows
        .iter()
        .map(|row| columns.each_ref().map(|column| column.shown(row)));
    let lines = std::iter::once(heads).chain(cells);
    lines
        .map(|cells| format!("{}\n", cells.join("\t")))
        .collect()
}

/// Every engine with both colours.
fn by_engine(statistics: &EventStatistics) -> String {
    let mut text = rendered(&table_of(&EngineRow::BY_COLOR, &engine_rows(statistics)));
    if statistics.self_play {
        text += &paragraph("Sanity check: one engine plays itself, so its copies should be equal.");
    }
    text
}

fn by_pair(statistics: &EventStatistics) -> String {
    let rows = pair_rows(statistics);
    match rows.is_empty() {
        true => paragraph("no complete pairs"),
        false => rendered(&table_of(&PairRow::FOR_PEOPLE, &rows)),
    }
}
