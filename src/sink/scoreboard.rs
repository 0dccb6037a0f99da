//! Results counted by participant, encounter and start number: all that the
//! tables need, in memory that does not grow with the number of games.

use std::collections::{BTreeMap, HashMap};

use crate::chess::{Color, StartNumber};
use crate::event::{FinishedGame, GameId, PairId, Seat};
use crate::referee::{FaultKind, Outcome, VoidReason};
use crate::stats::conduct::{Conduct, Ruling};
use crate::stats::games::Cell;
use crate::stats::standings::{Standing, TieBreak, standings};
use crate::store::{GameResult, ReplayedGame};

use super::roster::Participant;

/// Wins, draws and losses from one side's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Record {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Record {
    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points a game, 0 to 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| self.points() / games as f64)
    }

    /// The same games as the opponent sees them.
    pub fn reversed(&self) -> Record {
        Record {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }

    /// Both together.
    pub fn plus(&self, other: Record) -> Record {
        Record {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    fn add(&mut self, half_points: u8) {
        match half_points {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
    }
}

/// The games of one start number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NumberRow {
    /// Pairs of which both games are finished.
    pub pairs: u64,
    /// White's wins, draws and losses.
    pub white: Record,
}

/// The games between two participants, as the first of them sees them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Encounter {
    /// With the white pieces.
    pub as_white: Record,
    /// With the black pieces.
    pub as_black: Record,
    /// Complete pairs by points: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
}

impl Encounter {
    /// With either colour.
    pub fn total(&self) -> Record {
        self.as_white.plus(self.as_black)
    }
}

/// The first game of a pair, waiting for the second.
#[derive(Debug, Clone, Copy)]
struct HalfPair {
    white: usize,
    number: Option<StartNumber>,
    half_points: u8,
}

/// The counts.
#[derive(Debug, Clone, Default)]
pub struct Scoreboard {
    participants: Vec<Participant>,
    /// By White's and Black's places in `participants`; White's view.
    games: BTreeMap<(usize, usize), Record>,
    /// Complete pairs by the points of the participant with the smaller index.
    pairs: BTreeMap<(usize, usize), [u64; 5]>,
    numbers: BTreeMap<StartNumber, NumberRow>,
    halves: HashMap<PairId, HalfPair>,
    white: Record,
    white_pairs: [u64; 5],
    complete_pairs: u64,
    /// What the engines have done, and whose games do not count.
    conduct: Conduct,
    /// Every finished game, only where games can be annulled.
    log: Vec<Counted>,
    /// The engines whose games are left out of the counts above.
    annulled: Vec<u16>,
}

/// A finished game, as far as it is counted.
#[derive(Debug, Clone, Copy)]
struct Counted {
    id: GameId,
    seats: [Seat; 2],
    number: Option<StartNumber>,
    half_points: u8,
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
    pub fn judged_by(mut self, rules: Conduct) -> Scoreboard {
        self.conduct = rules;
        self
    }

    /// The disqualified engines.
    pub fn rulings(&self) -> Vec<Ruling> {
        self.conduct.rulings()
    }

    /// Finished games that do not count, because an engine was disqualified.
    pub fn annulled_games(&self) -> u64 {
        (self.log.len() as u64).saturating_sub(self.games())
    }

    /// Games of the plan that are not played, because an engine was disqualified.
    pub fn cancelled_games(&self) -> u64 {
        self.conduct.cancelled_games()
    }

    /// Games that are still to be played, of so many that the plan has.
    pub fn missing_games(&self, planned: u64) -> u64 {
        let done = self.games() + self.annulled_games() + self.cancelled_games();
        planned.saturating_sub(done)
    }

    /// The name of an engine, without the number of a copy.
    pub fn engine_name(&self, engine: u16) -> String {
        let mut own = self.participants.iter();
        let name = own.find(|entry| entry.seat.engine == engine);
        let name = name.map_or_else(|| format!("engine {engine}"), |entry| entry.name.clone());
        let copies = self.participants.iter().any(|entry| entry.seat.copy > 0);
        match name.strip_suffix(" #1") {
            Some(bare) if copies => bare.to_owned(),
            _ => name,
        }
    }

    /// The participants; indices below are places in this list.
    pub fn participants(&self) -> &[Participant] {
        &self.participants
    }

    /// Counts a game that has just finished; a voided one is not counted.
    pub fn add_game(&mut self, game: &FinishedGame) {
        if let Some(half_points) = game.record.outcome.white_half_points() {
            let fault = game.record.faults.first();
            let fault = fault.map(|fault| (fault.side, fault.kind));
            let counted = Counted {
                id: game.id,
                seats: game.seats,
                number: game.number,
                half_points,
            };
            self.add(counted, fault);
        }
    }

    /// Hears of a voided game: one that was voided for a fault is a strike.
    pub fn add_voided(&mut self, game: &FinishedGame) {
        if game.record.outcome == Outcome::Void(VoidReason::FaultReplayed) {
            self.add_replayed(&ReplayedGame::of(game));
        }
    }

    /// Hears of a game of the store's log that was voided for a fault.
    pub fn add_replayed(&mut self, game: &ReplayedGame) {
        self.conduct.replayed(game.seats, game.fault);
        self.settle();
    }

    /// Counts a game of the store.
    pub fn add_result(&mut self, result: &GameResult) {
        let counted = Counted {
            id: result.id,
            seats: result.seats,
            number: result.number,
            half_points: result.white_half_points,
        };
        self.add(counted, result.fault);
    }

    fn add(&mut self, game: Counted, fault: Option<(Color, FaultKind)>) {
        self.conduct.finished(game.seats, fault);
        if !self.conduct.can_annul() {
            return self.count(game);
        }
        self.log.push(game);
        if !self.settle() && !self.conduct.annuls(game.seats) {
            self.count(game);
        }
    }

    /// Counts anew if other engines' games are annulled than before; whether it did.
    fn settle(&mut self) -> bool {
        let rulings = self.conduct.rulings().into_iter();
        let annulled: Vec<u16> = rulings
            .filter(|ruling| ruling.annulled)
            .map(|ruling| ruling.engine)
            .collect();
        if annulled == self.annulled {
            return false;
        }
        let log = std::mem::take(&mut self.log);
        *self = Scoreboard {
            conduct: std::mem::take(&mut self.conduct),
            annulled,
            ..Scoreboard::new(&self.participants)
        };
        for game in &log {
            if !self.conduct.annuls(game.seats) {
                self.count(*game);
            }
        }
        self.log = log;
        true
    }

    fn count(&mut self, game: Counted) {
        let Counted {
            id,
            seats,
            number,
            half_points: points,
        } = game;
        let [white, black] = seats.map(|seat| self.place(seat));
        self.white.add(points);
        self.games.entry((white, black)).or_default().add(points);
        if let Some(number) = number {
            self.numbers.entry(number).or_default().white.add(points);
        }
        let half = HalfPair {
            white,
            number,
            half_points: points,
        };
        match self.halves.remove(&id.pair) {
            Some(first) => self.complete(first, half, black),
            None => drop(self.halves.insert(id.pair, half)),
        }
    }

    /// A seat that the roster does not have joins it, so that no game is lost.
    fn place(&mut self, seat: Seat) -> usize {
        let known = self
            .participants
            .iter()
            .position(|entry| entry.seat == seat);
        known.unwrap_or_else(|| {
            let name = format!("engine {}.{}", seat.engine, seat.copy);
            self.participants.push(Participant { seat, name });
            self.participants.len() - 1
        })
    }

    fn complete(&mut self, first: HalfPair, second: HalfPair, second_black: usize) {
        self.complete_pairs += 1;
        self.white_pairs[usize::from(first.half_points + second.half_points)] += 1;
        if let (Some(number), true) = (first.number, first.number == second.number) {
            self.numbers.entry(number).or_default().pairs += 1;
        }
        // Without swapped colours it is no pair of an encounter.
        if first.white != second_black || first.white == second.white {
            return;
        }
        let (smaller, larger) = if first.white < second.white {
            (first, second)
        } else {
            (second, first)
        };
        let points = smaller.half_points + 2 - larger.half_points;
        let cells = self.pairs.entry((smaller.white, larger.white)).or_default();
        cells[usize::from(points)] += 1;
    }

    /// Finished games.
    pub fn games(&self) -> u64 {
        self.white.games()
    }

    /// Pairs of which both games are finished.
    pub fn pairs(&self) -> u64 {
        self.complete_pairs
    }

    /// All games from White's point of view.
    pub fn white(&self) -> Record {
        self.white
    }

    /// Complete pairs by White's points in both games: 0, ½, 1, 1½, 2.
    pub fn white_pairs(&self) -> [u64; 5] {
        self.white_pairs
    }

    /// By start number, in order.
    pub fn numbers(&self) -> impl ExactSizeIterator<Item = (StartNumber, &NumberRow)> {
        self.numbers.iter().map(|(number, row)| (*number, row))
    }

    /// The games of two participants as the first sees them.
    pub fn encounter(&self, participant: usize, opponent: usize) -> Encounter {
        let games = |key| self.games.get(&key).copied().unwrap_or_default();
        let key = (participant.min(opponent), participant.max(opponent));
        let mut pairs = self.pairs.get(&key).copied().unwrap_or_default();
        if participant > opponent {
            pairs.reverse();
        }
        Encounter {
            as_white: games((participant, opponent)),
            as_black: games((opponent, participant)).reversed(),
            pairs,
        }
    }

    /// All games of a participant, with each colour.
    pub fn by_color(&self, participant: usize) -> [Record; 2] {
        let sum = |wanted: &dyn Fn(&(usize, usize)) -> bool| {
            let games = self.games.iter().filter(|(key, _)| wanted(key));
            games.fold(Record::default(), |sum, (_, record)| sum.plus(*record))
        };
        let white = sum(&|(white, _)| *white == participant);
        let black = sum(&|(_, black)| *black == participant);
        [white, black.reversed()]
    }

    /// The table of results in the usual order of tie-breaks.
    pub fn standings(&self) -> Vec<Standing> {
        let small = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let cell = |(&(white, black), record): (&(usize, usize), &Record)| Cell {
            start: 0,
            white: white as u16,
            black: black as u16,
            results: [
                small(record.losses),
                small(record.draws),
                small(record.wins),
            ],
        };
        let cells: Vec<Cell> = self.games.iter().map(cell).collect();
        let count = self.participants.len();
        standings(count, &cells, &self.double_wins(), &TieBreak::DEFAULT)
    }

    fn double_wins(&self) -> Vec<u32> {
        let mut wins = vec![0u32; self.participants.len()];
        for ((smaller, larger), cells) in &self.pairs {
            wins[*smaller] = wins[*smaller].saturating_add(cells[4] as u32);
            wins[*larger] = wins[*larger].saturating_add(cells[0] as u32);
        }
        wins
    }
}
