//! A table of results, as others publish them: one row for each start with White's wins, draws, losses.

use std::collections::BTreeMap;

use crate::chess::start::{self, StartNumber, Variant};
use crate::stats::advantage::{AdvantageOptions, AdvantageReport};

use super::first_move::FirstMoveReport;

/// The possible names of the columns.
const COLUMNS: [&[&str]; 4] = [
    &["start", "number", "setup", "back_rank"],
    &["wins", "white", "white_wins"],
    &["draws", "draw"],
    &["losses", "black", "white_losses"],
];

/// The results of a table.
#[derive(Debug, Clone, Default)]
pub(crate) struct ResultTable {
    results: BTreeMap<u32, [u32; 3]>,
}

impl ResultTable {
    /// Reads comma-separated values; a start is a number or White's first rank.
    ///
    /// # Errors
    /// A column that is missing, a field that is not a number or start, a start with two rows.
    pub(crate) fn read(text: &str) -> Result<ResultTable, String> {
        let mut lines = text.lines().enumerate();
        let header = lines.next().map_or("", |(_, line)| line);
        let names: Vec<String> = fields(header).map(str::to_lowercase).collect();
        let mut places = [0; 4];
        for (place, known) in places.iter_mut().zip(COLUMNS) {
            let found = names.iter().position(|name| known.contains(&name.as_str()));
            let missing = known[0];
            *place = found.ok_or_else(|| {
                format!(
                    "the first line names no column {missing}: it must have start, wins, draws, losses"
                )
            })?;
        }
        let mut table = ResultTable::default();
        for (place, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
            let line = place + 1;
            let row: Vec<&str> = fields(text).collect();
            let field = |column: usize| row.get(places[column]).copied().unwrap_or_default();
            let wrong = |text: &str, what| format!("line {line}: {text:?} is no {what}");
            let count = |column: usize| -> Result<u32, String> {
                let text = field(column);
                text.parse().map_err(|_| wrong(text, "number of games"))
            };
            // By its number, or by White's first rank.
            let start = start::parse_number(Variant::Chess960, field(0));
            let start = start.map_err(|_| wrong(field(0), "start"))?.0;
            let results = [count(3)?, count(2)?, count(1)?];
            if results == [0; 3] {
                continue;
            }
            if table.results.insert(start, results).is_some() {
                return Err(format!("line {line}: start {start} has a row already"));
            }
        }
        Ok(table)
    }

    /// White's results on all starts: lost, drawn, won.
    pub(crate) fn total(&self) -> [u64; 3] {
        [0, 1, 2].map(|kind| self.results.values().map(|one| u64::from(one[kind])).sum())
    }

    /// The statistics of the table.
    pub(crate) fn report(&self, level: f64, equivalence: Option<f64>) -> FirstMoveReport {
        let results: Vec<(u32, [u32; 3])> = self.results.iter().map(|(s, r)| (*s, *r)).collect();
        let options = AdvantageOptions {
            level,
            equivalence,
            self_play: true,
            ..AdvantageOptions::default()
        };
        let mirror = |number: u32| {
            let twin = start::mirror(Variant::Chess960, StartNumber(number));
            twin.ok().map(|twin| twin.0)
        };
        FirstMoveReport {
            estimand: "White's mean score over start positions in the games of this table; games \
                       are taken for independent of each other"
                .to_owned(),
            advantage: AdvantageReport::of_table(&results, &options, mirror),
            unnamed: None,
        }
    }
}

fn fields(line: &str) -> impl Iterator<Item = &str> {
    line.split(',').map(|field| field.trim().trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_numbers_or_ranks() {
        let text = "start,wins,draws,losses\n518,3,2,1\nBBQNNRKR,0,1,0\n";
        let table = ResultTable::read(text).expect("a table");
        assert_eq!(table.results[&518], [1, 2, 3]);
        assert_eq!(table.results[&0], [0, 1, 0]);
        assert_eq!(table.total(), [1, 3, 3]);
    }

    #[test]
    fn what_is_no_table_is_refused() {
        let read = |text: &str| ResultTable::read(text).map(|_| ()).unwrap_err();
        assert!(read("start,wins,losses\n").contains("no column draws"));
        let head = "start,wins,draws,losses\n";
        for row in ["960,1,1,1", "518,1,-1,0", "518,1", "RNBQKBNX,1,1,1"] {
            assert!(read(&format!("{head}{row}\n")).starts_with("line 2: \""));
        }
        let twice = format!("{head}518,1,1,1\n518,1,1,1\n");
        assert_eq!(read(&twice), "line 3: start 518 has a row already");
    }
}
