//! The games of an event that are evidence of strength, and the interval that a running display shows of them.
//!
//! **Invariant: there is one such sample**, and an estimate is made of nothing else: whole pairs that engines have
//! played, by start position, without games that repeat earlier ones and without those that an arbiter has ruled.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::{Value, json};

use crate::chess::Color;
use crate::event::Seat;
use crate::event::identity::EventIdentity;
use crate::hash::fnv1a;
use crate::referee::FaultKind;
use crate::stats::counts::{PairScore, Sample};
use crate::stats::elo::elo_from_score;
use crate::stats::start_pairs::StartPairs;
use crate::store::{Reader, StoreResult};
use crate::text::{elo, is_narrow, percent};

// Which build of an engine has played a game: the program, files and options of a participant
// may change between two revisions of an event.
//
// **Invariant: a fault belongs to the build that made it**, not to the place of its engine in
// the event file: a mended program begins without strikes.

/// The identities of an event, and which games were played under which.
#[derive(Debug, Clone)]
pub(crate) struct Builds {
    /// By revision, from 1.
    identities: Vec<EventIdentity>,
    /// The place of the first game of each revision that has games, and the revision, in order.
    pub(crate) starts: Vec<(u64, u32)>,
    /// The identity in force.
    pub(crate) current: EventIdentity,
}

impl Builds {
    /// The builds of a stored event, under the identity in force.
    ///
    /// # Errors
    /// The store cannot be read; [`StoreError::NotBegun`].
    pub(crate) fn read(reader: &Reader) -> StoreResult<Builds> {
        let current = reader.begun()?;
        Builds::until(reader, current.identity)
    }

    /// The same, where this identity is in force or about to be accepted.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn until(reader: &Reader, current: EventIdentity) -> StoreResult<Builds> {
        let accepted = reader.identities()?.into_iter();
        Ok(Builds {
            identities: accepted.map(|accepted| accepted.identity).collect(),
            starts: reader.revision_starts()?,
            current,
        })
    }

    /// The identity of a revision.
    pub(crate) fn identity(&self, revision: u32) -> Option<&EventIdentity> {
        let place = usize::try_from(revision).ok()?.checked_sub(1)?;
        self.identities.get(place)
    }

    /// The revision under which the game at this place in the order of finishing was played.
    pub(crate) fn revision_of(&self, sequence: u64) -> u32 {
        let after = self.starts.partition_point(|(first, _)| *first <= sequence);
        let known = self.starts.get(after.saturating_sub(1));
        known.map_or(1, |(_, revision)| *revision)
    }

    /// The revisions with games, in order.
    pub(crate) fn revisions(&self) -> impl Iterator<Item = u32> {
        self.starts.iter().map(|(_, revision)| *revision)
    }

    /// The first revision since which this engine has been the same build as under `revision`.
    pub(crate) fn since(&self, revision: u32, engine: u16) -> u32 {
        let here = self.identity(revision);
        let same = |earlier: &u32| {
            let both = here.zip(self.identity(*earlier));
            both.is_some_and(|(here, other)| here.same_engine(engine, other, engine))
        };
        (1..revision).find(same).unwrap_or(revision)
    }

    /// The fault, if the engine that made it is still the same build.
    pub(crate) fn strike(
        &self,
        revision: u32,
        seats: [Seat; 2],
        fault: Option<(Color, FaultKind)>,
    ) -> Option<(Color, FaultKind)> {
        let then = self.identity(revision)?;
        let engine = |side: Color| seats[side.index()].engine;
        fault.filter(|(side, _)| then.same_engine(engine(*side), &self.current, engine(*side)))
    }

    /// The names of engines of which several builds have played. An engine that entered late has no earlier build.
    pub(crate) fn replaced_engines(&self) -> Vec<String> {
        let engines = (0..).zip(&self.current.engines);
        let several = engines.filter(|(engine, _)| {
            let takes_part = |revision: &u32| {
                let then = self.identity(*revision);
                then.is_some_and(|then| then.engines.len() > usize::from(*engine))
            };
            let builds = self.revisions().filter(takes_part);
            let builds = builds.map(|revision| self.since(revision, *engine));
            builds.collect::<BTreeSet<u32>>().len() > 1
        });
        several.map(|(_, engine)| engine.name.clone()).collect()
    }
}

