//! Listeners that come late, have no room, or go. The thread's rounds and those of the tests are
//! the same; what is asserted is true after each of them.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::*;
use crate::chess::Position;
use crate::event::live::{GameChange, RunningGame, RunningGames};
use crate::event::{GameId, PairId, Seat, UnixMillis};

/// Keeps the live updates that it gets.
#[derive(Clone, Default)]
struct Ear {
    full: Arc<AtomicBool>,
    gone: Arc<AtomicBool>,
    heard: Arc<Mutex<Vec<LiveUpdate>>>,
}

impl Ear {
    fn deliver(&self) -> Deliver {
        let ear = self.clone();
        Box::new(move |update| {
            if ear.gone.load(Ordering::Relaxed) {
                return Delivery::Gone;
            }
            if ear.full.load(Ordering::Relaxed) {
                return Delivery::Full;
            }
            ear.heard.lock().unwrap().push(update);
            Delivery::Taken
        })
    }

    fn knows(&self) -> RunningGames {
        let mut games = RunningGames::default();
        for update in self.heard.lock().unwrap().iter() {
            games.update(update);
        }
        games
    }
}

fn game(lane: usize) -> LaneUpdate {
    let (id, at) = (
        GameId {
            pair: PairId(lane as u64),
            game: 0,
        },
        Instant::now(),
    );
    let running = RunningGame {
        id,
        seats: [Seat { engine: 0, copy: 0 }; 2],
        number: None,
        started: UnixMillis(0),
        start: Position::standard(),
        position: Position::standard(),
        opening: Vec::new(),
        moves: Vec::new(),
        clocks: [None; 2],
        since: at,
        thinking: Default::default(),
    };
    LaneUpdate {
        lane,
        game: id,
        at,
        change: GameChange::Game(Box::new(running)),
    }
}

#[test]
fn one_that_comes_late_is_told_what_runs_and_then_the_same_as_all_others() {
    let live_updates = LiveUpdates::default();
    let (early, late) = (Ear::default(), Ear::default());
    live_updates.subscribe(early.deliver()).unwrap();
    assert!(live_updates.send(game(0)) && live_updates.send(game(1)));
    live_updates.round();
    live_updates.subscribe(late.deliver()).unwrap();
    let first = late.heard.lock().unwrap().first().cloned();
    let Some(LiveUpdate::Now { games, lost: 0 }) = first else {
        panic!("{first:?}");
    };
    assert_eq!(games.iter().count(), 2);
    assert!(live_updates.send(game(2)));
    live_updates.close();
    assert_eq!(late.knows().iter().count(), 3);
    assert_eq!(late.knows(), early.knows());
}

#[test]
fn one_without_room_loses_updates_and_is_told_all_of_it_again() {
    let live_updates = LiveUpdates::default();
    let (slow, other) = (Ear::default(), Ear::default());
    live_updates.subscribe(slow.deliver()).unwrap();
    live_updates.subscribe(other.deliver()).unwrap();
    slow.full.store(true, Ordering::Relaxed);
    for lane in 0..5 {
        assert!(live_updates.send(game(lane)));
    }
    live_updates.round();
    assert_eq!(
        (slow.knows().iter().count(), other.knows().iter().count()),
        (0, 5)
    );
    slow.full.store(false, Ordering::Relaxed);
    live_updates.close();
    assert_eq!(slow.knows(), other.knows());
    let last = slow.heard.lock().unwrap().last().cloned();
    assert!(
        matches!(last, Some(LiveUpdate::Now { lost: 5, .. })),
        "{last:?}"
    );
}

#[test]
fn a_lane_that_finds_the_queue_full_goes_on_and_what_it_dropped_is_counted() {
    let live_updates = LiveUpdates::default();
    assert_eq!(live_updates.audience(), None, "nobody listens yet");
    let sent = (0..MAX_PENDING_UPDATES + 7).filter(|lane| live_updates.send(game(*lane)));
    assert_eq!(sent.count(), MAX_PENDING_UPDATES);
    assert_eq!(live_updates.dropped(), 7);
    // What was sent to nobody is of old games.
    let ear = Ear::default();
    live_updates.subscribe(ear.deliver()).unwrap();
    live_updates.close();
    assert_eq!(
        *ear.heard.lock().unwrap(),
        [LiveUpdate::Now {
            games: Arc::default(),
            lost: 7
        }]
    );
}

#[test]
fn lanes_know_whether_anybody_listens_and_that_somebody_began_anew() {
    let live_updates = LiveUpdates::default();
    let ear = Ear::default();
    live_updates.subscribe(ear.deliver()).unwrap();
    let first = live_updates.audience();
    assert!(first.is_some());
    ear.gone.store(true, Ordering::Relaxed);
    live_updates.send(game(0));
    while live_updates.round() {}
    assert_eq!(live_updates.audience(), None);
    let second = Ear::default();
    live_updates.subscribe(second.deliver()).unwrap();
    assert!(live_updates.audience().is_some() && live_updates.audience() != first);
    live_updates.close();
    assert_eq!(live_updates.audience(), None);
    assert!(second.knows().iter().next().is_none());
}
