//! One state of an event: who plays, what they scored, what they did, what a sequential test
//! says.
//!
//! **Invariant: every fact is counted once, here.** The dispatcher adds a game to the state when the game is durable;
//! every part of the program that shows the event reads it from here.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::event::identity::EventIdentity;
use crate::event::{PlayedGame, Seat};
use crate::referee::Blame;
use crate::schedule::{Chosen, Encounter, PairSpec};
use crate::store::{Reader, ResultRow, StoreResult};

use super::fault_counts::FaultCounts;
use super::roster::{EventPhase, PendingReplay};
use super::stored::{empty_board, empty_test, results};
use super::{
    Builds, Contest, CopyKeys, Roster, Scoreboard, SprtWatch, excused_games, replayed_games,
};

/// The state of an event.
#[derive(Debug, Clone, Default)]
pub struct EventState {
    roster: Roster,
    board: Scoreboard,
    test: Option<SprtWatch>,
    running: usize,
    /// What a run does with the event, if one is known: it plays, is paused or waits.
    activity: Option<EventPhase>,
    /// Games that wait before they are played again.
    pub(crate) waiting: Vec<PendingReplay>,
    version: u64,
    /// Finished games whose result the arbiter has ruled: in the table, and no evidence of strength.
    pub(crate) ruled: u64,
    /// Rows of the store that are in here: finished games and voided ones.
    counted: [u64; 2],
    /// Rows that were announced, in the order of the store.
    announced: [u64; 2],
}

impl EventState {
    /// Nothing has been played. The rules on faults come from `board`.
    pub fn new(roster: Roster, board: Scoreboard, test: Option<SprtWatch>) -> EventState {
        EventState {
            roster,
            board,
            test,
            ..EventState::default()
        }
    }

    /// The same as this version of a state that was read before.
    pub(crate) fn of_version(self, version: u64) -> EventState {
        EventState { version, ..self }
    }

    /// All that is stored, read once, in the order of finishing, under the rules of the identity in force.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn read(reader: &Reader) -> StoreResult<EventState> {
        let identity = reader.begun()?.identity;
        EventState::under(reader, identity, |_| ())
    }

    /// The same under this identity; `see` is called with each result that counts.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn under(
        reader: &Reader,
        identity: EventIdentity,
        mut see: impl FnMut(&ResultRow),
    ) -> StoreResult<EventState> {
        let _moment = reader.at_one_moment()?;
        let roster = Roster::under(reader, &identity)?;
        let mut test = empty_test(reader, &identity)?;
        let mut board = empty_board(reader, &roster, &identity)?;
        let builds = Builds::until(reader, identity)?;
        board.copy_keys = CopyKeys::new(&builds);
        // Their numbers distinguish these games from those that are announced later.
        let counted = [reader.last_place()?, roster.voided_games];
        for game in replayed_games(reader, &builds)? {
            board.add_replayed(&game);
        }
        for game in excused_games(reader, &builds)? {
            board.add_excused(&game);
        }
        let mut ruled = 0;
        for result in results(reader, &builds) {
            let result = result?;
            ruled += u64::from(!result.outcome.is_evidence());
            see(&result);
            board.add_result(&result);
            if let Some(test) = &mut test {
                test.add_result(&result);
            }
        }
        let mut state = EventState {
            ruled,
            counted,
            announced: counted,
            ..EventState::new(roster, board, test)
        };
        state.bound_test();
        Ok(state)
    }

    /// The same event read from its store again, because the arbiter has decided something. A game that was read is not
    /// counted again when it is announced.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn read_again(&mut self, reader: &Reader) -> StoreResult<()> {
        *self = EventState {
            announced: self.announced,
            running: self.running,
            activity: self.activity.take(),
            waiting: std::mem::take(&mut self.waiting),
            version: self.version + 1,
            ..EventState::read(reader)?
        };
        Ok(())
    }

    /// Whether a row that is announced now is in here already.
    fn is_known(&mut self, kind: usize) -> bool {
        self.announced[kind] += 1;
        self.announced[kind] <= self.counted[kind]
    }

    /// A game is durable, as a result or in the log of voided games.
    pub fn hear(&mut self, game: &PlayedGame) {
        self.version += 1;
        if self.is_known(usize::from(game.record.outcome.is_void())) {
            return;
        }
        if game.record.outcome.is_void() {
            self.roster.voided_games += 1;
            return self.board.add_voided(game);
        }
        self.roster.decided_by_host += u64::from(is_decided_by_host(game));
        self.board.add_game(game);
        if let Some(test) = &mut self.test {
            test.add_game(game);
        }
        self.bound_test();
    }

    /// These pairs and byes follow in an event that is played in rounds.
    pub(crate) fn chosen(&mut self, chosen: &Chosen) {
        self.version += 1;
        let terms = chosen.pairs.iter().map(PairSpec::terms);
        self.roster.games.extend(terms);
        self.board.choose(chosen);
    }

    /// This many pairs are being played.
    pub fn runs(&mut self, running: usize) {
        self.version += u64::from(running != self.running);
        self.running = running;
    }

    /// A run does this with the event; `None`: no run has it.
    pub(crate) fn acts(&mut self, activity: Option<EventPhase>) {
        self.version += u64::from(activity != self.activity);
        self.activity = activity;
    }

    /// These games wait before they are played again.
    pub(crate) fn waits(&mut self, waiting: Vec<PendingReplay>) {
        self.version += u64::from(waiting != self.waiting);
        self.waiting = waiting;
    }

    /// Where the event stands.
    pub(crate) fn phase(&self) -> EventPhase {
        match &self.activity {
            _ if self.is_over() => EventPhase::Over,
            Some(activity) => activity.clone(),
            None if self.board.games() == 0 => EventPhase::Before,
            None => EventPhase::Stopped,
        }
    }

    /// From now on the event has so many games; `None` where its results decide.
    pub fn plan(&mut self, games: Option<u64>) {
        self.version += 1;
        self.board.planned = games;
        self.bound_test();
    }

    /// A test has no more games than are missing.
    fn bound_test(&mut self) {
        let missing = self.missing_games();
        if let Some(test) = &mut self.test {
            test.leave(missing);
        }
    }

    /// Changes with every change of the state.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Who plays, and how far the event is.
    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    /// The results, counted.
    pub fn board(&self) -> &Scoreboard {
        &self.board
    }

    /// What the engines have done.
    pub fn fault_counts(&self) -> &FaultCounts {
        self.board.fault_counts()
    }

    /// The sequential test, if the event has one.
    pub fn test(&self) -> Option<&SprtWatch> {
        self.test.as_ref()
    }

    /// Whether a sequential test has ended: then nothing more is played.
    pub fn is_decided(&self) -> bool {
        self.test.as_ref().is_some_and(SprtWatch::is_ended)
    }

    /// Whether nothing more is to be played.
    pub(crate) fn is_over(&self) -> bool {
        let by_results = self.board.contest().and_then(Contest::is_over);
        self.is_decided() || by_results.unwrap_or_else(|| self.board.missing_games() == Some(0))
    }

    /// Games that are still to be played; `None` where a stop rule or the results decide.
    pub fn missing_games(&self) -> Option<u64> {
        if self.is_over() {
            Some(0)
        } else {
            self.board.missing_games()
        }
    }

    /// Pairs that are being played.
    pub fn running(&self) -> usize {
        self.running
    }
}

