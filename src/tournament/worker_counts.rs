//! Whether a worker of a farm is unlike the others: by how its pairs end, and by the faults of engines.

use std::collections::BTreeMap;
use std::fmt;

use crate::event::{PairId, Seat};
use crate::stats::counts::GameScore;
use crate::stats::sources::{Stratum, at_least_by_chance, same_distribution};
use crate::store::{Reader, StoreError};

use super::workers::{PairWorkers, WORKERS_FILE};

/// A worker is unlike the others where chance alone does it less often. It is looked at a few dozen
/// times in a long event, each time that its pairs have doubled.
const LEVEL: f64 = 1e-4;

/// With fewer pairs the test of results says nothing.
const FEWEST_PAIRS: u64 = 32;

/// Number of pairs from which faults are looked at.
const FEWEST_PAIRS_WITH_FAULTS: u64 = 4;

/// A game, with only what is counted here.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WorkersGame {
    /// White and Black.
    pub seats: [Seat; 2],
    /// White's score.
    pub white: GameScore,
    /// Whether an engine fell on time, crashed or broke the rules.
    pub faulty: bool,
}

/// What one worker has played.
#[derive(Debug, Clone, Default)]
struct WorkerTally {
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
    by_worker: BTreeMap<String, WorkerTally>,
    all: WorkerTally,
}

