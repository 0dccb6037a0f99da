//! Tables for the terminal, at most as wide as the terminal. Pure: counts in, text out.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

use crate::text::{Column, page_width, short_name};
use crate::tournament::{Ratings, Scoreboard, StandingRow};

/// A line under the header, and nothing else.
const RULED: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// Opponents in one crosstable; more would not fit.
const LARGEST_CROSSTABLE: usize = 10;

/// The standings without ratings.
pub fn standings(board: &Scoreboard) -> String {
    rated_standings(board, &Ratings::new())
}

/// The same with these ratings.
pub(crate) fn rated_standings(board: &Scoreboard, ratings: &Ratings) -> String {
    let standings = board.standings();
    let rows = board.rows(&standings, ratings);
    table_of(&StandingRow::for_people(&rows, false), &rows).to_string()
}

/// A table of these columns; texts are at the left.
pub(super) fn table_of<R>(columns: &[Column<R>], rows: &[R]) -> Table {
    let heads: Vec<&str> = columns.iter().map(|column| column.head).collect();
    let left = columns.iter().enumerate();
    let left = left.filter(|(_, column)| column.is_text());
    let mut table = new_table(&heads, &left.map(|(place, _)| place).collect::<Vec<_>>());
    for row in rows {
        table.add_row(columns.iter().map(|column| match column.is_text() {
            true => short_name(&column.shown(row)),
            false => column.shown(row),
        }));
    }
    table
}

/// Points of each engine against each other, in the order of the standings; `None` for two engines (the standings show
/// everything) and for too many to fit.
pub fn crosstable(board: &Scoreboard) -> Option<String> {
    let order = board.order();
    if order.len() < 3 || order.len() > LARGEST_CROSSTABLE {
        return None;
    }
    let names = |engine: usize| short_name(&board.participants()[engine].name);
    let points = |row, column| encounter_points(board, row, column);
    Some(square(&order, names, points).to_string())
}

/// A table of all against all.
pub(super) fn square(
    order: &[usize],
    name: impl Fn(usize) -> String,
    cell: impl Fn(usize, usize) -> String,
) -> Table {
    let numbers: Vec<String> = (1..=order.len()).map(|number| number.to_string()).collect();
    let numbers = numbers.iter().map(String::as_str);
    let header: Vec<&str> = ["#", "engine"].into_iter().chain(numbers).collect();
    let mut table = new_table(&header, &[1]);
    for (place, &row) in order.iter().enumerate() {
        let start = [(place + 1).to_string(), name(row)];
        let cells = order.iter().map(|&column| cell(row, column));
        table.add_row(start.into_iter().chain(cells));
    }
    table
}

/// A cell of a crosstable, `1.5/2`: points of games; a dot on the diagonal, and a dash where two have not met.
pub(crate) fn encounter_points(board: &Scoreboard, row: usize, column: usize) -> String {
    let games = board.encounter(row, column).total();
    match games.games() {
        _ if row == column => "·".to_owned(),
        0 => "-".to_owned(),
        count => format!("{:.1}/{count}", games.points()),
    }
}

/// A table whose columns are aligned to the right, except those in `left`.
pub(super) fn new_table(header: &[&str], left: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_style(RULED);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(page_width()).unwrap_or(u16::MAX));
    table.set_header(header);
    for (index, column) in table.column_iter_mut().enumerate() {
        if !left.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
