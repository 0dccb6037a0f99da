//! Results counted by participant and encounter: all that the tables need, in memory that does not grow with the number of games.
//!
//! | file | what |
//! |---|---|
//! | this one | which finished games count, under the rules on faults |
//! | `record` | what the tables are made of; a game into the counts; the columns of the standings |
//! | `tables` | the counts read; the groups of an event in stages, each as an event of its own |

mod record;
mod tables;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use crate::chess::{Color, FenDialect, Move};
use crate::event::{Award, GameId, PairId, PlayedGame, Seat, engine_and_copy};
use crate::hash::moves_hash;
use crate::referee::{FaultKind, Outcome, VoidReason};
use crate::schedule::Chosen;
use crate::stats::counts::{GameScore, Trinomial};
use crate::stats::standings::{Standing, TieBreak};
use crate::store::{ReplayedGame, ResultRow};
use crate::tournament::fault_counts::{FaultCounts, Ruling};

use super::evidence::{CopyKeys, Evidence, GameEvidence};
use super::roster::Participant;
use super::rounds::Contest;

use record::HalfPair;

pub(crate) use record::{EncounterRecord, Rating, Ratings, StandingRow, points_words};
pub(crate) use tables::StageBoard;

/// The counts.
#[derive(Debug, Clone, Default)]
pub struct Scoreboard {
    participants: Vec<Participant>,
    /// By White's and Black's places in `participants`; White's view.
    games: BTreeMap<(usize, usize), Trinomial>,
    /// Games in which both together got less than a point, likewise; White's view and Black's.
    uneven: BTreeMap<(usize, usize), [Trinomial; 2]>,
    /// Complete pairs by the points of the participant with the smaller index.
    pairs: BTreeMap<(usize, usize), [u64; 5]>,
    /// Games whose partners are missing; none where a pair has one game.
    halves: HashMap<PairId, HalfPair>,
    /// Pairs have one game; said before the first.
    pub(super) single_games: bool,
    white: Trinomial,
    complete_pairs: u64,
    /// What estimates are made of.
    evidence: Evidence,
    /// By what games are known that can be copies of each other; given before the first.
    pub(super) copy_keys: CopyKeys,
    /// What the engines have done, and whose games do not count.
    fault_counts: FaultCounts,
    /// Every finished game, only where games can be annulled.
    log: Vec<CountedGame>,
    /// The engines whose games are left out of the counts above.
    annulled: Vec<u16>,
    /// Games that the arbiter gave to one side without play.
    awarded: Vec<[Seat; 2]>,
    /// What orders engines with equal points.
    ranking: Ranking,
    /// Rounds, if the event is played in them.
    contest: Option<Contest>,
    /// How many games the event has, if it is not played in rounds and no stop rule decides.
    pub planned: Option<u64>,
    /// Of a group of a stage: its table, as the next stage reads it.
    table: Option<Vec<Standing>>,
}

/// What orders engines with equal points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ranking {
    /// The rules, one after the other.
    pub(crate) order: Vec<TieBreak>,
    /// Draws the lots.
    pub(crate) seed: u64,
}

impl Default for Ranking {
    fn default() -> Ranking {
        Ranking {
            order: TieBreak::DEFAULT.to_vec(),
            seed: 0,
        }
    }
}

/// A finished game, with only what is counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CountedGame {
    pub(crate) id: GameId,
    pub(crate) seats: [Seat; 2],
    /// What it gave White and Black.
    pub(crate) scores: [GameScore; 2],
    /// None where the engines did not decide it.
    pub(crate) evidence: Option<GameEvidence>,
}

impl CountedGame {
    /// `None` for a voided game.
    pub(crate) fn of_result(result: &ResultRow, copy_keys: &CopyKeys) -> Option<CountedGame> {
        let evidence = || GameEvidence {
            start: result.start,
            copy_key: copy_keys.stored(result.sequence, result.seats, result.moves_hash),
        };
        Some(CountedGame {
            id: result.id,
            seats: result.seats,
            scores: result.outcome.scores()?,
            evidence: result.outcome.is_evidence().then(evidence),
        })
    }

