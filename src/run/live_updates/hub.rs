//! From the queue to each listener.

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::thread::JoinHandle;

use crate::event::live::{LaneUpdate, LiveUpdate, RunningGames};

use super::{Deliver, Delivery};

/// The end of the queue, and who listens.
pub(super) struct Hub {
    queue: Receiver<LaneUpdate>,
    /// What runs, for those who come late.
    games: RunningGames,
    listeners: Vec<Subscriber>,
    thread: Option<JoinHandle<()>>,
}

struct Subscriber {
    deliver: Deliver,
    /// What it knows is not what runs.
    behind: bool,
    /// LiveUpdates that it had no room for.
    lost: u64,
}

impl Hub {
    pub(super) fn new(queue: Receiver<LaneUpdate>) -> Hub {
        Hub {
            queue,
            games: RunningGames::default(),
            listeners: Vec::new(),
            thread: None,
        }
    }

    /// Somebody begins to listen where nobody did. What was left in the queue is of old games.
    pub(super) fn begin(&mut self, thread: JoinHandle<()>) {
        while self.queue.try_recv().is_ok() {}
        self.games = RunningGames::default();
        // The last one, if there was one, has ended or is about to.
        self.thread = Some(thread);
    }

    /// Adds a listener, who first gets the games that run.
    pub(super) fn add(&mut self, deliver: Deliver, dropped: u64) {
        let mut listener = Subscriber {
            deliver,
            behind: true,
            lost: 0,
        };
        if listener.catch_up(&self.games, dropped) != Delivery::Gone {
            self.listeners.push(listener);
        }
    }

    /// Passes on what waits; whether anybody listens still. So many live updates never came here.
    pub(super) fn round(&mut self, dropped: u64) -> bool {
        // No more than there were: a lane may be quicker than this.
        let waiting = self.queue.try_iter().take(super::MAX_PENDING_UPDATES);
        let games = &mut self.games;
        let news = waiting
            .filter(|lane_update| games.hear(lane_update))
            .map(Arc::new);
        let news: Vec<Arc<LaneUpdate>> = news.collect();
        let games = &self.games;
        self.listeners
            .retain_mut(|listener| listener.hear(&news, games, dropped) != Delivery::Gone);
        !self.listeners.is_empty()
    }

    /// Nobody listens any more; the thread, which ends.
    pub(super) fn end(&mut self) -> Option<JoinHandle<()>> {
        self.listeners.clear();
        self.thread.take()
    }
}

impl Subscriber {
    fn hear(&mut self, news: &[Arc<LaneUpdate>], games: &RunningGames, dropped: u64) -> Delivery {
        if self.behind {
            self.lost += news.len() as u64;
            return self.catch_up(games, dropped);
        }
        for (told, lane_update) in news.iter().enumerate() {
            match (self.deliver)(LiveUpdate::Lane(Arc::clone(lane_update))) {
                Delivery::Taken => {}
                Delivery::Full => {
                    self.behind = true;
                    self.lost += (news.len() - told) as u64;
                    return Delivery::Full;
                }
                Delivery::Gone => return Delivery::Gone,
            }
        }
        Delivery::Taken
    }

    /// Tells of all that runs, in place of what the listener knew.
    fn catch_up(&mut self, games: &RunningGames, dropped: u64) -> Delivery {
        let games = Arc::new(games.clone());
        let lost = self.lost + dropped;
        let delivery = (self.deliver)(LiveUpdate::Now { games, lost });
        self.behind = delivery != Delivery::Taken;
        delivery
    }
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hub of {} listeners", self.listeners.len())
    }
}
