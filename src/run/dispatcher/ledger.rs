//! The pairs that were given out and are not settled.

use std::collections::BTreeMap;

use crate::event::{GameId, PairId, PlayedGame, UnixMillis};
use crate::referee::{Fault, FaultKind, Outcome, VoidReason};
use crate::run::game::Job;
use crate::schedule::PairSpec;
use crate::tournament::PendingReplay;

/// What is known of one of them.
#[derive(Debug)]
struct OpenPair {
    /// As it was given out; its missing games and its replays are kept up to date.
    job: Job,
    /// The lane that holds it.
    lane: Option<usize>,
    /// Since when it is with a lane.
    since: Option<UnixMillis>,
    /// The lane is done with it.
    done: bool,
    /// Its game that waits before it is played again.
    waits: Option<PendingReplay>,
    /// Games on their way to the disk.
    unstored: u32,
    /// Games that were played to their end.
    played: [bool; 2],
    /// Games that stay void in this run.
    left: [bool; 2],
}

/// Every pair from when it is given out until nothing of it is in flight any more.
#[derive(Debug, Default)]
pub(super) struct Ledger(BTreeMap<PairId, OpenPair>);

impl Ledger {
    /// A pair is given out.
    pub(super) fn open(&mut self, job: Job) {
        let open = OpenPair {
            job,
            lane: None,
            since: None,
            done: false,
            waits: None,
            unstored: 0,
            played: [false; 2],
            left: [false; 2],
        };
        self.0.insert(job.pair, open);
    }

    /// A lane has taken it.
    pub(super) fn begun(&mut self, pair: PairId, lane: usize) {
        if let Some(open) = self.0.get_mut(&pair) {
            open.lane = Some(lane);
            open.since = Some(UnixMillis::now());
        }
    }

    /// A game of it waits before it is played again.
    pub(super) fn waits(&mut self, pair: PairId, replay: PendingReplay) {
        if let Some(open) = self.0.get_mut(&pair) {
            open.waits = Some(replay);
        }
    }

    /// The games that wait before they are played again.
    pub(super) fn waiting(&self) -> Vec<PendingReplay> {
        let now = UnixMillis::now().0;
        let held = self.0.values().filter(|open| !open.done);
        let all = held.filter_map(|open| open.waits.as_ref());
        all.filter(|replay| replay.at_ms > now).cloned().collect()
    }

    /// A game of it goes to the store.
    pub(super) fn submitted(&mut self, game: &PlayedGame) {
        if let Some(open) = self.0.get_mut(&game.id.pair) {
            open.unstored += 1;
            open.played[usize::from(game.id.game)] = !game.record.outcome.is_void();
        }
    }

    /// The games that this lane plays, or is about to.
    pub(super) fn in_play(&self, lane: usize) -> Vec<(GameId, PairSpec)> {
        let of_lane = |open: &&OpenPair| open.lane == Some(lane) && !open.done;
        let game = |open: &OpenPair| {
            let next = |game: &u8| {
                let place = usize::from(*game);
                open.job.missing[place] && !open.played[place]
            };
            let game = (0..2).find(next)?;
            Some((open.job.game(game), open.job.spec))
        };
        self.0.values().filter(of_lane).filter_map(game).collect()
    }

    /// A game of it is durable, as a result or as a void.
    pub(super) fn stored(&mut self, game: &PlayedGame) {
        let place = usize::from(game.id.game);
        let Some(open) = self.arrived(game.id) else {
            return;
        };
        open.job.played(game.id, &game.record.outcome);
        if let Outcome::Void(VoidReason::HostFault(_)) = game.record.outcome {
            // The event says how often it is replayed, and that was done.
            open.left[place] = game.record.faults.iter().any(is_flag_fall);
        }
    }

    /// The store had this game already: it is not missing.
    pub(super) fn known(&mut self, game: GameId) {
        if let Some(open) = self.arrived(game) {
            open.job.missing[usize::from(game.game)] = false;
        }
    }

    /// The store has done with a game, whatever it was.
    fn arrived(&mut self, game: GameId) -> Option<&mut OpenPair> {
        let open = self.0.get_mut(&game.pair)?;
        open.unstored = open.unstored.saturating_sub(1);
        Some(open)
    }

    /// Its lane is done with it.
    pub(super) fn done(&mut self, pair: PairId) {
        if let Some(open) = self.0.get_mut(&pair) {
            open.done = true;
        }
    }

    /// A lane has ended: what it held is held by nobody.
    pub(super) fn lane_ended(&mut self, lane: usize) -> Vec<PairId> {
        let mut held = Vec::new();
        for (pair, open) in &mut self.0 {
            if open.lane == Some(lane) && !open.done {
                open.done = true;
                held.push(*pair);
            }
        }
        held
    }

