//! What the games are summarised to: counted cells, and colour-swapped pairs.

use serde::Serialize;

use crate::counts::GameScore;

use super::{GameTable, NO_PAIR};

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
    pub fn white_value(&self) -> f64 {
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
        let mut loose: Vec<usize> = (0..self.len())
            .filter(|i| self.pair[*i] == NO_PAIR)
            .collect();
        let meeting = |i: usize| {
            let (a, b) = (
                self.white[i].min(self.black[i]),
                self.white[i].max(self.black[i]),
            );
            (self.start[i], a, b)
        };
        loose.sort_by_key(|i| meeting(*i));
        let mut next = self
            .pair
            .iter()
            .filter(|p| **p != NO_PAIR)
            .max()
            .map_or(0, |p| p + 1);
        let mut assigned = Vec::new();
        for games in loose.chunk_by(|a, b| meeting(*a) == meeting(*b)) {
            let (ascending, descending): (Vec<usize>, Vec<usize>) = games
                .iter()
                .partition(|i| self.white[**i] < self.black[**i]);
            for (a, b) in ascending.into_iter().zip(descending) {
                assigned.push((a, b, next));
                next += 1;
            }
        }
        for (a, b, pair) in assigned {
            self.pair[a] = pair;
            self.pair[b] = pair;
        }
    }

    /// The complete pairs, and the games that belong to none.
    pub fn pairing(&self) -> Pairing {
        let mut keys: Vec<u64> = (0..self.len())
            .filter(|i| self.pair[*i] != NO_PAIR)
            .map(|i| u64::from(self.pair[i]) << 32 | i as u64)
            .collect();
        keys.sort_unstable();
        let mut pairing = Pairing::default();
        pairing
            .single_games
            .extend((0..self.len()).filter(|i| self.pair[*i] == NO_PAIR));
        for group in keys.chunk_by(|a, b| a >> 32 == b >> 32) {
            let game = |key: &u64| (key & 0xFFFF_FFFF) as usize;
            let pair = match group {
                [one, other] => self.complete_pair(game(one), game(other)),
                _ => None,
            };
            match pair {
                Some(pair) => pairing.pairs.push(pair),
                None => {
                    pairing.incomplete_pairs += 1;
                    pairing.single_games.extend(group.iter().map(game));
                }
            }
        }
        pairing
    }

    /// Two games, one start, the same engines, the colours swapped.
    fn complete_pair(&self, i: usize, j: usize) -> Option<Pair> {
        let swapped = self.white[i] == self.black[j] && self.black[i] == self.white[j];
        if !swapped || self.start[i] != self.start[j] {
            return None;
        }
        let (i, j) = if self.white[i] < self.white[j] {
            (i, j)
        } else {
            (j, i)
        };
        Some(Pair {
            start: self.start[i],
            first: self.white[i],
            second: self.white[j],
            white_results: [self.result[i], self.result[j]],
        })
    }
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
