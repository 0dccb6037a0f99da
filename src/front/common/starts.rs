//! When the start of a game is printed: when its lane begins the game, and never before everything about the lane's
//! earlier games was printed.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use crate::event::{GameId, PairId, Seat};
use crate::schedule::Plan;

/// The games that begin.
#[derive(Debug)]
pub(crate) struct GameStarts {
    plan: Plan,
    /// The lines of the book from which no game can begin, by opening.
    unreadable: BTreeMap<u32, String>,
    stored: BTreeSet<GameId>,
    announced: BTreeSet<GameId>,
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
            lanes: HashMap::new(),
        }
    }

    /// The same where these lines of the book cannot be read.
    pub(crate) fn with_unreadable(self, unreadable: BTreeMap<u32, String>) -> GameStarts {
        GameStarts { unreadable, ..self }
    }

    /// A game was stored by an earlier run.
    pub(crate) fn recall(&mut self, id: GameId) {
        self.stored.insert(id);
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

    /// Whether the start of this game was printed.
    pub(crate) fn is_announced(&self, id: GameId) -> bool {
        self.announced.contains(&id)
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
