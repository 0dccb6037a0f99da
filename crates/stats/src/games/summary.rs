//! What the games are summarised to: counted cells, and colour-swapped pairs.

use serde::Serialize;

use crate::counts::GameScore;

use super::GameTable;

/// The games of one White and one Black from one start, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Start number.
    pub start: u32,
    /// Engine with the white pieces.
    pub white: u16,
    /// Engine with the black pieces.
    pub black: u16,
    /// Games by result: Black won, drawn, White won.
    pub results: [u32; 3],
}

impl Cell {
    /// One game.
    pub fn of_game(start: u32, white: u16, black: u16, result: GameScore) -> Cell {
        let mut results = [0; 3];
        results[result as usize] = 1;
        Cell {
            start,
            white,
            black,
            results,
        }
    }

    /// The cell of equal keys of [`super::GameTable`]; the low bits hold the result.
    pub(super) fn of_equal_keys(keys: &[u64]) -> Cell {
        let mut results = [0; 3];
        keys.iter().for_each(|key| results[(key & 3) as usize] += 1);
        let key = keys[0];
        Cell {
            start: (key >> 34) as u32,
            white: (key >> 18 & 0xFFFF) as u16,
            black: (key >> 2 & 0xFFFF) as u16,
            results,
        }
    }

    /// Number of games.
    pub fn games(&self) -> f64 {
        self.results.iter().map(|n| f64::from(*n)).sum()
    }

    /// White's points.
    pub fn score(&self) -> f64 {
        f64::from(self.results[2]) + f64::from(self.results[1]) / 2.0
    }

    /// Drawn games.
    pub fn draws(&self) -> f64 {
        f64::from(self.results[1])
    }

    /// Adds up the cells over the starts: one for each (White, Black).
    pub fn by_colours(cells: &[Cell]) -> Vec<Cell> {
        let mut sums = std::collections::BTreeMap::<(u16, u16), [u32; 3]>::new();
        for cell in cells {
            let sum = sums.entry((cell.white, cell.black)).or_default();
            sum.iter_mut()
                .zip(cell.results)
                .for_each(|(total, n)| *total += n);
        }
        let cell = |((white, black), results)| Cell {
            start: 0,
            white,
            black,
            results,
        };
        sums.into_iter().map(cell).collect()
    }
}

/// Two games from one start between the same engines, colours swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Start number.
    pub start: u32,
    /// The engine with the smaller index.
    pub first: u16,
    /// The other one.
    pub second: u16,
    /// White's results: with `first` as White, with `second` as White.
    pub white_results: [GameScore; 2],
}

impl Pair {
    /// White's mean score in the two games: 0, ¼, ½, ¾ or 1.
    pub(crate) fn white_value(&self) -> f64 {
        (self.white_results[0].points() + self.white_results[1].points()) / 2.0
    }

    /// The first engine's mean score in the two games.
    pub fn first_value(&self) -> f64 {
        (self.white_results[0].points() + 1.0 - self.white_results[1].points()) / 2.0
    }
}

/// What [`GameTable::pairing`](super::GameTable::pairing) found.
#[derive(Clone, Debug, Default)]
pub struct Pairing {
    /// Complete pairs, by pair number.
    pub pairs: Vec<Pair>,
    /// Indices of the games outside complete pairs.
    pub single_games: Vec<usize>,
    /// Pairs with a game missing, or with games that do not belong together.
    pub incomplete_pairs: usize,
}

/// The counts every table of results must show (requirement R1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SummaryCounts {
    /// Games in the table.
    pub games: usize,
    /// Pairs with both games.
    pub complete_pairs: usize,
    /// Pairs that lack a game.
    pub incomplete_pairs: usize,
    /// Games outside complete pairs; they count in ratings, not in pairs.
    pub single_games: usize,
}

impl Pairing {
    /// The counts to print.
    pub fn counts(&self) -> SummaryCounts {
        SummaryCounts {
            games: 2 * self.pairs.len() + self.single_games.len(),
            complete_pairs: self.pairs.len(),
            incomplete_pairs: self.incomplete_pairs,
            single_games: self.single_games.len(),
        }
    }
}

// One game: its result, its flags, its row in the table.

/// Facts about a game that decide whether a statistic counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameFlags(pub u8);

impl GameFlags {
    /// Decided by time, an illegal move, a crash or a disconnection.
    pub const FORFEIT: GameFlags = GameFlags(1);
    /// Ended by adjudication.
    pub const ADJUDICATED: GameFlags = GameFlags(2);
    /// A replay of an earlier game (see [`crate::duplicates`]).
    pub const REPLAY: GameFlags = GameFlags(4);
    /// The same as an earlier game, though drawn independently.
    pub const COINCIDENCE: GameFlags = GameFlags(8);
    /// A forfeit that the machine the engines ran on is to blame for.
    pub const HOST_FAULT: GameFlags = GameFlags(16);

