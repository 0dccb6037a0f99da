//! Whether a worker of a farm is unlike the others: by how its pairs end, and by the faults of engines.

use std::collections::BTreeMap;
use std::fmt;

use crate::event::{PairId, Seat};
use crate::stats::counts::GameScore;
use crate::stats::sources::{Draw, Stratum, at_least_by_chance, same_distribution};
use crate::store::{Reader, StoreError};

use crate::tournament::workers::{PairWorkers, WORKERS_FILE};

/// Two workers are unlike each other where chance alone does it less often.
const LEVEL: f64 = 1e-4;

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

/// What was played of one encounter.
#[derive(Debug, Clone, Copy, Default)]
struct EncounterTally {
    /// Pairs lost, even and won by the engine with the smaller index.
    endings: [u64; 3],
    games: u64,
    faulty: u64,
}

impl EncounterTally {
    fn pairs(&self) -> u64 {
        self.endings.iter().sum()
    }

    fn add(&mut self, other: &EncounterTally) {
        let endings = self.endings.iter_mut().zip(other.endings);
        endings.for_each(|(sum, own)| *sum += own);
        self.games += other.games;
        self.faulty += other.faulty;
    }
}

/// What one worker has played, by the two engines, the smaller index first.
type WorkerTally = BTreeMap<[u16; 2], EncounterTally>;

/// Everything that was played in any encounter.
fn total(tally: &WorkerTally) -> EncounterTally {
    let mut total = EncounterTally::default();
    tally.values().for_each(|encounter| total.add(encounter));
    total
}

/// By what workers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    /// How their pairs end.
    Results,
    /// How often engines fall on time, crash or break the rules.
    Faults,
}

impl Measure {
    /// With fewer pairs it says nothing.
    fn fewest_pairs(self) -> u64 {
        match self {
            Measure::Results => 32,
            Measure::Faults => 4,
        }
    }

    /// How often chance alone makes two workers this different. Only what both have of the same encounter is
    /// compared: engines differ, and workers do not meet the same ones.
    fn chance(self, one: &WorkerTally, other: &WorkerTally) -> f64 {
        let both = one
            .iter()
            .filter_map(|(engines, own)| Some((own, other.get(engines)?)));
        match self {
            Measure::Results => {
                let strata = both.map(|(own, others)| Stratum {
                    own: own.endings,
                    others: others.endings,
                });
                same_distribution(strata).unwrap_or(1.0)
            }
            Measure::Faults => {
                let faulty: u64 = both.clone().map(|(own, _)| own.faulty).sum();
                let games: u64 = both.clone().map(|(own, _)| own.games).sum();
                let draw = |own: &EncounterTally, others: &EncounterTally| Draw {
                    drawn: own.games,
                    marked: own.faulty + others.faulty,
                    all: own.games + others.games,
                };
                let faults = both.map(|(own, others)| draw(own, others));
                let sound = faults.clone().map(|draw| Draw {
                    marked: draw.all - draw.marked,
                    ..draw
                });
                let more = at_least_by_chance(faulty, faults);
                let fewer = at_least_by_chance(games - faulty, sound);
                (2.0 * more.min(fewer)).min(1.0)
            }
        }
    }
}

/// Why a worker is unlike the others.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Unlike {
    by: Measure,
    /// Its pairs.
    pairs: u64,
    /// Its games with a fault, and all its games.
    faults: [u64; 2],
    /// The same of the majority.
    elsewhere: [u64; 2],
    /// How often chance alone makes it this different from the majority.
    p: f64,
}

impl fmt::Display for Unlike {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unlike {
            by,
            pairs,
            faults: [faulty, games],
            elsewhere: [others, all],
            p,
        } = self;
        match by {
            Measure::Results => write!(
                out,
                "its {pairs} pairs end otherwise than those of the other workers (p = {p:.1e})"
            ),
            Measure::Faults => write!(
                out,
                "{faulty} of its {games} games have a fault of an engine, elsewhere {others} of {all} \
                 (p = {p:.1e})"
            ),
        }
    }
}

