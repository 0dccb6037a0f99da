//! Standings and crosstables, and every table whose columns are engines. Pure: counts in, tables out.

use crate::stats::standings::{Standing, TieBreak};
use crate::text::{ColumnUnit, Table, or_dash, short_name};
use crate::tournament::{Ratings, Scoreboard, StandingRow};

/// Opponents in one crosstable; more would not fit a terminal.
const MAX_IN_CROSSTABLE: usize = 10;

/// Tie-breaks in a table on a terminal.
const MAX_TIE_BREAKS: usize = 2;

/// The standings without ratings.
pub fn standings(board: &Scoreboard) -> String {
    rated_standings(board, &Ratings::new())
}

/// The same with these ratings.
pub(crate) fn rated_standings(board: &Scoreboard, ratings: &Ratings) -> String {
    standings_table(board, ratings, MAX_TIE_BREAKS).text()
}

/// The standings with these ratings and the values of so many tie-breaks, in the order of the rules.
pub(crate) fn standings_table(board: &Scoreboard, ratings: &Ratings, tie_breaks: usize) -> Table {
    let standings = board.standings();
    let rows = board.rows(&standings, ratings);
    let mut table = Table::from_columns(&StandingRow::for_people(&rows), &rows);
    let value = |standing: &Standing, rule: TieBreak| {
        let mut values = standing.tie_breaks();
        values.find(|(own, _)| *own == rule)?.1
    };
    let has_value = |rule: &TieBreak| standings.iter().any(|row| value(row, *rule).is_some());
    let rules = board.tie_breaks().iter().copied();
    let rules = rules.filter(|rule| *rule != TieBreak::Lot && has_value(rule));
    for rule in rules.take(tie_breaks) {
        let values: Vec<Option<f64>> = standings.iter().map(|row| value(row, rule)).collect();
        let has = |decimals: usize| {
            let rest = |value: f64| (value * 10_f64.powi(decimals as i32)).fract().abs();
            values.iter().flatten().all(|value| rest(*value) < 1e-6)
        };
        let decimals = (0..2).find(|decimals| has(*decimals)).unwrap_or(2);
        let head = (rule.head().to_owned(), ColumnUnit::Count);
        table.heads.push(head);
        for (cells, value) in table.rows.iter_mut().zip(values) {
            cells.push(or_dash(value, |value| format!("{value:.decimals$}")));
        }
    }
    table
}

/// A word on standings whose order by points is not the order of strength.
pub(crate) fn order_line(board: &Scoreboard, ratings: &Ratings) -> Option<String> {
    let standings = board.standings();
    let disagree = StandingRow::disagree(&board.rows(&standings, ratings));
    let words =
        "Points and Elo have different orders: not all engines met opponents of the same strength.";
    disagree.then(|| words.to_owned())
}

/// Points of each engine against each other, in the order of the standings; `None` for two engines (the standings show
/// everything) and for too many to fit.
pub fn crosstable(board: &Scoreboard) -> Option<String> {
    let order = board.order();
    if order.len() < 3 || order.len() > MAX_IN_CROSSTABLE {
        return None;
    }
    let names = |engine: usize| short_name(&board.participants()[engine].name);
    let points = |row, column| encounter_points(board, row, column);
    Some(square(&order, names, points).text())
}

/// A table of all against all.
pub(super) fn square(
    order: &[usize],
    name: impl Fn(usize) -> String,
    cell: impl Fn(usize, usize) -> String,
) -> Table {
    let numbers = (1..=order.len()).map(|number| number.to_string());
    let heads: Vec<String> = ["#", "engine"]
        .map(str::to_owned)
        .into_iter()
        .chain(numbers)
        .collect();
    let mut table = Table::new(&heads, &[1]);
    for (place, &row) in order.iter().enumerate() {
        let start = [(place + 1).to_string(), name(row)];
        let cells = order.iter().map(|&column| cell(row, column));
        table.rows.push(start.into_iter().chain(cells).collect());
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