    /// Both sets of flags.
    pub fn with(self, other: GameFlags) -> GameFlags {
        GameFlags(self.0 | other.0)
    }

    /// Is any of the other flags set here?
    pub fn intersects(self, other: GameFlags) -> bool {
        self.0 & other.0 != 0
    }
}

/// One game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameRow {
    /// Index of the engine with the white pieces.
    pub white: u16,
    /// Index of the engine with the black pieces.
    pub black: u16,
    /// Start number, or the line number in a book.
    pub start: u32,
    /// The pair it was scheduled in, if any.
    pub pair: Option<u32>,
    /// Its result.
    pub result: GameScore,
    /// What happened in it.
    pub flags: GameFlags,
}

// Which games of a table belong together: the pairs as they were scheduled, and pairs for games without such
// information.

impl GameTable {
    /// Gives every game without a pair one: the k-th game of White A and
    /// Black B from a start goes with the k-th game of White B and Black A.
    /// For games by others, whose files do not say how they were scheduled.
    pub fn assign_pairs(&mut self) {
        let rows = &self.games;
        let is_loose = |place: &usize| rows[*place].pair.is_none();
        let mut loose: Vec<usize> = (0..rows.len()).filter(is_loose).collect();
        let meeting = |place: &usize| {
            let row = rows[*place];
            let (low, high) = (row.white.min(row.black), row.white.max(row.black));
            (row.start, low, high)
        };
        loose.sort_by_key(meeting);
        let last = rows.iter().filter_map(|row| row.pair).max();
        let next = last.map_or(0, |pair| pair + 1);
        let mut assigned = Vec::new();
        for games in loose.chunk_by(|a, b| meeting(a) == meeting(b)) {
            let is_ascending = |place: &&usize| rows[**place].white < rows[**place].black;
            let (ascending, descending): (Vec<usize>, Vec<usize>) =
                games.iter().partition(is_ascending);
            assigned.extend(ascending.into_iter().zip(descending));
        }
        for ((one, other), pair) in assigned.into_iter().zip(next..) {
            self.games[one].pair = Some(pair);
            self.games[other].pair = Some(pair);
        }
    }

    /// The complete pairs, and the games that belong to none.
    pub fn pairing(&self) -> Pairing {
        let mut keys = Vec::new();
        let mut pairing = Pairing::default();
        for (place, row) in self.games.iter().enumerate() {
            match row.pair {
                Some(pair) => keys.push(u64::from(pair) << 32 | place as u64),
                None => pairing.single_games.push(place),
            }
        }
        keys.sort_unstable();
        for group in keys.chunk_by(|a, b| a >> 32 == b >> 32) {
            let place = |key: &u64| (key & 0xFFFF_FFFF) as usize;
            let pair = match group {
                [one, other] => complete_pair(self.games[place(one)], self.games[place(other)]),
                _ => None,
            };
            match pair {
                Some(pair) => pairing.pairs.push(pair),
                None => {
                    pairing.incomplete_pairs += 1;
                    pairing.single_games.extend(group.iter().map(place));
                }
            }
        }
        pairing
    }
}

/// Two games, one start, the same engines, the colours swapped.
fn complete_pair(one: GameRow, other: GameRow) -> Option<Pair> {
    let swapped = one.white == other.black && one.black == other.white;
    if !swapped || one.start != other.start {
        return None;
    }
    let mut games = [one, other];
    games.sort_unstable_by_key(|game| game.white);
    let [first, second] = games;
    Some(Pair {
        start: first.start,
        first: first.white,
        second: first.black,
        white_results: [first.result, second.result],
    })
}

#[cfg(test)]
mod tests {
    use crate::games::GameScore::{Draw, Loss, Win};
    use crate::games::tests::{row, table};

    #[test]
    fn a_pair_needs_one_start_and_swapped_colours() {
        let games = table(&[
            row(1, 0, 5, Some(7), Win),
            row(0, 1, 5, Some(7), Draw),
            row(0, 1, 5, Some(8), Win),
            row(0, 1, 5, Some(9), Win),
            row(1, 0, 6, Some(9), Win),
            row(2, 1, 5, None, Loss),
        ]);
        let pairing = games.pairing();
        assert_eq!(pairing.pairs.len(), 1);
        let pair = pairing.pairs[0];
        assert_eq!((pair.white_value(), pair.first_value()), (0.75, 0.25));
        assert_eq!(
            (pairing.incomplete_pairs, pairing.counts().single_games),
            (2, 4)
        );
    }

    #[test]
    fn loose_games_are_paired_in_order() {
        let mut games = table(&[
            row(0, 1, 5, None, Win),
            row(0, 1, 5, None, Loss),
            row(1, 0, 5, None, Draw),
            row(1, 0, 6, None, Win),
        ]);
        games.assign_pairs();
        let pairing = games.pairing();
        assert_eq!((pairing.pairs.len(), pairing.single_games), (1, vec![1, 3]));
        assert_eq!(pairing.pairs[0].white_results, [Win, Draw]);
    }
}