/// The probability of the interval.
const LEVEL: f64 = 0.95;

/// What makes a finished game evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GameEvidence {
    /// As [`PlayedGame::start_key`](crate::event::PlayedGame::start_key).
    pub(crate) start: u64,
    /// Equal for games that one program plays against another move by move alike; `None` where it is chance if they
    /// do.
    pub(crate) copy_key: Option<u64>,
}

/// The evidence of an event.
#[derive(Debug, Clone, Default)]
pub(crate) struct Evidence {
    /// Of both games of each pair that can be repeated, the smaller first.
    copy_keys: HashSet<[u64; 2]>,
    /// By White's score.
    pub(crate) white: StartPairs,
    /// Pairs of the first two participants by the score of the first.
    pub(super) first: StartPairs,
}

impl Evidence {
    /// Takes in a pair by White's score, and by the first participant's if that is who played. A pair that repeats
    /// another one is left out; half of one would be counted with one colour only.
    pub(super) fn add(
        &mut self,
        games: [GameEvidence; 2],
        white: PairScore,
        first: Option<PairScore>,
    ) {
        if let [Some(one), Some(other)] = games.map(|game| game.copy_key)
            && !self.copy_keys.insert([one.min(other), one.max(other)])
        {
            return;
        }
        let start = games[0].start;
        self.white.add(start, white);
        if let Some(first) = first {
            self.first.add(start, first);
        }
    }
}

/// The engines of an event that play the same game whenever they are asked to, each with a number for its program and
/// limits.
#[derive(Debug, Clone, Default)]
struct RepeatingEngines(HashMap<u16, u64>);

impl RepeatingEngines {
    fn new(identity: &EventIdentity) -> RepeatingEngines {
        let engines = (0..).zip(&identity.engines);
        let repeating = engines.filter(|(_, engine)| engine.repeats_itself());
        let numbered = repeating.map(|(place, engine)| {
            let text = format!("{}\n{}", engine.program_text(), engine.limits);
            (place, fnv1a(text.bytes()))
        });
        RepeatingEngines(numbered.collect())
    }

    fn copy_key(&self, seats: [Seat; 2], moves_hash: impl FnOnce() -> u64) -> Option<u64> {
        let [white, black] = seats.map(|seat| self.0.get(&seat.engine));
        let numbers = [*white?, *black?, moves_hash()];
        Some(fnv1a(numbers.into_iter().flat_map(u64::to_le_bytes)))
    }
}

/// Which games of an event can be copies of others: by revision, because a replaced engine is another one.
#[derive(Debug, Clone, Default)]
pub(crate) struct CopyKeys {
    /// The place of the first game of each revision.
    revisions: Vec<(u64, RepeatingEngines)>,
    current: RepeatingEngines,
}

impl CopyKeys {
    pub(crate) fn new(builds: &Builds) -> CopyKeys {
        let revision = |(first, revision): &(u64, u32)| {
            let identity = builds.identity(*revision).unwrap_or(&builds.current);
            (*first, RepeatingEngines::new(identity))
        };
        CopyKeys {
            revisions: builds.starts.iter().map(revision).collect(),
            current: RepeatingEngines::new(&builds.current),
        }
    }

    /// Of the game at this place in the order of finishing.
    pub(crate) fn stored(&self, sequence: u64, seats: [Seat; 2], moves_hash: u64) -> Option<u64> {
        let (_, engines) = self
            .revisions
            .iter()
            .rfind(|(first, _)| *first <= sequence)?;
        engines.copy_key(seats, || moves_hash)
    }

    /// Of a game that is played now.
    pub(super) fn played(&self, seats: [Seat; 2], moves_hash: impl FnOnce() -> u64) -> Option<u64> {
        self.current.copy_key(seats, moves_hash)
    }
}

