//! What the lines count: games and pairs, as fastchess counts them.

use std::collections::HashMap;

use crate::event::{GameId, PairId, Seat};
use crate::front::common::settings::Stats;
use crate::stats::counts::{GameScore, Pentanomial, Trinomial};

/// The results of every two engines, by their places in the command line.
#[derive(Debug, Clone, Default)]
pub(crate) struct EncounterCounts {
    /// From the point of view of the engine named first.
    results: HashMap<[u16; 2], Stats>,
    /// Games whose partners are missing, by the score of the engine named first.
    halves: HashMap<PairId, GameScore>,
}

impl Stats {
    /// Adds other results to these.
    pub(crate) fn add(&mut self, other: &Stats) {
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
        self.penta_WW += other.penta_WW;
        self.penta_WD += other.penta_WD;
        self.penta_WL += other.penta_WL;
        self.penta_DD += other.penta_DD;
        self.penta_LD += other.penta_LD;
        self.penta_LL += other.penta_LL;
    }

    /// From the opponent's point of view.
    pub(crate) fn reversed(&self) -> Stats {
        Stats {
            wins: self.losses,
            losses: self.wins,
            penta_WW: self.penta_LL,
            penta_WD: self.penta_LD,
            penta_LD: self.penta_WD,
            penta_LL: self.penta_WW,
            ..*self
        }
    }

    fn add_game(&mut self, score: GameScore) {
        match score {
            GameScore::Win => self.wins += 1,
            GameScore::Draw => self.draws += 1,
            GameScore::Loss => self.losses += 1,
        }
    }

    fn add_pair(&mut self, games: [GameScore; 2]) {
        use GameScore::{Draw, Loss, Win};
        games.into_iter().for_each(|game| self.add_game(game));
        let cell = match games {
            [Win, Win] => &mut self.penta_WW,
            [Win, Draw] | [Draw, Win] => &mut self.penta_WD,
            [Win, Loss] | [Loss, Win] => &mut self.penta_WL,
            [Draw, Draw] => &mut self.penta_DD,
            [Loss, Draw] | [Draw, Loss] => &mut self.penta_LD,
            [Loss, Loss] => &mut self.penta_LL,
        };
        *cell += 1;
    }

    /// Number of games.
    pub(crate) fn games(&self) -> i64 {
        self.wins + self.losses + self.draws
    }

    /// Points.
    pub(crate) fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// Number of pairs.
    pub(crate) fn pairs(&self) -> i64 {
        self.pentanomial().iter().sum()
    }

    /// Pairs by the points of both games.
    pub(crate) fn pentanomial(&self) -> [i64; 5] {
        [
            self.penta_LL,
            self.penta_LD,
            self.penta_WL + self.penta_DD,
            self.penta_WD,
            self.penta_WW,
        ]
    }

    /// The pairs as the statistics take them.
    pub(crate) fn pair_counts(&self) -> Pentanomial {
        Pentanomial(self.pentanomial().map(|count| count.max(0).cast_unsigned()))
    }

    /// The games by result, as the statistics take them.
    pub(crate) fn game_counts(&self) -> Trinomial {
        let cells = [self.losses, self.draws, self.wins];
        Trinomial(cells.map(|count| count.max(0).cast_unsigned()))
    }
}

impl EncounterCounts {
    /// Sets the results from before this event.
    pub(crate) fn insert(&mut self, engines: [u16; 2], stats: Stats) {
        self.results.entry(engines).or_default().add(&stats);
    }

    /// Counts a game. In pairs, a game counts only when both games of its pair are there.
    pub(crate) fn add(&mut self, id: GameId, seats: [Seat; 2], white: GameScore, in_pairs: bool) {
        let [white_engine, black_engine] = seats.map(|seat| seat.engine);
        let (engines, score) = match white_engine < black_engine {
            true => ([white_engine, black_engine], white),
            false => ([black_engine, white_engine], white.reversed()),
        };
        let results = self.results.entry(engines).or_default();
        match (in_pairs, self.halves.remove(&id.pair)) {
            (false, _) => results.add_game(score),
            (true, Some(other)) => results.add_pair([other, score]),
            (true, None) => drop(self.halves.insert(id.pair, score)),
        }
    }

    /// Whether no game of this pair is waiting for its partner.
    pub(crate) fn is_complete(&self, pair: PairId) -> bool {
        !self.halves.contains_key(&pair)
    }

    /// The results of an engine against another.
    pub(crate) fn between(&self, first: u16, second: u16) -> Stats {
        match first < second {
            true => self.results.get(&[first, second]).copied(),
            false => self.results.get(&[second, first]).map(Stats::reversed),
        }
        .unwrap_or_default()
    }

    /// The results of an engine against all others.
    pub(crate) fn of(&self, engine: u16) -> Stats {
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
        let game = |game| GameId {
            pair: PairId(0),
            game,
        };
        counts.add(game(0), [seat(0), seat(1)], GameScore::Win, true);
        assert_eq!(counts.between(0, 1).games(), 0);
        assert!(!counts.is_complete(PairId(0)));
        counts.add(game(1), [seat(1), seat(0)], GameScore::Draw, true);
        assert_eq!(counts.between(0, 1).pentanomial(), [0, 0, 0, 1, 0]);
        assert_eq!(counts.between(1, 0).pentanomial(), [0, 1, 0, 0, 0]);
        assert_eq!(counts.of(0).points(), 1.5);
    }
}
