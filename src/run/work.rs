//! What is left to do: the plan minus the games that are stored, without the pairs of
//! disqualified engines. Never a counter.

use std::collections::{BTreeSet, HashMap};

use crate::event::{GameId, PairId};
use crate::run::queue::Job;
use crate::schedule::{PairSpec, Plan};

/// The pairs of a plan that are not complete in the store, in the plan's order.
#[derive(Debug)]
pub struct Work {
    plan: Plan,
    /// The next pair of the plan to look at.
    next: u64,
    /// Which games of a pair are stored; pairs without any are absent.
    stored: HashMap<PairId, [bool; 2]>,
    /// How often games were voided because of a fault; absent if never.
    replayed: HashMap<GameId, u32>,
    /// Engines whose pairs are not played.
    withdrawn: BTreeSet<u16>,
}

impl Work {
    /// What is left of `plan` when the games with these keys are stored.
    pub fn new(plan: Plan, stored: impl IntoIterator<Item = GameId>) -> Work {
        let mut known: HashMap<PairId, [bool; 2]> = HashMap::new();
        for id in stored {
            if let Some(game) = known
                .entry(id.pair)
                .or_default()
                .get_mut(usize::from(id.game))
            {
                *game = true;
            }
        }
        Work {
            plan,
            next: 0,
            stored: known,
            replayed: HashMap::new(),
            withdrawn: BTreeSet::new(),
        }
    }

    /// The same work, where games were voided so often because of a fault.
    pub fn with_replays(mut self, replayed: HashMap<GameId, u32>) -> Work {
        self.replayed = replayed;
        self
    }

    /// Takes out the pairs of an engine that are not begun; whether it was still in.
    pub fn withdraw(&mut self, engine: u16) -> bool {
        self.withdrawn.insert(engine)
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The plan, to be made longer.
    pub fn plan_mut(&mut self) -> &mut Plan {
        &mut self.plan
    }

    /// Whether an engine's pairs have been taken out.
    pub fn is_reduced(&self) -> bool {
        !self.withdrawn.is_empty()
    }

    /// Games of the plan that are not stored and are to be played.
    pub fn missing_games(&self) -> u64 {
        if self.is_reduced() {
            let jobs = self
                .plan
                .iter()
                .filter_map(|(pair, spec)| self.job(pair, spec));
            return jobs.map(|job| job.games()).sum();
        }
        let in_plan = |pair: &PairId| pair.0 < self.plan.len();
        let games = usize::from(self.plan.games_per_pair());
        let count = |stored: &[bool; 2]| stored[..games].iter().filter(|stored| **stored).count();
        let stored = self.stored.iter().filter(|(pair, _)| in_plan(pair));
        let done: u64 = stored.map(|(_, stored)| count(stored) as u64).sum();
        self.plan.games() - done
    }

    fn job(&self, pair: PairId, spec: PairSpec) -> Option<Job> {
        if self.withdrawn.iter().any(|engine| spec.concerns(*engine)) {
            return None;
        }
        let stored = self.stored.get(&pair).copied().unwrap_or_default();
        let missing = [0, 1].map(|game| game < usize::from(spec.games) && !stored[game]);
        let replayed = [0, 1].map(|game| {
            let id = GameId { pair, game };
            self.replayed.get(&id).copied().unwrap_or(0)
        });
        let job = Job {
            pair,
            spec,
            missing,
            replayed,
        };
        (job.games() > 0).then_some(job)
    }
}

impl Iterator for Work {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        while self.next < self.plan.len() {
            let pair = PairId(self.next);
            self.next += 1;
            let job = self.job(pair, self.plan.pair(pair));
            if job.is_some() {
                return job;
            }
        }
        None
    }
}
