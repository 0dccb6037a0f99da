//! What is left to do: the plan minus the games that are stored, without the pairs of
//! disqualified engines. Never a counter.
//!
//! A pair that the host has voided comes back here. It is tried again after other pairs: what
//! was wrong may be over by then, and if it is not, the others are played all the same.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use crate::event::{GameId, PairId};
use crate::run::game::Job;
use crate::schedule::{PairSpec, Plan, Shard};
use crate::store::{Reader, StoreError};

/// After this number of pairs of the plan one that was given back is tried again; all of them when the
/// plan has come to its end.
const PAIRS_BEFORE_RETRY: u32 = 100;

/// The games that need not be played: they are stored and count, or the arbiter has decided them, or others meet in
/// their place.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn settled_ids(reader: &Reader) -> Result<Vec<GameId>, StoreError> {
    let mut ids = reader.finished_ids()?;
    ids.extend(reader.awards()?.into_iter().map(|award| award.id));
    let unpaired = reader.decisions().unpaired().into_iter();
    ids.extend(unpaired.flat_map(|pair| [0, 1].map(|game| GameId { pair, game })));
    Ok(ids)
}

/// The pairs of a plan that are not complete in the store, in the plan's order.
#[derive(Debug)]
pub struct Work {
    /// All pairs; it can be made longer.
    pub plan: Plan,
    /// Of the plan only this, if not all.
    shard: Option<Shard>,
    /// The first pair that is not played, nor those after it.
    end: Option<PairId>,
    /// The next pair of the plan to look at.
    next: u64,
    /// Which games of a pair are stored; pairs without any are absent.
    stored: HashMap<PairId, [bool; 2]>,
    /// How often games were voided because of a fault; absent if never.
    replayed: HashMap<GameId, u32>,
    /// Engines whose pairs are not played.
    withdrawn: BTreeSet<u16>,
    /// Games in which an earlier run was interrupted, and which go on: with the rest of their pairs, whoever is out.
    interrupted: BTreeSet<GameId>,
    /// Pairs that are in flight while the plan is looked through once more.
    held: BTreeSet<PairId>,
    /// Pairs that were given out and that nobody has begun, in order.
    unbegun: VecDeque<Job>,
    /// Pairs that were begun and have to be played again.
    returned: VecDeque<Job>,
    /// Pairs of the plan that were given out since one of those was.
    since: u32,
    /// Pairs whose second game is due when the first games of their section were played.
    half_played: BTreeMap<PairId, Job>,
    /// The section of the plan to which the last pair belongs that was given out.
    section: Option<(u16, u16)>,
}

impl Work {
    /// What is left of `plan` in this shard and before this pair when the games with these keys are stored; `replayed`
    /// says how many times each game was voided because of a fault.
    pub(crate) fn new(
        plan: Plan,
        shard: Option<Shard>,
        end: Option<PairId>,
        stored: impl IntoIterator<Item = GameId>,
        replayed: HashMap<GameId, u32>,
    ) -> Work {
        Work {
            plan,
            shard,
            end,
            next: 0,
            stored: by_pair(stored),
            replayed,
            withdrawn: BTreeSet::new(),
            interrupted: BTreeSet::new(),
            held: BTreeSet::new(),
            unbegun: VecDeque::new(),
            returned: VecDeque::new(),
            since: 0,
            half_played: BTreeMap::new(),
            section: None,
        }
    }

    /// The next pair, while others are in flight or not; `None` also where the first game of the next one waits for the
    /// second games of others.
    pub(crate) fn due(&mut self, in_flight: bool) -> Option<Job> {
        let next = self.first_unplayed().map(|job| job.spec.section());
        self.half_played();
        let half_played = self.half_played.values().next();
        let half_played = half_played.and_then(|job| job.spec.section());
        let current = half_played.or(self.section.filter(|_| in_flight));
        let is_later = |next: Option<(u16, u16)>| current.is_some() && next != current;
        if self.unbegun.is_empty() && next.is_some_and(is_later) {
            return self.returned().or_else(|| self.second());
        }
        self.next()
    }

    /// How many pairs wait for their second game.
    pub(crate) fn half_played(&mut self) -> u64 {
        let mut all = std::mem::take(&mut self.half_played);
        all.retain(|_, job| !self.is_out(job));
        self.half_played = all;
        self.half_played.len() as u64
    }

    /// The first of them.
    pub(crate) fn second(&mut self) -> Option<Job> {
        self.half_played();
        self.half_played.pop_first().map(|(_, job)| job)
    }

    /// Pairs of the part of the plan that is played.
    fn length(&self) -> u64 {
        let length = self.plan.len();
        self.end.map_or(length, |end| length.min(end.0))
    }

    fn is_elsewhere(&self, pair: PairId) -> bool {
        self.shard.is_some_and(|shard| !shard.holds(pair))
    }

    /// What is left is another than before: these games are settled, these engines play no more, and
    /// the plan is looked through once more, without the pairs that are in flight.
    pub(crate) fn renew(
        &mut self,
        settled: impl IntoIterator<Item = GameId>,
        withdrawn: BTreeSet<u16>,
        in_flight: BTreeSet<PairId>,
    ) {
        self.stored = by_pair(settled);
        self.withdrawn = withdrawn;
        self.held = in_flight;
        self.returned.clear();
        self.half_played.clear();
        self.unbegun.clear();
        self.next = 0;
    }