/// Workers that are unlike each other, and no majority of them is alike.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Undecided {
    by: Measure,
    /// All that were compared.
    pub workers: Vec<String>,
    /// How often chance alone makes two of them this different.
    p: f64,
}

impl fmt::Display for Undecided {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let differ = match self.by {
            Measure::Results => "pairs end otherwise",
            Measure::Faults => "engines have faults more often, or less,",
        };
        let (workers, p) = (self.workers.join(", "), self.p);
        write!(
            out,
            "{differ} on {workers} (p = {p:.1e}), and no majority of these workers agrees: compare the machines, \
             then `arbiter960 decide RESULTS purge WORKER`"
        )
    }
}

/// What a look at all workers has found.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Unlikes {
    /// Those that are unlike a majority, each with the reason.
    pub apart: Vec<(String, Unlike)>,
    /// Where nobody can say who is right.
    pub undecided: Vec<Undecided>,
}

/// What all workers have played.
#[derive(Debug, Clone, Default)]
pub(crate) struct WorkerCounts(BTreeMap<String, WorkerTally>);

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
        let mut played = EncounterTally {
            games: games.len() as u64,
            faulty,
            ..EncounterTally::default()
        };
        played.endings[usize::from(ending)] = 1;
        let tally = self.0.entry(worker.to_owned()).or_default();
        tally.entry(encounter).or_default().add(&played);
    }

    /// Whether a worker's pairs have just doubled: then it is looked at.
    pub(crate) fn is_due(&self, worker: &str) -> bool {
        let tally = self.0.get(worker);
        tally.is_some_and(|tally| total(tally).pairs().is_power_of_two())
    }

    /// Which workers are unlike the others.
    pub(crate) fn unlike(&self) -> Unlikes {
        let mut found = Unlikes::default();
        self.compare(Measure::Faults, &mut found);
        self.compare(Measure::Results, &mut found);
        found
    }

    /// Every worker with enough pairs is compared with every other. Those that are like more than half of all (each is
    /// like itself) are right if they are more than half themselves, and the others are set apart. So no minority
    /// has one of a majority set apart, however much it has played.
    fn compare(&self, by: Measure, found: &mut Unlikes) {
        let enough = |tally: &WorkerTally| total(tally).pairs() >= by.fewest_pairs();
        let tested: Vec<(&String, &WorkerTally)> =
            self.0.iter().filter(|(_, tally)| enough(tally)).collect();
        let mut least: f64 = 1.0;
        let mut like = vec![1; tested.len()];
        for (one, (_, tally)) in tested.iter().enumerate() {
            for (other, (_, others)) in tested.iter().enumerate().skip(one + 1) {
                let p = by.chance(tally, others);
                least = least.min(p);
                if p >= LEVEL {
                    like[one] += 1;
                    like[other] += 1;
                }
            }
        }
        let is_more_than_half = |count: usize| 2 * count > tested.len();
        let (majority, apart): (Vec<_>, Vec<_>) = tested
            .iter()
            .zip(like)
            .partition(|(_, like)| is_more_than_half(*like));
        if apart.is_empty() {
            return;
        }
        if !is_more_than_half(majority.len()) {
            let workers = tested.iter().map(|(name, _)| (*name).clone());
            return found.undecided.push(Undecided {
                by,
                workers: workers.collect(),
                p: least,
            });
        }
        let majority = sum(majority.iter().map(|((_, tally), _)| *tally));
        let apart = apart.iter().map(|((name, tally), _)| {
            let [own, others] = [total(tally), total(&majority)];
            let why = Unlike {
                by,
                pairs: own.pairs(),
                faults: [own.faulty, own.games],
                elsewhere: [others.faulty, others.games],
                p: by.chance(tally, &majority),
            };
            ((*name).clone(), why)
        });
        found.apart.extend(apart);
    }
}

/// What several workers have played.
fn sum<'a>(tallies: impl Iterator<Item = &'a WorkerTally>) -> WorkerTally {
    let mut all = WorkerTally::new();
    for (engines, encounter) in tallies.flatten() {
        all.entry(*engines).or_default().add(encounter);
    }
    all
}

#[cfg(test)]
mod tests;