/// A mean score of pairs with the interval that may be looked at all the time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SequentialEstimate {
    /// Points a game, 0 to 1.
    pub score: f64,
    /// Both ends of the 95 % interval, 0 to 1.
    pub ends: [f64; 2],
}

impl SequentialEstimate {
    /// `None` without any pair.
    pub(crate) fn new(pairs: &StartPairs) -> Option<SequentialEstimate> {
        let interval = pairs.always_valid(LEVEL)?;
        Some(SequentialEstimate {
            score: Sample::from(*pairs.pairs()).moments()?.mean,
            ends: [interval.score_lo, interval.score_hi],
        })
    }

    /// `Elo of the pairs +12.3 [-5.0, +29.1] always valid`.
    pub(crate) fn elo_text(&self) -> String {
        let [value, low, high] = self.elo();
        if !value.is_finite() || !is_narrow(high - low) {
            return "Elo unknown (too few games)".to_owned();
        }
        let [value, low, high] = [value, low, high].map(elo);
        format!("Elo of the pairs {value} [{low}, {high}] always valid")
    }

    /// Whether the interval excludes anything.
    pub(crate) fn says_something(&self) -> bool {
        self.ends[0] > 0.0 || self.ends[1] < 1.0
    }

    /// `54.5 % [51.0, 57.9] always valid`.
    pub(crate) fn percent_text(&self) -> String {
        let [low, high] = self.ends.map(|end| 100.0 * end);
        format!("{} [{low:.1}, {high:.1}] always valid", percent(self.score))
    }

    /// The names of the reference vectors; an infinite Elo is `null`.
    pub(crate) fn json(&self) -> Value {
        let [elo, elo_lo, elo_hi] = self.elo();
        json!({
            "score": self.score,
            "score_lo": self.ends[0],
            "score_hi": self.ends[1],
            "elo": elo,
            "elo_lo": elo_lo,
            "elo_hi": elo_hi,
        })
    }

    /// Elo, and both ends of its interval; infinite at a score of 0 or 1.
    pub(crate) fn elo(&self) -> [f64; 3] {
        [self.score, self.ends[0], self.ends[1]].map(|score| elo_from_score(score) + 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::counts::GameScore::{Draw, Loss, Win};

    #[test]
    fn a_pair_that_repeats_earlier_games_is_no_evidence() {
        let mut evidence = Evidence::default();
        let game = |copy_key| GameEvidence { start: 3, copy_key };
        let mut add = |keys: [Option<u64>; 2]| {
            let pair = PairScore::new(Win, Draw);
            evidence.add(keys.map(game), pair, Some(pair));
            evidence.white.pairs().pairs()
        };
        assert_eq!(add([Some(1), Some(1)]), 1);
        assert_eq!(add([Some(1), Some(1)]), 1);
        assert_eq!(add([Some(1), Some(2)]), 2);
        assert_eq!(add([Some(2), Some(1)]), 2);
        assert_eq!(add([Some(2), Some(2)]), 3);
        // Where chance takes part, every game is new.
        assert_eq!([add([None, None]), add([None, None])], [4, 5]);
        assert_eq!(evidence.first.pairs(), evidence.white.pairs());
    }

    #[test]
    fn an_interval_never_goes_beyond_the_scores() {
        let mut pairs = StartPairs::default();
        assert_eq!(SequentialEstimate::new(&pairs), None);
        pairs.add(0, PairScore::new(Win, Win));
        let first = SequentialEstimate::new(&pairs).unwrap();
        assert_eq!(first.ends[1], 1.0);
        assert_eq!(first.json()["elo_hi"], Value::Null);
        (1..40).for_each(|start| pairs.add(start, PairScore::new(Win, Loss)));
        let found = SequentialEstimate::new(&pairs).unwrap();
        assert!(0.0 < found.ends[0] && found.ends[0] < found.score && found.ends[1] < 1.0);
    }
}
