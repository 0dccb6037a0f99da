//! What was chosen and played so far in an event that is played in rounds.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Range, RangeBounds};

use serde::{Deserialize, Serialize};

use crate::event::{ArbiterAct, ArbiterDecision, GameId, PairId, Place};
use crate::schedule::PairSpec;
use crate::stats::counts::GameScore;

/// An engine that does not play in a round because it has no opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Bye {
    /// The round, from 1.
    pub round: u16,
    pub engine: u16,
}

/// What a stage was begun with. It is judged by this for as long as a pair of it is in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StageStart {
    /// Its first round.
    pub round: u16,
    /// Who takes part, the first seed first.
    pub entrants: Vec<u16>,
    /// Who played no more pairs by then: with them the stages before it are judged.
    pub out: BTreeSet<u16>,
}

/// Pairs and byes that were chosen at once.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Chosen {
    /// The pairs, in the order of their numbers.
    pub pairs: Vec<PairSpec>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub byes: Vec<Bye>,
    /// The stage that begins with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begins: Option<StageStart>,
}

/// All that what follows may depend on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct History {
    /// The pairs with their numbers, ascending.
    pairs: Vec<(PairId, PairSpec)>,
    /// Each with the first pair that was chosen with it: a round is taken back with its byes.
    byes: Vec<(PairId, Bye)>,
    /// Each with the first pair that was chosen with it, in order.
    starts: Vec<(PairId, StageStart)>,
    /// Bids for armageddon games, by round and board, and by engine: percent of White's time.
    pub bids: BTreeMap<((u16, u16), u16), u8>,
    results: BTreeMap<GameId, [GameScore; 2]>,
    /// Those of them that were decided without play.
    pub unplayed: BTreeSet<GameId>,
    /// The engines that play no more pairs.
    pub withdrawn: BTreeSet<u16>,
    /// Pairs that were given out and are not settled: they are played to their end, whoever is withdrawn meanwhile.
    pub running: BTreeSet<PairId>,
    /// Pairs that were chosen for others than those who meet now.
    unpaired: BTreeSet<PairId>,
}

/// What both games of a pair gave White and Black, where they were played.
pub(super) type PairResults = [Option<[GameScore; 2]>; 2];

/// The games of two engines in one round.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Encounter {
    /// Round and board.
    pub place: Place,
    /// Who meets; the first began.
    pub engines: [u16; 2],
    /// The pairs, in order.
    pub pairs: Vec<(PairId, PairSpec)>,
    /// Half points of both in the games that were played.
    pub half_points: [u32; 2],
    /// Games that both have won with Black.
    pub black_wins: [u32; 2],
    /// Pairs that both have won with both colours.
    pub double_wins: [u32; 2],
    /// Games that were played.
    pub played: u32,
    /// Games of its pairs.
    pub games: u32,
}

impl Encounter {
    /// Whether all its games were played.
    pub(crate) fn is_complete(&self) -> bool {
        self.played == self.games
    }

    /// The openings of its pairs.
    pub(crate) fn openings(&self) -> Vec<u32> {
        self.pairs.iter().map(|(_, pair)| pair.opening).collect()
    }

    /// The side of an engine in the arrays above.
    pub(crate) fn side(&self, engine: u16) -> Option<usize> {
        self.engines.iter().position(|one| *one == engine)
    }

    /// Without a pair.
    pub(super) fn between(engines: [u16; 2], place: Place) -> Encounter {
        Encounter {
            place: Place { pair: 1, ..place },
            engines,
            ..Encounter::default()
        }
    }

    /// A pair more, and what both games, where they were played, gave White and Black.
    pub(super) fn add(&mut self, pair: (PairId, PairSpec), results: PairResults) {
        self.pairs.push(pair);
        let (_, spec) = pair;
        self.games += u32::from(spec.games);
        let Some(first) = self.side(spec.first.engine) else {
            return;
        };
        let mut wins = [0; 2];
        for (game, scores) in results.into_iter().enumerate() {
            let Some(scores) = scores else { continue };
            let white = if game == 0 { first } else { 1 - first };
            self.played += 1;
            for (side, score) in [white, 1 - white].into_iter().zip(scores) {
                self.half_points[side] += u32::from(score.half_points());
                wins[side] += u32::from(score == GameScore::Win);
            }
            self.black_wins[1 - white] += u32::from(scores[1] == GameScore::Win);
        }
        for (side, wins) in wins.into_iter().enumerate() {
            self.double_wins[side] += u32::from(wins == 2);
        }
    }
}

