//! Whether a worker of a farm is unlike the others: by how its pairs end, and by the faults of engines.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crate::event::{GameId, PairId, Seat};
use crate::stats::counts::GameScore;
use crate::stats::sources::{Stratum, at_least_by_chance, same_distribution};
use crate::store::{Reader, StoreError};

use super::workers::{Players, WORKERS_FILE};

/// A worker is unlike the others where chance alone does it less often. It is looked at a few dozen
/// times in a long event, each time that its pairs have doubled.
const LEVEL: f64 = 1e-4;

/// With fewer pairs the test of results says nothing.
const FEWEST_PAIRS: u64 = 32;

/// From so many pairs on faults are looked at.
const FEWEST_PAIRS_WITH_FAULTS: u64 = 4;

/// A game as it is counted here.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WorkersGame {
    /// The game.
    pub id: GameId,
    /// White and Black.
    pub seats: [Seat; 2],
    /// White's score.
    pub white: GameScore,
    /// Whether an engine fell on time, crashed or broke the rules.
    pub faulty: bool,
}

/// What one worker has played.
#[derive(Debug, Clone, Default)]
struct Counts {
    /// By the two engines, the smaller index first: pairs lost, even and won by that one.
    encounters: BTreeMap<[u16; 2], [u64; 3]>,
    pairs: u64,
    games: u64,
    faulty: u64,
}

/// Why a worker is unlike the others.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Unlike {
    /// Its pairs end otherwise.
    Results {
        /// Pairs of it.
        pairs: u64,
        /// How often chance alone does it.
        p: f64,
    },
    /// Engines fall on time, crash or break the rules more often.
    Faults {
        /// Games of it with a fault.
        faulty: u64,
        /// Games of it.
        games: u64,
        /// The same of all others.
        elsewhere: [u64; 2],
        /// How often chance alone does it.
        p: f64,
    },
}

impl fmt::Display for Unlike {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unlike::Results { pairs, p } => write!(
                out,
                "its {pairs} pairs end otherwise than those of the other workers (p = {p:.1e})"
            ),
            Unlike::Faults {
                faulty,
                games,
                elsewhere: [others, all],
                p,
            } => write!(
                out,
                "{faulty} of its {games} games have a fault of an engine, elsewhere {others} of {all} \
                 (p = {p:.1e})"
            ),
        }
    }
}

/// What all workers have played.
#[derive(Debug, Clone, Default)]
pub(crate) struct WorkerCounts {
    by_worker: BTreeMap<String, Counts>,
    all: Counts,
}

impl WorkerCounts {
    /// Of the games that count in a store.
    ///
    /// # Errors
    /// What SQLite and the disk say.
    pub(crate) fn read(reader: &Reader) -> Result<WorkerCounts, StoreError> {
        let players = Players::read(reader.folder());
        let players = players.map_err(|error| reader.unreadable(WORKERS_FILE, &error))?;
        let mut counts = WorkerCounts::default();
        if players.names().is_empty() {
            return Ok(counts);
        }
        // The first game of a pair waits for the second.
        let mut first: HashMap<PairId, WorkersGame> = HashMap::new();
        for result in reader.results() {
            let result = result?;
            let Some(worker) = players.of(result.id.pair) else {
                continue;
            };
            let game = WorkersGame {
                id: result.id,
                seats: result.seats,
                white: result.white,
                faulty: result.fault.is_some(),
            };
            match first.remove(&game.id.pair) {
                Some(other) => counts.add(worker, &[other, game]),
                None => {
                    first.insert(game.id.pair, game);
                }
            }
        }
        // Of events with one game a pair.
        for (pair, game) in first {
            if let Some(worker) = players.of(pair) {
                counts.add(worker, &[game]);
            }
        }
        Ok(counts)
    }

