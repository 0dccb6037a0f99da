//! The table of complete pairs.

use std::collections::BTreeMap;

use crate::analysis::{EventStatistics, StartRecord};
use crate::stats::games::GameRow;
use crate::text::{CellValue, ColumnUnit, columns, csv};

use super::engines::{allocation, limits};

/// A complete pair.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairRow<'a> {
    statistics: &'a EventStatistics,
    /// Its number, from 1.
    pair: u32,
    start: u32,
    /// The engine with White in the first game of the file.
    first: &'a str,
    second: &'a str,
    /// The first engine's points with White and with Black.
    scores: [f64; 2],
}

columns! {
    PairRow<'_> {
        PAIR: "pair", "pair", ColumnUnit::Count, |row| CellValue::whole(Some(row.pair));
        START: "", "start", ColumnUnit::Text, |row| CellValue::Text(row.statistics.start_label(row.start));
        NUMBER: "number", "", ColumnUnit::Count, |row| CellValue::whole(row.record().and_then(|start| start.number));
        BACK_RANK: "back_rank", "", ColumnUnit::Text, |row| CellValue::Text(row.record().map_or_else(String::new, |start| start.back_rank.clone()));
        FIRST: "first", "first", ColumnUnit::Text, |row| CellValue::Text(row.first.to_owned());
        SECOND: "second", "second", ColumnUnit::Text, |row| CellValue::Text(row.second.to_owned());
        AS_WHITE: "first_as_white", "White", ColumnUnit::Number(1), |row| CellValue::Real(row.scores[0]);
        AS_BLACK: "first_as_black", "Black", ColumnUnit::Number(1), |row| CellValue::Real(row.scores[1]);
        POINTS: "first_points", "points", ColumnUnit::Number(1), |row| CellValue::Real(row.scores[0] + row.scores[1]);
        ALLOCATION: "allocation", "", ColumnUnit::Text, |row| CellValue::Text(allocation(row.statistics).to_owned());
        LIMITS: "limits", "", ColumnUnit::Text, |row| CellValue::Text(limits(row.statistics));
    }
    FOR_PEOPLE[7]: PAIR START FIRST SECOND AS_WHITE AS_BLACK POINTS;
    FOR_PROGRAMS[10]: PAIR NUMBER BACK_RANK FIRST SECOND AS_WHITE AS_BLACK POINTS ALLOCATION LIMITS;
}

impl PairRow<'_> {
    fn record(&self) -> Option<&StartRecord> {
        self.statistics.start(self.start)
    }
}

/// One row for each complete pair, in order, as CSV.
pub(crate) fn pairs_csv(statistics: &EventStatistics) -> String {
    csv(&PairRow::FOR_PROGRAMS, pair_rows(statistics).into_iter())
}

/// All complete pairs, in order.
pub(crate) fn pair_rows(statistics: &EventStatistics) -> Vec<PairRow<'_>> {
    let mut pairs = BTreeMap::<u32, Vec<GameRow>>::new();
    for row in statistics.counted.rows() {
        if let Some(pair) = row.pair {
            pairs.entry(pair).or_default().push(row);
        }
    }
    let complete = pairs
        .into_iter()
        .filter_map(|(pair, games)| match games[..] {
            [one, other] if swapped(&one, &other) => Some((pair, one, other)),
            _ => None,
        });
    complete
        .map(|(pair, one, other)| PairRow {
            statistics,
            pair: pair + 1,
            start: one.start,
            first: &statistics.engines[usize::from(one.white)],
            second: &statistics.engines[usize::from(one.black)],
            scores: [one.result.points(), 1.0 - other.result.points()],
        })
        .collect()
}

fn swapped(one: &GameRow, other: &GameRow) -> bool {
    one.white == other.black && one.black == other.white && one.start == other.start
}