impl History {
    /// These pairs and byes follow.
    pub(crate) fn choose(&mut self, chosen: &Chosen) {
        let next = self.pairs.last().map_or(0, |(last, _)| last.0 + 1);
        let pairs = chosen.pairs.iter().copied();
        self.pairs.extend((next..).map(PairId).zip(pairs));
        let first = PairId(next);
        let begins = chosen.begins.iter().cloned();
        self.byes
            .extend(chosen.byes.iter().map(|bye| (first, *bye)));
        self.starts.extend(begins.map(|start| (first, start)));
    }

    /// A game was played, or decided without: what it gave White and Black.
    pub(crate) fn played(&mut self, game: GameId, scores: [GameScore; 2]) {
        self.results.insert(game, scores);
    }

    /// The same of a game that is never played.
    pub(crate) fn awarded(&mut self, game: GameId, scores: [GameScore; 2]) {
        self.played(game, scores);
        self.unplayed.insert(game);
    }

    /// What an engine has bid for the armageddon game of this place.
    pub(super) fn bid(&self, place: Place, engine: u16) -> Option<u8> {
        let key = ((place.round, place.board), engine);
        self.bids.get(&key).copied()
    }

    /// These pairs are not played: others meet in their place, and bid anew.
    pub(crate) fn unpair(&mut self, pairs: impl IntoIterator<Item = PairId>) {
        for pair in pairs {
            let spec = self.pairs.iter().find(|(id, _)| *id == pair);
            let at = spec.and_then(|(_, spec)| spec.place);
            let at = at.map(|place| (place.round, place.board));
            self.bids.retain(|(place, _), _| Some(*place) != at);
            self.unpaired.insert(pair);
        }
    }

    /// A decision of the arbiter that was not taken back, after those before it.
    pub(crate) fn decided(&mut self, decision: &ArbiterDecision) {
        self.unpair(decision.unpairs.iter().copied());
        if let ArbiterAct::Bid {
            engine,
            round,
            board,
            percent,
        } = decision.act
        {
            self.bids.insert(((round, board), engine), percent);
        }
    }

    /// The pairs that are played, by their numbers.
    pub(super) fn in_force(&self) -> impl Iterator<Item = (PairId, &PairSpec)> {
        self.pairs()
            .filter(|(pair, _)| !self.unpaired.contains(pair))
    }