    /// These were not begun, and are not going to be now: as they were given out.
    pub(super) fn withdrawn(&mut self, jobs: Vec<Job>) -> Vec<Job> {
        let open = jobs.iter().filter_map(|job| self.0.remove(&job.pair));
        open.map(|open| open.job).collect()
    }

    /// Takes out a pair if nothing of it is in flight: what is left to play of it, if anything.
    pub(super) fn settle(&mut self, pair: PairId) -> Option<Job> {
        let open = self.0.get(&pair)?;
        if !open.done || open.unstored > 0 {
            return None;
        }
        let mut job = self.0.remove(&pair)?;
        for (missing, left) in job.job.missing.iter_mut().zip(job.left) {
            *missing &= !left;
        }
        (job.job.games() > 0).then_some(job.job)
    }

    /// The pairs that are with lanes: each with the game that is played now, and since when.
    pub(super) fn played_now(&self) -> impl Iterator<Item = (&Job, u8, UnixMillis)> {
        let with_a_lane = self.0.values().filter(|open| !open.done);
        with_a_lane.filter_map(|open| {
            let game = u8::from(!open.job.missing[0]);
            Some((&open.job, game, open.since?))
        })
    }

    /// All pairs in which something is in flight.
    pub(super) fn pairs(&self) -> impl Iterator<Item = PairId> {
        self.0.keys().copied()
    }

    /// The games of this pair that were played and are not settled by what is stored now: the
    /// arbiter has them played again.
    pub(super) fn play_again(&mut self, pair: PairId, settled: [bool; 2]) {
        if let Some(open) = self.0.get_mut(&pair) {
            for (game, settled) in settled.into_iter().enumerate() {
                let exists = game < usize::from(open.job.spec.games);
                open.job.missing[game] |= exists && !settled;
            }
        }
    }

    /// Whether something of this pair is in flight.
    pub(super) fn is_open(&self, pair: PairId) -> bool {
        self.0.contains_key(&pair)
    }

    /// How many pairs are open.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// How many pairs are with a lane.
    pub(super) fn running(&self) -> usize {
        let with_a_lane = |open: &&OpenPair| open.lane.is_some() && !open.done;
        self.0.values().filter(with_a_lane).count()
    }
}

fn is_flag_fall(fault: &Fault) -> bool {
    fault.kind == FaultKind::FlagFall
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Seat;
    use crate::schedule::SecondGame;

    const PAIR: PairId = PairId(6);

    fn job() -> Job {
        let seat = |engine| Seat { engine, copy: 0 };
        Job {
            pair: PAIR,
            spec: PairSpec {
                cycle: 0,
                opening: 0,
                first: seat(0),
                second: seat(1),
                games: 2,
                place: None,
                black_percent: None,
                second_game: SecondGame::Swapped,
            },
            missing: [true; 2],
            replayed: [0; 2],
            goes_on: false,
        }
    }

    #[test]
    fn a_pair_whose_lane_has_ended_is_left_to_play() {
        let mut ledger = Ledger::default();
        ledger.open(job());
        ledger.begun(PAIR, 3);
        assert_eq!((ledger.running(), ledger.settle(PAIR)), (1, None));
        assert_eq!(ledger.lane_ended(2), []);
        assert_eq!(ledger.lane_ended(3), [PAIR]);
        assert_eq!(ledger.settle(PAIR), Some(job()));
        assert_eq!(ledger.len(), 0);
    }

    #[test]
    fn a_game_waits_until_its_moment_or_until_its_lane_is_done() {
        let mut ledger = Ledger::default();
        ledger.open(job());
        let replay = |at_ms| PendingReplay {
            round: "7.1".to_owned(),
            at_ms,
            why: "void".to_owned(),
        };
        ledger.waits(PAIR, replay(0));
        assert_eq!(ledger.waiting(), []);
        ledger.waits(PAIR, replay(i64::MAX));
        assert_eq!(ledger.waiting(), [replay(i64::MAX)]);
        ledger.done(PAIR);
        assert_eq!(ledger.waiting(), []);
    }

    #[test]
    fn a_pair_is_not_settled_while_a_game_is_on_its_way_to_the_disk() {
        let mut ledger = Ledger::default();
        let game = |game| GameId { pair: PAIR, game };
        ledger.open(job());
        ledger.begun(PAIR, 0);
        ledger.0.get_mut(&PAIR).unwrap().unstored = 1;
        ledger.done(PAIR);
        assert_eq!((ledger.settle(PAIR), ledger.is_open(PAIR)), (None, true));
        // It was there already: what is left is the other one.
        ledger.known(game(0));
        let left = ledger.settle(PAIR).expect("one game is missing");
        assert_eq!(left.missing, [false, true]);
    }
}
