//! The table of results: points, and tie-breaks in a configurable order. Points are counted in half
//! points, so nothing is rounded.
//!
//! The articles are those of the FIDE Handbook, C.07, Tie-Break Regulations (from 1 August 2024).
//!
//! * here: results, and the table that they make
//! * `standing`: a line of it
//! * `tie_break`: the rules, their names and articles
//! * `rules`: what each rule gives an engine, and the order that follows

mod rules;
mod standing;
#[cfg(test)]
mod tests;
mod tie_break;

pub use standing::Standing;
pub use tie_break::TieBreak;

use super::games::Cell;

/// The games of two engines in one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundScore {
    /// The round.
    pub round: u32,
    /// Who met; the second is missing where the first had a bye, or an opponent that did not play.
    pub engines: (u16, Option<u16>),
    /// Half points of both.
    pub half_points: [u32; 2],
}

/// All that a table is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// How many engines there are.
    pub engines: usize,
    /// Their games.
    pub cells: Vec<Cell>,
    /// For each engine the pairs it won with both colours; empty where pairs are not known.
    pub double_wins: Vec<u32>,
    /// The encounters, where they are played in rounds.
    pub rounds: Vec<RoundScore>,
    /// Half points of each engine for games that were not played; empty without.
    pub unplayed: Vec<u32>,
    /// Games of each engine with a fault of its own; empty without.
    pub faults: Vec<u64>,
    /// A lot of each engine; the highest is best.
    pub lots: Vec<u32>,
}

impl Results {
    /// The table, best engine first.
    pub fn standings(&self, order: &[TieBreak]) -> Vec<Standing> {
        let mut table: Vec<Standing> = (0..self.engines).map(|engine| self.blank(engine)).collect();
        self.cells.iter().for_each(|cell| count(&mut table, cell));
        let points: Vec<u32> = table.iter().map(|row| row.half_points).collect();
        for cell in &self.cells {
            let (white, black) = (usize::from(cell.white), usize::from(cell.black));
            let (white_half, black_half) = half_points(cell);
            table[white].sonneborn_berger += u64::from(white_half) * u64::from(points[black]);
            table[black].sonneborn_berger += u64::from(black_half) * u64::from(points[white]);
            if points[white] == points[black] {
                table[white].direct += white_half;
                table[black].direct += black_half;
            }
        }
        rules::rank(self, table, order)
    }

    fn blank(&self, engine: usize) -> Standing {
        Standing {
            engine: engine as u16,
            place: 0,
            half_points: self.unplayed.get(engine).copied().unwrap_or(0),
            games: 0,
            wins: 0,
            draws: 0,
            losses: 0,
            direct: 0,
            sonneborn_berger: 0,
            black_wins: 0,
            double_wins: self.double_wins.get(engine).copied().unwrap_or(0),
            decided_by: None,
            values: Vec::new(),
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
    let results = Results {
        engines,
        cells: colours.to_vec(),
        double_wins: double_wins.to_vec(),
        ..Results::default()
    };
    results.standings(order)
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
