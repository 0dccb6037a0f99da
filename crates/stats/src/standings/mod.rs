//! The table of results: points, and tie-breaks in a configurable order. Points are counted in half
//! points, so nothing is rounded.
//!
//! The articles are in the FIDE Handbook, C.07, Tie-Break Regulations (from 1 August 2024).
//!
//! * here: results, and the table that they make
//! * `standing`: a line of it; what a round was for one engine; the rules, their names and articles
//! * `rules`: what each rule gives an engine, and the order that follows

mod rules;
mod standing;
#[cfg(test)]
mod tests;

pub use standing::{EngineRound, RoundOutcome, Standing, TieBreak, UnplayedWins};

use super::games::Cell;

/// All that a table is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StandingsInput {
    /// How many engines there are.
    pub engines: usize,
    /// Their games.
    pub cells: Vec<Cell>,
    /// Games that gave both together less than a point: they say nothing of strength.
    pub uneven: Vec<UnevenCell>,
    /// For each engine the pairs it won with both colours; empty where pairs are not known.
    pub double_wins: Vec<u32>,
    /// Every engine's rounds, where the event is played in them.
    pub rounds: Vec<EngineRound>,
    /// What was won without playing, where the event is not played in rounds.
    pub unplayed: Vec<UnplayedWins>,
    /// Number of games of each engine in which it made a fault itself; empty counts as 0 for all.
    pub faults: Vec<u64>,
    /// A lot of each engine; the highest is best.
    pub lots: Vec<u32>,
}

/// Games in which both together got less than a point, one engine with White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnevenCell {
    /// White and Black.
    pub engines: [u16; 2],
    /// The number of draws and losses of each.
    pub games: [[u32; 2]; 2],
}

/// What the games of one engine with White against another gave both.
#[derive(Clone, Copy)]
struct Met {
    engines: [usize; 2],
    half_points: [u32; 2],
}

impl StandingsInput {
    /// All games, by White and Black.
    fn met(&self) -> impl Iterator<Item = Met> {
        let played = self.cells.iter().filter(|cell| cell.results != [0; 3]);
        let even = played.map(|cell| Met {
            engines: [cell.white, cell.black].map(usize::from),
            half_points: half_points(cell).into(),
        });
        let uneven = self.uneven.iter().map(|cell| Met {
            engines: cell.engines.map(usize::from),
            half_points: cell.games.map(|[draws, _]| draws),
        });
        even.chain(uneven)
    }

    /// The table, best engine first.
    pub fn standings(&self, order: &[TieBreak]) -> Vec<Standing> {
        let mut table: Vec<Standing> = (0..self.engines).map(|engine| self.blank(engine)).collect();
        self.cells.iter().for_each(|cell| count(&mut table, cell));
        for cell in &self.uneven {
            for (engine, [draws, losses]) in cell.engines.into_iter().zip(cell.games) {
                table[usize::from(engine)].add(draws, [0, draws, losses]);
            }
        }
        let points: Vec<u32> = table.iter().map(|row| row.half_points).collect();
        for (engine, row) in table.iter_mut().enumerate() {
            // As against a dummy that ends with as many points as the engine (article 16.4).
            row.sonneborn_berger += u64::from(self.awarded(engine)) * u64::from(points[engine]);
        }
        for met in self.met() {
            let [white, black] = met.engines;
            let [white_half, black_half] = met.half_points;
            table[white].sonneborn_berger += u64::from(white_half) * u64::from(points[black]);
            table[black].sonneborn_berger += u64::from(black_half) * u64::from(points[white]);
            if points[white] == points[black] {
                table[white].direct += white_half;
                table[black].direct += black_half;
            }
        }
        rules::rank(self, table, order)
    }

    /// Half points of an engine for what was not played.
    fn awarded(&self, engine: usize) -> u32 {
        let own = self
            .rounds
            .iter()
            .filter(|one| usize::from(one.engine) == engine);
        let wins = self.unplayed.iter();
        let wins = wins.filter(|wins| usize::from(wins.winner) == engine);
        let rounds: u32 = own.map(|one| one.outcome.awarded()).sum();
        rounds + wins.map(|wins| wins.half_points).sum::<u32>()
    }

    fn blank(&self, engine: usize) -> Standing {
        Standing {
            engine: engine as u16,
            half_points: self.awarded(engine),
            double_wins: self.double_wins.get(engine).copied().unwrap_or(0),
            ..Standing::default()
        }
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
        table[usize::from(engine)].add(half, [won, draws, lost]);
    }
    table[usize::from(cell.black)].black_wins += losses;
}
