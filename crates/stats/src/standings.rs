//! The table of results: points, and tie-breaks in a configurable order.
//! Everything is counted in half points, so nothing is rounded.

use serde::{Deserialize, Serialize};

use super::games::Cell;

/// A rule to order engines with equal points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TieBreak {
    /// Points in the games among the engines with equal points.
    DirectEncounter,
    /// Games won.
    Wins,
    /// Sonneborn–Berger: the sum over games of result times the opponent's
    /// final points.
    SonnebornBerger,
    /// Games won with Black.
    BlackWins,
    /// Pairs won with both colours.
    DoubleWins,
}

impl TieBreak {
    /// The default order.
    pub const DEFAULT: [TieBreak; 4] = [
        TieBreak::DirectEncounter,
        TieBreak::Wins,
        TieBreak::SonnebornBerger,
        TieBreak::BlackWins,
    ];
}

/// One engine's line in the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// Index of the engine.
    pub engine: u16,
    /// Place from 1; engines no rule separates share it.
    pub place: usize,
    /// Points, in half points.
    pub half_points: u32,
    /// Games played.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Points against the engines with equal points, in half points.
    pub direct: u32,
    /// Sonneborn–Berger score, in quarter points.
    pub sonneborn_berger: u64,
    /// Games won with Black.
    pub black_wins: u32,
    /// Pairs won with both colours.
    pub double_wins: u32,
    /// The rule that puts this engine below the one above it, where points
    /// are equal.
    pub decided_by: Option<TieBreak>,
}

impl Standing {
    /// Points.
    pub fn points(&self) -> f64 {
        f64::from(self.half_points) / 2.0
    }

    /// Points against the engines with equal points.
    pub fn direct_points(&self) -> f64 {
        f64::from(self.direct) / 2.0
    }

    /// Sonneborn–Berger score in points.
    pub fn sonneborn_berger_points(&self) -> f64 {
        self.sonneborn_berger as f64 / 4.0
    }

    fn value(&self, rule: TieBreak) -> u64 {
        match rule {
            TieBreak::DirectEncounter => u64::from(self.direct),
            TieBreak::Wins => u64::from(self.wins),
            TieBreak::SonnebornBerger => self.sonneborn_berger,
            TieBreak::BlackWins => u64::from(self.black_wins),
            TieBreak::DoubleWins => u64::from(self.double_wins),
        }
    }
}

/// The table, best engine first. `double_wins` holds for each engine the pairs
/// it won with both colours (an empty slice where pairs are not known).
pub fn standings(
    engines: usize,
    colours: &[Cell],
    double_wins: &[u32],
    order: &[TieBreak],
) -> Vec<Standing> {
    let mut table: Vec<Standing> = (0..engines)
        .map(|engine| blank(engine, double_wins))
        .collect();
    colours.iter().for_each(|cell| count(&mut table, cell));
    let points: Vec<u32> = table.iter().map(|row| row.half_points).collect();
    for cell in colours {
        let (white, black) = (usize::from(cell.white), usize::from(cell.black));
        let (white_half, black_half) = half_points(cell);
        table[white].sonneborn_berger += u64::from(white_half) * u64::from(points[black]);
        table[black].sonneborn_berger += u64::from(black_half) * u64::from(points[white]);
        if points[white] == points[black] {
            table[white].direct += white_half;
            table[black].direct += black_half;
        }
    }
    sort(table, order)
}

fn blank(engine: usize, double_wins: &[u32]) -> Standing {
    Standing {
        engine: engine as u16,
        place: 0,
        half_points: 0,
        games: 0,
        wins: 0,
        draws: 0,
        losses: 0,
        direct: 0,
        sonneborn_berger: 0,
        black_wins: 0,
        double_wins: double_wins.get(engine).copied().unwrap_or(0),
        decided_by: None,
    }
}

/// White's and Black's half points in a cell.
fn half_points(cell: &Cell) -> (u32, u32) {
    let [losses, draws, wins] = cell.results;
    (2 * wins + draws, 2 * losses + draws)
}

fn count(table: &mut [Standing], cell: &Cell) {
    let [losses, draws, wins] = cell.results;
    let (white_half, black_half) = half_points(cell);
    let sides = [
        (cell.white, wins, losses, white_half),
        (cell.black, losses, wins, black_half),
    ];
    for (engine, won, lost, half) in sides {
        let row = &mut table[usize::from(engine)];
        row.half_points += half;
        row.games += won + draws + lost;
        row.wins += won;
        row.draws += draws;
        row.losses += lost;
    }
    table[usize::from(cell.black)].black_wins += losses;
}

fn sort(mut table: Vec<Standing>, order: &[TieBreak]) -> Vec<Standing> {
    let key = |row: &Standing| -> Vec<u64> {
        std::iter::once(u64::from(row.half_points))
            .chain(order.iter().map(|rule| row.value(*rule)))
            .collect()
    };
    table.sort_by_key(|row| std::cmp::Reverse(key(row)));
    for i in 0..table.len() {
        table[i].place = i + 1;
        let Some(above) = i.checked_sub(1) else {
            continue;
        };
        if key(&table[above]) == key(&table[i]) {
            table[i].place = table[above].place;
        } else if table[above].half_points == table[i].half_points {
            let differs = |rule: &&TieBreak| table[above].value(**rule) != table[i].value(**rule);
            table[i].decided_by = order.iter().find(differs).copied();
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(white: u16, black: u16, results: [u32; 3]) -> Cell {
        Cell {
            start: 0,
            white,
            black,
            results,
        }
    }

    #[test]
    fn equal_points_are_decided_by_the_first_rule_that_differs() {
        // A and B: 2 points of 3; B beat A, C lost to both but for a draw.
        let games = [
            cell(0, 1, [1, 0, 0]),
            cell(0, 2, [0, 0, 2]),
            cell(2, 1, [0, 2, 0]),
        ];
        let table = standings(3, &games, &[], &TieBreak::DEFAULT);
        assert_eq!(
            table.iter().map(|row| row.engine).collect::<Vec<_>>(),
            [1, 0, 2]
        );
        assert_eq!(
            (table[0].direct_points(), table[1].direct_points()),
            (1.0, 0.0)
        );
        assert_eq!(table[1].decided_by, Some(TieBreak::DirectEncounter));
        assert_eq!(
            (table[0].sonneborn_berger_points(), table[0].black_wins),
            (3.0, 1)
        );
        let by_wins = standings(3, &games, &[], &[TieBreak::Wins]);
        assert_eq!(
            (by_wins[0].engine, by_wins[1].decided_by),
            (0, Some(TieBreak::Wins))
        );
    }

    #[test]
    fn inseparable_engines_share_a_place() {
        let table = standings(2, &[cell(0, 1, [0, 2, 0])], &[], &TieBreak::DEFAULT);
        assert_eq!(
            (table[0].place, table[1].place, table[1].decided_by),
            (1, 1, None)
        );
    }

    #[test]
    fn no_games_make_an_empty_but_valid_table() {
        assert!(standings(0, &[], &[], &TieBreak::DEFAULT).is_empty());
        assert_eq!(standings(2, &[], &[], &[])[1].points(), 0.0);
    }
}
