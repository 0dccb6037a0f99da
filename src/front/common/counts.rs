//! What the lines count: games and pairs, as fastchess counts them and `config.json` has them.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::event::{GameId, PairId, Seat};
use crate::stats::counts::{GameScore, PairCounts, Pentanomial, Trinomial};

/// The names of the cells in the file, in their order.
const CELLS: [&str; 9] = [
    "wins", "losses", "draws", "penta_WW", "penta_WD", "penta_WL", "penta_DD", "penta_LD",
    "penta_LL",
];

/// For each cell, the cell that has the same results for the opponent.
const OF_OPPONENT: [usize; 9] = [1, 0, 2, 8, 7, 5, 6, 4, 3];

/// Results of an engine against another, in the cells of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::front) struct Stats(pub(in crate::front) [u64; 9]);

impl Serialize for Stats {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map(CELLS.iter().zip(self.0))
    }
}

impl<'de> Deserialize<'de> for Stats {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Stats, D::Error> {
        let cells = BTreeMap::<String, u64>::deserialize(from)?;
        Ok(Stats(
            CELLS.map(|name| cells.get(name).copied().unwrap_or(0)),
        ))
    }
}

impl Stats {
    fn add(&mut self, other: &Stats) {
        for (cell, more) in self.0.iter_mut().zip(other.0) {
            *cell += more;
        }
    }

    /// From the opponent's point of view.
    fn reversed(&self) -> Stats {
        Stats(OF_OPPONENT.map(|cell| self.0[cell]))
    }

    fn add_game(&mut self, score: GameScore) {
        // The cells of a loss, a draw and a win.
        self.0[[1, 2, 0][usize::from(score.half_points())]] += 1;
    }

    fn add_pair(&mut self, games: [GameScore; 2]) {
        games.into_iter().for_each(|game| self.add_game(game));
        let points = usize::from(games[0].half_points() + games[1].half_points());
        let is_drawn = games == [GameScore::Draw; 2];
        // By points; two draws have the cell after that of a win each.
        self.0[[8, 7, 5, 4, 3][points] + usize::from(is_drawn)] += 1;
    }

    /// Number of games.
    pub(in crate::front) fn games(&self) -> u64 {
        self.0[..3].iter().sum()
    }

    pub(in crate::front) fn points(&self) -> f64 {
        self.0[0] as f64 + 0.5 * self.0[2] as f64
    }

    /// Pairs that were won, lost, drawn by a win each, drawn twice.
    pub(in crate::front) fn pairs(&self) -> [f64; 4] {
        let [_, _, _, won_twice, won, even, drawn, lost, lost_twice] = self.0;
        [won_twice + won, lost + lost_twice, even, drawn].map(|pairs| pairs as f64)
    }

    /// As the statistics take them.
    pub(in crate::front) fn counts(&self) -> PairCounts {
        let [wins, losses, draws, pairs @ ..] = self.0;
        let [won_twice, won, even, drawn, lost, lost_twice] = pairs;
        PairCounts {
            pairs: Pentanomial([lost_twice, lost, even + drawn, won, won_twice]),
            games: Trinomial([losses, draws, wins]),
        }
    }
}

/// The results of every two engines, by their places in the command line.
#[derive(Debug, Clone, Default)]
pub(in crate::front) struct EncounterCounts {
    /// From the point of view of the engine named first.
    pub(in crate::front) results: HashMap<[u16; 2], Stats>,
    /// Games whose partners are missing, by the score of the engine named first.
    pub(in crate::front) halves: HashMap<PairId, GameScore>,
}

impl EncounterCounts {
    /// Counts a game. In pairs, a game counts only when both games of its pair are there.
    pub(in crate::front) fn add(
        &mut self,
        id: GameId,
        seats: [Seat; 2],
        white: GameScore,
        in_pairs: bool,
    ) {
        let [white_engine, black_engine] = seats.map(|seat| seat.engine);
        let (engines, score) = if white_engine < black_engine {
            ([white_engine, black_engine], white)
        } else {
            ([black_engine, white_engine], white.reversed())
        };
        let results = self.results.entry(engines).or_default();
        match (in_pairs, self.halves.remove(&id.pair)) {
            (false, _) => results.add_game(score),
            (true, Some(other)) => results.add_pair([other, score]),
            (true, None) => drop(self.halves.insert(id.pair, score)),
        }
    }

    /// The results of an engine against another that is named later.
    pub(in crate::front) fn between(&self, engines: [u16; 2]) -> Stats {
        self.results.get(&engines).copied().unwrap_or_default()
    }

    /// The results of an engine against all others.
    pub(in crate::front) fn against_all(&self, engine: u16) -> Stats {
        let mut all = Stats::default();
        for ([first, second], stats) in &self.results {
            if *first == engine {
                all.add(stats);
            } else if *second == engine {
                all.add(&stats.reversed());
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_count_when_they_are_whole_and_for_the_engine_named_first() {
        let mut counts = EncounterCounts::default();
        let seat = |engine| Seat { engine, copy: 0 };
        let id = |game| GameId {
            pair: PairId(0),
            game,
        };
        counts.add(id(0), [seat(0), seat(1)], GameScore::Win, true);
        assert_eq!(counts.between([0, 1]).games(), 0);
        assert!(counts.halves.contains_key(&PairId(0)));
        counts.add(id(1), [seat(1), seat(0)], GameScore::Draw, true);
        let pairs = |stats: Stats| stats.counts().pairs.0;
        assert_eq!(pairs(counts.between([0, 1])), [0, 0, 0, 1, 0]);
        assert_eq!(pairs(counts.against_all(1)), [0, 1, 0, 0, 0]);
        assert_eq!(counts.against_all(0).points(), 1.5);
    }

    #[test]
    fn every_pair_has_its_cell() {
        use GameScore::{Draw, Loss, Win};
        let all = [
            [Win, Win],
            [Draw, Win],
            [Loss, Win],
            [Draw, Draw],
            [Loss, Draw],
            [Loss, Loss],
        ];
        for (cell, games) in (3..).zip(all) {
            let mut stats = Stats::default();
            stats.add_pair(games);
            assert_eq!(stats.0[cell], 1, "{games:?}");
        }
    }
}