    /// White's score; `None` if Black did not get the rest of the point.
    pub(crate) fn white(&self) -> Option<GameScore> {
        let [white, black] = self.scores;
        (black == white.reversed()).then_some(white)
    }
}

impl Scoreboard {
    /// No games yet.
    pub fn new(participants: &[Participant]) -> Scoreboard {
        Scoreboard {
            participants: participants.to_vec(),
            ..Scoreboard::default()
        }
    }

    /// The same, under these rules on faults: games of engines that are disqualified do
    /// not count if the rules say so. Before the first game.
    pub fn judged_by(mut self, rules: FaultCounts) -> Scoreboard {
        self.fault_counts = rules;
        self
    }

    /// The same with these tie-breaks, and in rounds, if the event is played in them.
    pub(crate) fn ranked(mut self, ranking: Ranking, contest: Option<Contest>) -> Scoreboard {
        self.ranking = ranking;
        self.contest = contest;
        self.withdraw();
        self
    }

    /// The rounds of an event that is played in them.
    pub(crate) fn contest(&self) -> Option<&Contest> {
        self.contest.as_ref()
    }

    /// These pairs and byes follow in an event that is played in rounds.
    pub(crate) fn choose(&mut self, chosen: &Chosen) {
        if let Some(contest) = &mut self.contest {
            contest.history.choose(chosen);
        }
    }

