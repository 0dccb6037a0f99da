//! Which games of a table belong together: the pairs as they were scheduled, and pairs for games without such
//! information.

use super::{GameTable, NO_PAIR, Pair, Pairing};

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
