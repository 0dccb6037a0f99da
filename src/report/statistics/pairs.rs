//! The table of complete pairs.

use std::collections::BTreeMap;

use crate::analysis::{EventStatistics, StartRecord};
use crate::stats::games::GameRow;
use crate::text::{Cell, Column, Unit};

use super::engines::{allocation, limits};

/// A complete pair.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairRow<'a> {
    statistics: &'a EventStatistics,
    /// Its number, from 1.
    pair: u32,
    start: Option<&'a StartRecord>,
    /// The engine with White in the first game of the file.
    first: &'a str,
    second: &'a str,
    /// The first engine's points with White and with Black.
    scores: [f64; 2],
}

impl PairRow<'_> {
    const PAIR: Column<Self> = Column::new("pair", "pair", Unit::Count, |row| {
        Cell::whole(Some(row.pair))
    });
    const FIRST: Column<Self> = Column::new("first", "first", Unit::Text, |row| {
        Cell::Text(row.first.to_owned())
    });
    const SECOND: Column<Self> = Column::new("second", "second", Unit::Text, |row| {
        Cell::Text(row.second.to_owned())
    });
    const AS_WHITE: Column<Self> = Column::new("first_as_white", "White", Unit::Number(1), |row| {
        Cell::Real(row.scores[0])
    });
    const AS_BLACK: Column<Self> = Column::new("first_as_black", "Black", Unit::Number(1), |row| {
        Cell::Real(row.scores[1])
    });
    const POINTS: Column<Self> = Column::new("first_points", "points", Unit::Number(1), |row| {
        Cell::Real(row.scores[0] + row.scores[1])
    });

    /// For people; starts without a number by their names.
    pub(crate) const FOR_PEOPLE: [Column<Self>; 7] = [
        Self::PAIR,
        Column::new("", "start", Unit::Text, |row| {
            let label = row.start.map(|start| match start.number {
                Some(number) => number.to_string(),
                None => start.back_rank.clone(),
            });
            Cell::Text(label.unwrap_or_default())
        }),
        Self::FIRST,
        Self::SECOND,
        Self::AS_WHITE,
        Self::AS_BLACK,
        Self::POINTS,
    ];

    /// For programs.
    pub(crate) const FOR_PROGRAMS: [Column<Self>; 10] = [
        Self::PAIR,
        Column::new("number", "", Unit::Count, |row| {
            Cell::whole(row.start.and_then(|start| start.number))
        }),
        Column::new("back_rank", "", Unit::Text, |row| {
            Cell::Text(row.start.map_or_else(String::new, |s| s.back_rank.clone()))
        }),
        Self::FIRST,
        Self::SECOND,
        Self::AS_WHITE,
        Self::AS_BLACK,
        Self::POINTS,
        Column::new("allocation", "", Unit::Text, |row| {
            Cell::Text(allocation(row.statistics).to_owned())
        }),
        Column::new("limits", "", Unit::Text, |row| {
            Cell::Text(limits(row.statistics))
        }),
    ];
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
            start: statistics.start(one.start),
            first: &statistics.engines[usize::from(one.white)],
            second: &statistics.engines[usize::from(one.black)],
            scores: [one.result.points(), 1.0 - other.result.points()],
        })
        .collect()
}

fn swapped(one: &GameRow, other: &GameRow) -> bool {
    one.white == other.black && one.black == other.white && one.start == other.start
}