    /// How a game between these two ended, with a word if it is annulled.
    pub(crate) fn ending<'a>(
        &self,
        seats: [Seat; 2],
        end: impl Into<Cow<'a, str>>,
    ) -> Cow<'a, str> {
        let end = end.into();
        if self.fault_counts.annuls(seats) {
            return Cow::Owned(format!("annulled: {end}"));
        }
        end
    }

    /// What the engines have done.
    pub fn fault_counts(&self) -> &FaultCounts {
        &self.fault_counts
    }

    /// The disqualified engines.
    pub fn rulings(&self) -> Vec<Ruling> {
        self.fault_counts.rulings()
    }

    /// Finished games that do not count, because an engine was disqualified.
    pub fn annulled_games(&self) -> u64 {
        (self.log.len() as u64).saturating_sub(self.games())
    }

    /// Games that count and were not played: the arbiter gave them to one side.
    pub(crate) fn forfeited_games(&self) -> usize {
        let counted = |seats: &&[Seat; 2]| !self.fault_counts.annuls(**seats);
        self.awarded.iter().filter(counted).count()
    }

    /// Games of the plan that are not played, because an engine was disqualified.
    pub fn cancelled_games(&self) -> u64 {
        match &self.contest {
            Some(contest) => contest.cancelled_games(),
            None => self.fault_counts.cancelled_games(),
        }
    }

    /// How many games the event has now, played or not; `None` where a stop rule or the results decide.
    pub fn planned_games(&self) -> Option<u64> {
        match &self.contest {
            Some(contest) => contest.planned_games(),
            None => self.planned,
        }
    }

    /// Games of the plan that are still to be played.
    pub fn missing_games(&self) -> Option<u64> {
        let done = self.games() + self.annulled_games() + self.cancelled_games();
        Some(self.planned_games()?.saturating_sub(done))
    }

    /// The place of an engine among the participants; of one with copies the first.
    pub(crate) fn place_of(&self, engine: u16) -> Option<usize> {
        let mut own = self.participants.iter();
        own.position(|entry| entry.seat.engine == engine)
    }

    /// The engines of the participants, in their order.
    pub(crate) fn engines(&self) -> Vec<u16> {
        let own = self.participants.iter();
        own.map(|entry| entry.seat.engine).collect()
    }

    /// The name of an engine, without the number of a copy.
    pub fn engine_name(&self, engine: u16) -> String {
        let copies = self.participants.iter().any(|entry| entry.seat.copy > 0);
        match self
            .place_of(engine)
            .map(|own| &self.participants[own].name)
        {
            Some(name) if copies => engine_and_copy(name).0.to_owned(),
            Some(name) => name.clone(),
            None => format!("engine {engine}"),
        }
    }

    /// The participants; indices below are places in this list.
    pub fn participants(&self) -> &[Participant] {
        &self.participants
    }

    /// Counts a game that has just finished; a voided one is not counted.
    pub fn add_game(&mut self, game: &PlayedGame) {
        if let Some(scores) = game.record.outcome.scores() {
            let fault = game.record.faults.first();
            let fault = fault.map(|fault| (fault.side, fault.kind));
            let counted = CountedGame {
                id: game.id,
                seats: game.seats,
                scores,
                evidence: Some(GameEvidence {
                    start: game.start_key(),
                    copy_key: self.copy_keys.played(game.seats, || {
                        let record = &game.record;
                        let start = record.start.fen(FenDialect::XFen);
                        moves_hash(&start, record.all_moves().map(Move::bits))
                    }),
                }),
            };
            self.add(counted, fault);
        }
    }

    /// Hears of a voided game: one that was voided for a fault is a strike, one that the host has
    /// voided was so for somebody's sake.
    pub fn add_voided(&mut self, game: &PlayedGame) {
        let voided = ReplayedGame::just_voided(game);
        match game.record.outcome {
            Outcome::Void(VoidReason::FaultReplayed) => self.add_replayed(&voided),
            Outcome::Void(VoidReason::HostFault(_)) => self.add_excused(&voided),
            _ => {}
        }
    }

    /// Hears of a game of the store's log that was voided for a fault.
    pub fn add_replayed(&mut self, game: &ReplayedGame) {
        self.fault_counts.replayed(game.seats, game.fault);
        self.withdraw();
        self.settle();
    }

    /// Hears of a game of the store's log that the host has voided.
    pub fn add_excused(&mut self, game: &ReplayedGame) {
        self.fault_counts.excused(game.seats, game.fault);
    }

    /// Counts a game that is never played: the arbiter gave it to one side.
    pub(crate) fn add_award(&mut self, award: &Award) {
        if let Some(scores) = award.outcome.scores() {
            self.awarded.push(award.seats);
            self.add_counted(CountedGame {
                id: award.id,
                seats: award.seats,
                scores,
                evidence: None,
            });
            if let Some(contest) = &mut self.contest {
                contest.history.awarded(award.id, scores);
            }
        }
    }

    /// Counts a game of which no more is known.
    pub(crate) fn add_counted(&mut self, game: CountedGame) {
        self.add(game, None);
    }

    /// Counts a game of the store.
    pub fn add_result(&mut self, result: &ResultRow) {
        if let Some(counted) = CountedGame::of_result(result, &self.copy_keys) {
            self.add(counted, result.fault);
        }
    }

    fn add(&mut self, game: CountedGame, fault: Option<(Color, FaultKind)>) {
        self.fault_counts.finished(game.seats, fault);
        if let Some(contest) = &mut self.contest {
            contest.history.played(game.id, game.scores);
        }
        if fault.is_some() {
            self.withdraw();
        }
        if !self.fault_counts.can_annul() {
            return self.count(game);
        }
        self.log.push(game);
        if !self.settle() && !self.fault_counts.annuls(game.seats) {
            self.count(game);
        }
    }

    /// An engine that is disqualified or withdrawn plays no more rounds.
    fn withdraw(&mut self) {
        if let Some(contest) = &mut self.contest {
            let rulings = self.fault_counts.rulings().into_iter();
            contest.history.withdrawn = rulings.map(|ruling| ruling.engine).collect();
        }
    }

    /// Counts all games again if other engines' games are annulled than before. Returns whether it did.
    fn settle(&mut self) -> bool {
        let rulings = self.fault_counts.rulings().into_iter();
        let annulled = rulings.filter(|ruling| ruling.annulled);
        let annulled: Vec<u16> = annulled.map(|ruling| ruling.engine).collect();
        if annulled == self.annulled {
            return false;
        }
        let log = std::mem::take(&mut self.log);
        *self = Scoreboard {
            fault_counts: std::mem::take(&mut self.fault_counts),
            annulled,
            single_games: self.single_games,
            ranking: std::mem::take(&mut self.ranking),
            contest: self.contest.take(),
            copy_keys: std::mem::take(&mut self.copy_keys),
            planned: self.planned,
            ..Scoreboard::new(&self.participants)
        };
        for game in &log {
            if !self.fault_counts.annuls(game.seats) {
                self.count(*game);
            }
        }
        self.log = log;
        true
    }
}