    /// All pairs, by their numbers.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (PairId, &PairSpec)> {
        self.pairs.iter().map(|(id, spec)| (*id, spec))
    }

    /// Whether a game of a pair counts.
    pub(super) fn has_result(&self, pair: PairId) -> bool {
        self.results(pair).iter().any(Option::is_some)
    }

    /// What both games of a pair gave White and Black.
    pub(crate) fn results(&self, pair: PairId) -> PairResults {
        [0, 1].map(|game| self.results.get(&GameId { pair, game }).copied())
    }

    /// The byes of rounds that are played.
    pub(crate) fn byes(&self) -> impl Iterator<Item = Bye> + '_ {
        let byes = self.byes.iter();
        let in_force = byes.filter(|(pair, _)| !self.unpaired.contains(pair));
        in_force.map(|(_, bye)| *bye)
    }

    /// The last round that is in force; 0 before the first.
    pub(crate) fn last_round(&self) -> u16 {
        let places = self.in_force().filter_map(|(_, spec)| spec.place);
        let rounds = places.map(|place| place.round);
        let of_byes = self.byes().map(|bye| bye.round);
        rounds.chain(of_byes).max().unwrap_or(0)
    }

    /// The pairs that are played in these rounds.
    pub(super) fn in_rounds<'a>(
        &'a self,
        rounds: impl RangeBounds<u16> + 'a,
    ) -> impl Iterator<Item = PairId> + 'a {
        let in_force = self.in_force();
        in_force.filter_map(move |(pair, spec)| rounds.contains(&spec.place?.round).then_some(pair))
    }

    /// The first pair that is played in the stage with this first round.
    fn first_of_stage(&self, round: u16) -> Option<PairId> {
        let rounds = self.starts.iter().map(|(_, start)| start.round);
        let next = rounds.filter(|next| *next > round).min();
        self.in_rounds(round..next.unwrap_or(u16::MAX)).next()
    }

    /// What the stage with this first round was begun with, as long as that stands.
    pub(super) fn start(&self, round: u16) -> Option<&StageStart> {
        let first = self.first_of_stage(round)?;
        let mut all = self.starts.iter();
        let own = all.rfind(|(since, start)| start.round == round && *since <= first);
        own.map(|(_, start)| start)
    }

    /// Whether an engine plays no more pairs of this round. A stage that was played before another began stays as
    /// it was then: who goes out later is not out of it.
    pub(crate) fn is_out(&self, engine: u16, round: u16) -> bool {
        let was_out = || {
            let later = self.starts.iter().map(|(_, start)| start.round);
            let later = later.filter(|later| *later > round);
            let begun = later.filter_map(|later| self.start(later));
            let next = begun.min_by_key(|start| start.round);
            next.is_none_or(|start| start.out.contains(&engine))
        };
        self.withdrawn.contains(&engine) && was_out()
    }

    /// Every encounter, by round and board.
    pub(crate) fn encounters(&self) -> BTreeMap<(u16, u16), Encounter> {
        let mut encounters: BTreeMap<(u16, u16), Encounter> = BTreeMap::new();
        for (id, spec) in self.in_force() {
            let Some(place) = spec.place else { continue };
            let known = encounters.entry((place.round, place.board));
            let encounter = known.or_insert_with(|| Encounter::between(spec.engines(), place));
            encounter.add((id, *spec), self.results(id));
        }
        encounters
    }

    /// The pairs in force at a place where another was chosen before, or in a stage that was begun before: a decision was
    /// taken back by which the earlier ones were not played.
    pub(super) fn chosen_twice(&self) -> Vec<PairId> {
        let mut places = BTreeSet::new();
        let in_force = self.in_force();
        let twice = in_force.filter(|(_, spec)| !places.insert(spec.place));
        let mut twice: Vec<PairId> = twice.map(|(pair, _)| pair).collect();
        for (since, start) in &self.starts {
            let first = self.first_of_stage(start.round);
            if first.is_some_and(|first| first < *since) {
                twice.extend(self.in_rounds(start.round..).filter(|pair| pair >= since));
            }
        }
        twice
    }

    /// Whether games that were chosen are still to be played.
    pub(crate) fn is_any_open(&self) -> bool {
        self.encounters().values().any(|met| self.is_open(met))
    }

    /// Whether games of an encounter are still to be played.
    pub(crate) fn is_open(&self, encounter: &Encounter) -> bool {
        let is_out = |engine: &u16| self.is_out(*engine, encounter.place.round);
        let mut pairs = encounter.pairs.iter();
        let is_played = !encounter.engines.iter().any(is_out)
            || pairs.any(|(pair, _)| self.running.contains(pair));
        !encounter.is_complete() && is_played
    }

    /// The part in these rounds and on these boards, or with byes of these engines, both numbered from 1.
    pub(super) fn part(&self, [rounds, boards]: [&Range<u16>; 2], engines: &[u16]) -> History {
        let local = |place: Place| {
            let is_in = rounds.contains(&place.round) && boards.contains(&place.board);
            is_in.then(|| Place {
                round: place.round - rounds.start + 1,
                board: place.board - boards.start + 1,
                ..place
            })
        };
        let pairs = self.pairs.iter().filter_map(|(id, spec)| {
            let place = Some(local(spec.place?)?);
            Some((*id, PairSpec { place, ..*spec }))
        });
        let byes = self.byes.iter();
        let byes =
            byes.filter(|(_, bye)| rounds.contains(&bye.round) && engines.contains(&bye.engine));
        let byes = byes.map(|(pair, bye)| {
            let round = bye.round - rounds.start + 1;
            (*pair, Bye { round, ..*bye })
        });
        let withdrawn = self.withdrawn.iter().copied();
        let withdrawn = withdrawn.filter(|engine| self.is_out(*engine, rounds.start));
        let bids = self.bids.iter().filter_map(|(key, percent)| {
            let ((round, board), engine) = *key;
            let pair = 1;
            let place = local(Place { round, board, pair })?;
            Some((((place.round, place.board), engine), *percent))
        });
        History {
            results: self.results.clone(),
            byes: byes.collect(),
            bids: bids.collect(),
            withdrawn: withdrawn.collect(),
            running: self.running.clone(),
            starts: Vec::new(),
            unpaired: self.unpaired.clone(),
            unplayed: self.unplayed.clone(),
            pairs: pairs.collect(),
        }
    }

    /// Takes in the pairs of another part that are between two of these engines, and all its results.
    pub(super) fn carry(&mut self, other: &History, engines: &[u16]) {
        let both = |spec: &PairSpec| spec.engines().iter().all(|engine| engines.contains(engine));
        self.pairs
            .extend(other.pairs.iter().filter(|(_, spec)| both(spec)));
        self.results.extend(&other.results);
    }

    /// How often two have been chosen to meet on a position.
    pub(crate) fn meetings_on(&self, engines: [u16; 2], opening: u32) -> u32 {
        let is_it = |(_, pair): &&(PairId, PairSpec)| {
            pair.opening == opening && engines.iter().all(|engine| pair.concerns(*engine))
        };
        self.pairs.iter().filter(is_it).count() as u32
    }
}