impl WorkerCounts {
    /// Of the games that count in a store.
    ///
    /// # Errors
    /// What SQLite and the disk say.
    pub(crate) fn read(reader: &Reader) -> Result<WorkerCounts, StoreError> {
        let players = PairWorkers::read(reader.folder());
        let players = players.map_err(|error| reader.unreadable(WORKERS_FILE, &error))?;
        let mut counts = WorkerCounts::default();
        if players.names().is_empty() {
            return Ok(counts);
        }
        let mut pairs: BTreeMap<PairId, Vec<WorkersGame>> = BTreeMap::new();
        for result in reader.results() {
            let result = result?;
            let Some(white) = result.outcome.white_score() else {
                continue;
            };
            pairs.entry(result.id.pair).or_default().push(WorkersGame {
                seats: result.seats,
                white,
                faulty: result.fault.is_some(),
            });
        }
        for (pair, games) in pairs {
            if let Some(worker) = players.of(pair) {
                counts.add(worker, &games);
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

    /// Whether a worker's pairs have just doubled: then it is looked at.
    pub(crate) fn is_due(&self, worker: &str) -> bool {
        let counts = self.by_worker.get(worker);
        counts.is_some_and(|counts| counts.pairs.is_power_of_two())
    }

    /// Which workers are unlike the others.
    pub(crate) fn unlike(&self) -> Unlikes {
        let faulty = self.by_worker.iter().filter_map(|(worker, counts)| {
            let why = self.unlike_by_faults(counts)?;
            Some((worker.clone(), why))
        });
        let mut unlikes = self.unlike_by_results();
        let faulty: Vec<(String, Unlike)> = faulty.collect();
        unlikes.apart.splice(0..0, faulty);
        unlikes
    }

    fn unlike_by_faults(&self, own: &WorkerTally) -> Option<Unlike> {
        let WorkerTally { games, faulty, .. } = *own;
        if own.pairs < FEWEST_PAIRS_WITH_FAULTS || own.pairs == self.all.pairs {
            return None;
        }
        let p = at_least_by_chance(faulty, games, self.all.faulty, self.all.games);
        let elsewhere = [self.all.faulty - faulty, self.all.games - games];
        (p < LEVEL).then_some(Unlike::Faults {
            faulty,
            games,
            elsewhere,
            p,
        })
    }

    /// All workers with enough pairs are compared with each other first. Where they differ, the one without
    /// which the others are most alike is set apart, and so on until those that are left are alike. Only where they
    /// are more than half of all are they right.
    fn unlike_by_results(&self) -> Unlikes {
        let enough = self.by_worker.iter();
        let enough = enough.filter(|(_, counts)| counts.pairs >= FEWEST_PAIRS);
        let tested: Vec<(&String, &WorkerTally)> = enough.collect();
        let mut alike = tested.clone();
        let mut apart = Vec::new();
        let first = chance_of_all(&alike);
        while chance_of_all(&alike) < LEVEL {
            let without = |place: &usize| {
                let mut rest = alike.clone();
                rest.remove(*place);
                chance_of_all(&rest)
            };
            let odd = (0..alike.len()).max_by(|one, other| without(one).total_cmp(&without(other)));
            apart.push(alike.remove(odd.unwrap_or_default()));
        }
        if 2 * alike.len() <= tested.len() && !apart.is_empty() {
            let names = tested.iter().map(|(name, _)| (*name).clone());
            return Unlikes {
                apart: Vec::new(),
                undecided: Some((names.collect(), first)),
            };
        }
        let apart = apart.into_iter().filter_map(|(name, counts)| {
            let p = chance_of(counts, &sum(&alike))?;
            let pairs = counts.pairs;
            (p < LEVEL).then(|| (name.clone(), Unlike::Results { pairs, p }))
        });
        Unlikes {
            apart: apart.collect(),
            undecided: None,
        }
    }
}

/// What a look at all workers has found.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Unlikes {
    /// Those that are unlike the others, each with the reason.
    pub apart: Vec<(String, Unlike)>,
    /// Those whose pairs end otherwise, where no majority of them agrees, and how often chance alone does it.
    pub undecided: Option<(Vec<String>, f64)>,
}

/// The pairs of several workers.
fn sum(workers: &[(&String, &WorkerTally)]) -> WorkerTally {
    let mut all = WorkerTally::default();
    for (_, counts) in workers {
        for (encounter, own) in &counts.encounters {
            let sum = all.encounters.entry(*encounter).or_default();
            (0..3).for_each(|ending| sum[ending] += own[ending]);
        }
        all.pairs += counts.pairs;
    }
    all
}

/// The probability that by chance alone the pairs of one worker end this differently from those of the others; `None`
/// where nothing could differ.
fn chance_of(own: &WorkerTally, others: &WorkerTally) -> Option<f64> {
    let strata = own.encounters.iter().map(|(encounter, own)| Stratum {
        own: *own,
        others: others
            .encounters
            .get(encounter)
            .copied()
            .unwrap_or_default(),
    });
    same_distribution(strata)
}

/// The probability that by chance alone one of these workers differs this much from the others (Bonferroni); 1 for a
/// single worker.
fn chance_of_all(workers: &[(&String, &WorkerTally)]) -> f64 {
    if workers.len() < 2 {
        return 1.0;
    }
    let all = sum(workers);
    let chances = workers.iter().filter_map(|(_, own)| {
        let mut others = all.clone();
        for (encounter, own) in &own.encounters {
            if let Some(rest) = others.encounters.get_mut(encounter) {
                (0..3).for_each(|ending| rest[ending] -= own[ending]);
            }
        }
        chance_of(own, &others)
    });
    let least = chances.fold(1.0, f64::min);
    (least * workers.len() as f64).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(score: [GameScore; 2], faulty: bool) -> [WorkersGame; 2] {
        let seats = [0, 1].map(|engine| Seat { engine, copy: 0 });
        let game = |seats, white| WorkersGame {
            seats,
            white,
            faulty,
        };
        [game(seats, score[0]), game([seats[1], seats[0]], score[1])]
    }

    #[test]
    fn a_worker_on_which_one_engine_loses_and_one_on_which_engines_fall_are_found() {
        use GameScore::{Draw, Loss, Win};
        let mut counts = WorkerCounts::default();
        assert_eq!(counts.unlike(), Unlikes::default(), "nobody has played");
        for number in 0..200 {
            // One third each, for three sound workers alike.
            let score = [[Win, Loss], [Draw, Draw], [Loss, Win]][number / 3 % 3];
            counts.add(["a", "b", "c"][number % 3], &pair(score, false));
        }
        for _ in 0..64 {
            counts.add("slow", &pair([Loss, Win], false));
        }
        assert!(counts.is_due("slow") && !counts.is_due("a"));
        let unlike = counts.unlike();
        assert!(
            matches!(&unlike.apart[..], [(name, Unlike::Results { pairs: 64, .. })] if name == "slow"),
            "{unlike:?}"
        );
        for _ in 0..4 {
            counts.add("late", &pair([Draw, Draw], true));
        }
        let found = &counts.unlike().apart[0];
        assert_eq!(found.0, "late");
        let found = found.1.to_string();
        assert!(found.contains("8 of its 8 games have a fault"), "{found}");
        assert!(found.contains("elsewhere 0 of 528"), "{found}");
    }
    /// A worker with most of the pairs is no majority of workers: the honest are not thrown out.
    #[test]
    fn a_worker_with_most_of_the_pairs_is_the_odd_one_and_of_two_nobody_is() {
        use GameScore::{Draw, Loss, Win};
        let even = [[Win, Loss], [Draw, Draw], [Loss, Win]];
        let mut counts = WorkerCounts::default();
        for _ in 0..120 {
            counts.add("forger", &pair([Loss, Win], false));
        }
        let honest = |counts: &mut WorkerCounts, name: &str| {
            for number in 0..33 {
                counts.add(name, &pair(even[number % 3], false));
            }
        };
        honest(&mut counts, "one");
        let unlike = counts.unlike();
        assert!(unlike.apart.is_empty(), "{unlike:?}");
        let (names, p) = unlike.undecided.unwrap();
        assert_eq!(names, ["forger", "one"]);
        assert!(p < LEVEL);
        honest(&mut counts, "two");
        let unlike = counts.unlike();
        assert_eq!(unlike.undecided, None);
        assert!(
            matches!(&unlike.apart[..], [(name, Unlike::Results { .. })] if name == "forger"),
            "{unlike:?}"
        );
    }
}
