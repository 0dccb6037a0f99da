//! The standard output: text that is written at once, and lines as a listener to facts.
//!
//! The start of a game is printed when its lane begins the game, and never before everything about the lane's earlier games was
//! printed. A pair is begun by a lane and played there game after game, so that `Started game` of its second game follows the
//! lines of its first.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use super::counts::Stats;
use crate::event::{GameId, PairId, PlayedGame, Seat};
use crate::schedule::Plan;
use crate::sink::{Sink, SinkError};

/// Writes text to the standard output, without buffering.
///
/// # Errors
/// Nobody reads the output, or the disk is full.
pub(crate) fn print(text: &str) -> Result<(), SinkError> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(SinkError::Output)
}

/// Whether the reader of the output has closed it.
pub(crate) fn is_unread(error: &SinkError) -> bool {
    matches!(error, SinkError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
}

/// What the end of a run has to print about it.
#[derive(Debug, Default)]
pub(crate) struct RunOutcome {
    /// A fault, or a warning in a strict run, has ended the run.
    pub(crate) broken_off: bool,
    /// The test is decided; the games that were played before are included.
    pub(crate) decided: bool,
    /// The reader of the output has closed it, which ends the run.
    pub(crate) unread: bool,
    /// The line about the PGN file with the game that is printed next.
    pub(crate) checksum: String,
    /// The results, for `config.json`.
    pub(crate) stats: Vec<(String, Stats)>,
}

/// The same, as everything that takes part in a run knows it.
pub(crate) type SharedOutcome = Arc<Mutex<RunOutcome>>;

/// Makes lines from facts.
pub(crate) trait FactLines: Send {
    /// The games that have begun.
    fn starts(&mut self) -> &mut GameStarts;

    /// The lines printed when a game begins; empty on later calls.
    fn start(&mut self, id: GameId) -> String;

    /// The lines of a game that is over.
    fn finish_game(&mut self, game: &PlayedGame) -> String;

    /// Takes in a game that was stored by an earlier run; nothing is printed.
    fn recall(&mut self, game: &PlayedGame);

    /// The lines to print between games.
    fn meanwhile(&mut self) -> String {
        String::new()
    }

    /// The lines of a game were written.
    fn written(&mut self) {}

    /// The reader of the output has closed it, as `head` does.
    fn unread(&mut self) {}

    /// The last lines.
    fn end(&mut self) -> String;
}

/// Lines that are printed.
pub(crate) struct Printed<L>(pub(crate) L);

impl<L: FactLines> Printed<L> {
    fn print(&mut self, text: &str) -> Result<(), SinkError> {
        let printed = print(text);
        if printed.as_ref().is_err_and(is_unread) {
            self.0.unread();
        }
        printed
    }
}

impl<L: FactLines> Sink for Printed<L> {
    fn begun(&mut self, pair: PairId, lane: usize) -> Result<(), SinkError> {
        let next = self.0.starts().begun(pair, lane);
        let text = next.map(|next| self.0.start(next)).unwrap_or_default();
        self.print(&text)
    }

    fn committed(&mut self, game: &PlayedGame) -> Result<(), SinkError> {
        if self.0.starts().silent || game.record.outcome.is_void() {
            return Ok(());
        }
        let text = self.0.finish_game(game);
        self.print(&text)?;
        self.0.written();
        Ok(())
    }

    fn refresh(&mut self) -> Result<(), SinkError> {
        let text = self.0.meanwhile();
        self.print(&text)
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        let text = self.0.end();
        self.print(&text)
    }
}

/// The games that begin.
pub(crate) struct GameStarts {
    plan: Plan,
    /// The lines of the book from which no game can begin, by opening.
    pub(in crate::front) unreadable: BTreeMap<u32, String>,
    /// The games that were stored by an earlier run, or are over.
    pub(in crate::front) stored: BTreeSet<GameId>,
    /// The games whose start was printed.
    pub(in crate::front) announced: BTreeSet<GameId>,
    /// Nothing more is printed: the test is decided, or a fault has ended the run.
    pub(in crate::front) silent: bool,
    /// The pair that each lane plays, and the pairs that it has begun since.
    lanes: HashMap<usize, VecDeque<PairId>>,
}

impl GameStarts {
    /// The state before the first game of this plan.
    pub(crate) fn new(plan: Plan) -> GameStarts {
        GameStarts {
            plan,
            unreadable: BTreeMap::new(),
            stored: BTreeSet::new(),
            announced: BTreeSet::new(),
            silent: false,
            lanes: HashMap::new(),
        }
    }

    /// Number of games of the whole plan.
    pub(crate) fn games(&self) -> u64 {
        self.plan.games()
    }

    /// The number of a game, from 1.
    pub(crate) fn number(&self, id: GameId) -> u64 {
        id.pair.0 * u64::from(self.plan.games_per_pair()) + u64::from(id.game) + 1
    }

    /// `Started game 1 of 2 (A vs B)`; `before` games were played before this plan, `names` are those of White and Black.
    pub(crate) fn line(&self, id: GameId, before: u64, [white, black]: [&str; 2]) -> String {
        let (number, games) = (before + self.number(id), before + self.games());
        format!("Started game {number} of {games} ({white} vs {black})\n")
    }

    /// White and Black of a game that was not announced yet; marks it as announced.
    pub(crate) fn announce(&mut self, id: GameId) -> Option<[Seat; 2]> {
        let seats = self.plan.pair(id.pair)?.seats(id.game);
        self.announce_as(id, seats)
    }

    /// The same for a game that was not in the plan when the run began.
    pub(crate) fn announce_as(&mut self, id: GameId, seats: [Seat; 2]) -> Option<[Seat; 2]> {
        let is_new = !self.stored.contains(&id) && self.announced.insert(id);
        is_new.then_some(seats)
    }

    /// The line of the book in whose place the game has another start, if that cannot be read.
    pub(crate) fn unreadable(&self, id: GameId) -> Option<&str> {
        let opening = self.plan.pair(id.pair)?.opening;
        self.unreadable.get(&opening).map(String::as_str)
    }

    /// A lane begins a pair. Returns the game to announce, if everything about the lane's previous pair was printed.
    pub(crate) fn begun(&mut self, pair: PairId, lane: usize) -> Option<GameId> {
        let waiting = self.lanes.entry(lane).or_default();
        waiting.retain(|known| *known != pair);
        waiting.push_back(pair);
        let is_first = waiting.len() == 1;
        is_first.then(|| self.next_of(pair)).flatten()
    }

    /// A game is over and stored. Returns the next game of its lane to announce.
    pub(crate) fn over(&mut self, id: GameId) -> Option<GameId> {
        self.stored.insert(id);
        if let Some(next) = self.next_of(id.pair) {
            return Some(next);
        }
        let mut lanes = self.lanes.values_mut();
        let waiting = lanes.find(|waiting| waiting.front() == Some(&id.pair))?;
        waiting.pop_front();
        let next = waiting.front().copied()?;
        self.next_of(next)
    }

    /// The first missing game of a pair.
    fn next_of(&self, pair: PairId) -> Option<GameId> {
        let games = 0..self.plan.games_per_pair();
        let mut all = games.map(|game| GameId { pair, game });
        all.find(|id| !self.stored.contains(id))
    }
}