    /// Which games of a pair are settled, as far as was known at the beginning or when the arbiter
    /// last decided something.
    pub(crate) fn settled(&self, pair: PairId) -> [bool; 2] {
        self.stored.get(&pair).copied().unwrap_or_default()
    }

    /// Takes out the pairs of an engine that are not begun; whether it was still in.
    pub fn withdraw(&mut self, engine: u16) -> bool {
        self.withdrawn.insert(engine)
    }

    /// These games were interrupted, and go on.
    pub(crate) fn go_on(&mut self, games: impl IntoIterator<Item = GameId>) {
        self.interrupted.extend(games);
    }

    /// Whether a game goes on although one of its engines plays no more.
    pub(crate) fn finishes_withdrawn(&self) -> bool {
        let pairs = self.interrupted.iter().map(|game| game.pair);
        let mut specs = pairs.filter_map(|pair| self.plan.pair(pair));
        specs.any(|spec| self.is_withdrawn(&spec))
    }

    /// Takes back a pair with the games that it still misses.
    pub fn give_back(&mut self, job: Job) {
        let job = Job {
            goes_on: false,
            ..job
        };
        if job.is_half_played() {
            self.half_played.insert(job.pair, job);
        } else {
            self.returned.push_back(job);
        }
    }

    /// Takes back a pair that nobody has begun: it is the next one.
    pub(crate) fn put_back(&mut self, job: Job) {
        self.unbegun.push_front(job);
    }

    /// The engines whose pairs have been taken out.
    pub fn withdrawn(&self) -> &BTreeSet<u16> {
        &self.withdrawn
    }

    /// Games of the plan that are not stored and are to be played.
    pub fn missing_games(&self) -> u64 {
        if !self.withdrawn.is_empty() {
            let planned = self.plan.iter();
            let jobs = planned.take_while(|(pair, _)| pair.0 < self.length());
            let jobs = jobs.filter_map(|(pair, spec)| self.job(pair, spec));
            return jobs.map(|job| job.games()).sum();
        }
        let in_plan = |pair: &PairId| pair.0 < self.length() && !self.is_elsewhere(*pair);
        let games = usize::from(self.plan.games_per_pair());
        let count = |stored: &[bool; 2]| stored[..games].iter().filter(|stored| **stored).count();
        let stored = self.stored.iter().filter(|(pair, _)| in_plan(pair));
        let done: u64 = stored.map(|(_, stored)| count(stored) as u64).sum();
        let planned = match self.shard {
            Some(shard) => shard.pairs_of(self.length()) * games as u64,
            None => self.plan.games_of(self.length()),
        };
        planned.saturating_sub(done)
    }

    fn job(&self, pair: PairId, spec: PairSpec) -> Option<Job> {
        if self.is_elsewhere(pair) {
            return None;
        }
        let stored = self.settled(pair);
        let missing = [0, 1].map(|game| game < usize::from(spec.games) && !stored[game]);
        let replayed = [0, 1].map(|game| {
            let id = GameId { pair, game };
            self.replayed.get(&id).copied().unwrap_or(0)
        });
        let mut games = [0, 1].map(|game| GameId { pair, game }).into_iter();
        let next = games.find(|id| missing[usize::from(id.game)])?;
        let job = Job {
            pair,
            spec,
            missing,
            replayed,
            goes_on: self.interrupted.contains(&next),
        };
        (!self.is_out(&job)).then_some(job)
    }

    fn is_out(&self, job: &Job) -> bool {
        !job.goes_on && self.is_withdrawn(&job.spec)
    }

    fn is_withdrawn(&self, spec: &PairSpec) -> bool {
        self.withdrawn.iter().any(|engine| spec.concerns(*engine))
    }

    /// The next pair of the plan to be given out for the first time in this run; those before it are passed.
    fn first_unplayed(&mut self) -> Option<Job> {
        while self.next < self.length() {
            let pair = PairId(self.next);
            let spec = self.plan.pair(pair).filter(|_| !self.held.contains(&pair));
            match spec.and_then(|spec| self.job(pair, spec)) {
                Some(job) if job.is_half_played() => drop(self.half_played.insert(pair, job)),
                Some(job) => return Some(job),
                None => {}
            }
            self.next += 1;
        }
        None
    }

    fn planned(&mut self) -> Option<Job> {
        let job = self.first_unplayed()?;
        self.next += 1;
        self.section = job.spec.section();
        Some(job)
    }

    /// The next pair that was given back.
    fn returned(&mut self) -> Option<Job> {
        while let Some(job) = self.returned.pop_front() {
            if !self.is_out(&job) {
                self.since = 0;
                return Some(job);
            }
        }
        None
    }
}

/// Games by their pairs.
fn by_pair(games: impl IntoIterator<Item = GameId>) -> HashMap<PairId, [bool; 2]> {
    let mut known: HashMap<PairId, [bool; 2]> = HashMap::new();
    for id in games {
        let pair = known.entry(id.pair).or_default();
        if let Some(game) = pair.get_mut(usize::from(id.game)) {
            *game = true;
        }
    }
    known
}

impl Iterator for Work {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        while let Some(job) = self.unbegun.pop_front() {
            if !self.is_out(&job) {
                return Some(job);
            }
        }
        if self.since >= PAIRS_BEFORE_RETRY
            && let Some(job) = self.returned()
        {
            return Some(job);
        }
        match self.planned() {
            Some(job) => {
                self.since = self.since.saturating_add(1);
                Some(job)
            }
            None => self.returned(),
        }
    }
}