    /// A pair that a worker has played.
    pub(crate) fn add(&mut self, worker: &str, games: &[WorkersGame]) {
        let Some(first) = games.first() else { return };
        let mut encounter = first.seats.map(|seat| seat.engine);
        encounter.sort_unstable();
        let half_points = |game: &WorkersGame| {
            let white = i64::from(game.white.half_points());
            match game.seats[0].engine == encounter[0] {
                true => white,
                false => 2 - white,
            }
        };
        let sum: i64 = games.iter().map(half_points).sum();
        let ending = (sum.cmp(&(games.len() as i64)) as i8 + 1).unsigned_abs();
        let faulty = games.iter().filter(|game| game.faulty).count() as u64;
        let own = self.by_worker.entry(worker.to_owned()).or_default();
        for counts in [own, &mut self.all] {
            counts.encounters.entry(encounter).or_default()[usize::from(ending)] += 1;
            counts.pairs += 1;
            counts.games += games.len() as u64;
            counts.faulty += faulty;
        }
    }

    /// All workers that have played.
    pub(crate) fn workers(&self) -> Vec<String> {
        self.by_worker.keys().cloned().collect()
    }

    /// Whether a worker's pairs have just doubled: then it is looked at.
    pub(crate) fn is_due(&self, worker: &str) -> bool {
        let counts = self.by_worker.get(worker);
        counts.is_some_and(|counts| counts.pairs.is_power_of_two())
    }

    /// Why a worker is unlike the others, if it is.
    pub(crate) fn unlike(&self, worker: &str) -> Option<Unlike> {
        let own = self.by_worker.get(worker)?;
        let Counts {
            games,
            faulty,
            pairs,
            ..
        } = *own;
        if pairs < FEWEST_PAIRS_WITH_FAULTS || pairs == self.all.pairs {
            return None;
        }
        let p = at_least_by_chance(faulty, games, self.all.faulty, self.all.games);
        if p < LEVEL {
            let elsewhere = [self.all.faulty - faulty, self.all.games - games];
            return Some(Unlike::Faults {
                faulty,
                games,
                elsewhere,
                p,
            });
        }
        if pairs.min(self.all.pairs - pairs) < FEWEST_PAIRS {
            return None;
        }
        let strata = self.all.encounters.iter().map(|(encounter, all)| {
            let own = own.encounters.get(encounter).copied().unwrap_or_default();
            let others = [0, 1, 2].map(|ending| all[ending] - own[ending]);
            Stratum { own, others }
        });
        let p = same_distribution(strata)?;
        (p < LEVEL).then_some(Unlike::Results { pairs, p })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(number: u64, score: [GameScore; 2], faulty: bool) -> [WorkersGame; 2] {
        let seats = [0, 1].map(|engine| Seat { engine, copy: 0 });
        let game = |game: u8, seats, white| WorkersGame {
            id: GameId {
                pair: PairId(number),
                game,
            },
            seats,
            white,
            faulty,
        };
        [
            game(0, seats, score[0]),
            game(1, [seats[1], seats[0]], score[1]),
        ]
    }

    #[test]
    fn a_worker_on_which_one_engine_loses_and_one_on_which_engines_fall_are_found() {
        use GameScore::{Draw, Loss, Win};
        let mut counts = WorkerCounts::default();
        for number in 0..200 {
            // One third each, for three sound workers alike.
            let score = [[Win, Loss], [Draw, Draw], [Loss, Win]][number as usize / 3 % 3];
            counts.add(
                ["a", "b", "c"][number as usize % 3],
                &pair(number, score, false),
            );
        }
        for number in 200..264 {
            counts.add("slow", &pair(number, [Loss, Win], false));
        }
        assert!(counts.is_due("slow") && !counts.is_due("a"));
        for sound in ["a", "b", "c"] {
            assert_eq!(counts.unlike(sound), None, "{sound}");
        }
        assert!(matches!(
            counts.unlike("slow"),
            Some(Unlike::Results { pairs: 64, .. })
        ));
        for number in 264..268 {
            counts.add("late", &pair(number, [Draw, Draw], true));
        }
        let found = counts.unlike("late").unwrap().to_string();
        assert!(found.contains("8 of its 8 games have a fault"), "{found}");
        assert!(found.contains("elsewhere 0 of 528"), "{found}");
    }
}