/// Whether a finished game was lost on time by the host's fault.
fn is_decided_by_host(game: &PlayedGame) -> bool {
    let fault = game.record.deciding_fault();
    let evidence = fault.and_then(|fault| fault.evidence.as_ref());
    evidence.is_some_and(|evidence| evidence.verdict == Blame::Host)
}

/// The state of an event, shared by the code that feeds it and the code that shows it.
#[derive(Debug, Clone)]
pub struct EventView(Arc<RwLock<EventState>>);

impl EventView {
    /// A view of this state.
    pub fn new(state: EventState) -> EventView {
        EventView(Arc::new(RwLock::new(state)))
    }

    /// Looks at the state. Updates wait meanwhile: only make a text of it in here, and write that text outside.
    pub fn read<T>(&self, look: impl FnOnce(&EventState) -> T) -> T {
        // Counting cannot leave it half changed.
        look(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Feeds the state; to be called only where new facts arrive.
    pub fn update<T>(&self, feed: impl FnOnce(&mut EventState) -> T) -> T {
        feed(&mut self.0.write().unwrap_or_else(PoisonError::into_inner))
    }
}

// Who meets whom in the round that is played, and in the next one.

/// The boards of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RoundPairings {
    pub round: u16,
    /// By board: who has White first, and the opponent.
    pub boards: BTreeMap<u16, [String; 2]>,
    /// Who has a bye.
    pub byes: Vec<String>,
    /// Whether decisions of the arbiter can still change it, because the round has not begun.
    pub provisional: bool,
}

impl RoundPairings {
    /// The rounds of what was chosen at once.
    pub(super) fn of_chosen(chosen: &Chosen, name: impl Fn(Seat) -> String) -> Vec<RoundPairings> {
        let mut rounds: BTreeMap<u16, RoundPairings> = BTreeMap::new();
        let empty = |round| RoundPairings {
            round,
            boards: BTreeMap::new(),
            byes: Vec::new(),
            provisional: true,
        };
        for pair in &chosen.pairs {
            let Some(place) = pair.place else { continue };
            let round = rounds.entry(place.round);
            let round = round.or_insert_with(|| empty(place.round));
            let names = || [pair.first, pair.second].map(&name);
            round.boards.entry(place.board).or_insert_with(names);
        }
        for bye in &chosen.byes {
            let round = rounds.entry(bye.round).or_insert_with(|| empty(bye.round));
            let engine = bye.engine;
            round.byes.push(name(Seat { engine, copy: 0 }));
        }
        rounds.into_values().collect()
    }
}

impl EventState {
    /// The boards of the last round that was paired, if it is not over, and of the next one, if it can be paired now;
    /// `None` if the event is not played in rounds.
    pub(crate) fn pairings(&self) -> Option<Vec<RoundPairings>> {
        let contest = self.board().contest()?;
        let history = &contest.history;
        let name = |seat| self.roster().name(seat);
        let encounters = history.encounters().into_values();
        let mut by_round: BTreeMap<u16, Vec<Encounter>> = BTreeMap::new();
        encounters.for_each(|met| by_round.entry(met.place.round).or_default().push(met));
        by_round.retain(|_, met| met.iter().any(|encounter| history.is_open(encounter)));
        let pairs = by_round.values().flatten();
        let open = Chosen {
            pairs: pairs.filter_map(|met| Some(met.pairs.first()?.1)).collect(),
            byes: history
                .byes()
                .filter(|bye| by_round.contains_key(&bye.round))
                .collect(),
            begins: None,
        };
        let mut rounds = RoundPairings::of_chosen(&open, name);
        rounds
            .iter_mut()
            .for_each(|round| round.provisional = false);
        let next = contest.next().unwrap_or_default();
        rounds.extend(RoundPairings::of_chosen(&next, name));
        Some(rounds)
    }
}
