//! LiveUpdates on their way from the lanes to those who listen.
//!
//! ```text
//!  lane 0 ──┐ try_send   ┌─────────┐ games that run     ┌── the display's queue
//!  lane 1 ──┼───────────▶│ a queue │──────▶ a thread ───┼── a page
//!  lane k ──┘  of 1024   └─────────┘                    └── …
//! ```
//!
//! **Invariant: a lane never waits for a listener.** It puts a live update into a queue of bounded
//! size, after the stamp and where no clock runs, and drops it if the queue is full. The thread
//! that empties the queue looks twenty times a second, so that no lane ever has to wake it.
//! Listeners that cannot take a live update lose it: the lost ones are counted, and the whole game that
//! lost one is sent again. While nobody listens there is no thread, and a lane reads only one
//! number per turn.
//!
//! Searches that have ended go another way, to one who looks at every line that was said in them. None is lost, and no lane
//! waits; a lane keeps and sends nothing where nobody follows.
//!
//! | file | what |
//! |---|---|
//! | this one | the queue, how to listen, the thread between them, and the way of the searches |
//! | `lane_reporter` | a lane's end of it: what to tell of its game, and when |

mod lane_reporter;

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{Builder, JoinHandle, park_timeout};
use std::time::Duration;
use std::{fmt, io};

use crate::event::live::{LaneUpdate, LiveUpdate, RunningGames};
use crate::event::{GameId, Seat};
use crate::platform::lock;
use crate::referee::EndedSearch;

pub(crate) use lane_reporter::LaneReporter;

/// LiveUpdates that wait at most, of all lanes.
const MAX_PENDING_UPDATES: usize = 1024;

/// How long the thread rests between two looks at the queue.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// What became of an update that was handed to a listener.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// It has it.
    Taken,
    /// It has no room for it now, and gets all games that run when it has.
    Full,
    /// It listens no more.
    Gone,
}

/// Takes an update, without a wait: all other listeners would wait for that.
pub(crate) type Deliver = Box<dyn FnMut(LiveUpdate) -> Delivery + Send>;

/// The way of the live updates; every copy is the same one.
#[derive(Debug, Clone)]
pub struct LiveUpdates(Arc<UpdateChannel>);

#[derive(Debug)]
struct UpdateChannel {
    queue: SyncSender<LaneUpdate>,
    /// Odd while somebody listens, and another number each time somebody begins: lanes then
    /// tell their games from the beginning. Changed only by who holds the hub.
    audience: AtomicU32,
    /// What did not fit into the queue.
    dropped: AtomicU64,
    hub: Mutex<Hub>,
}

impl Default for LiveUpdates {
    fn default() -> LiveUpdates {
        let (queue, waiting) = sync_channel(MAX_PENDING_UPDATES);
        LiveUpdates(Arc::new(UpdateChannel {
            queue,
            audience: AtomicU32::new(0),
            dropped: AtomicU64::new(0),
            hub: Mutex::new(Hub {
                queue: waiting,
                games: RunningGames::default(),
                listeners: Vec::new(),
                thread: None,
            }),
        }))
    }
}

impl LiveUpdates {
    /// From now on this listener gets all live updates, and before them the games that run. If
    /// nobody has listened before, it gets each of these as soon as something happens in it.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn subscribe(&self, deliver: Deliver) -> io::Result<()> {
        let mut hub = lock(&self.0.hub);
        if self.audience().is_none() {
            hub.begin(self.start()?);
            self.0.audience.fetch_add(1, Ordering::Relaxed);
        }
        hub.add(deliver, self.dropped());
        Ok(())
    }

    /// Nothing follows: delivers what waits, and then ends all listening.
    pub fn close(&self) {
        let thread = {
            let mut hub = lock(&self.0.hub);
            hub.round(self.dropped());
            self.nobody_listens();
            hub.listeners.clear();
            hub.thread.take()
        };
        if let Some(thread) = thread {
            thread.thread().unpark();
            // A panic has said so on stderr already, and a live update may be lost.
            let _panicked = thread.join();
        }
    }

    /// How many live updates did not fit into the queue.
    pub fn dropped(&self) -> u64 {
        self.0.dropped.load(Ordering::Relaxed)
    }

    /// Who listens: `None` for nobody, another number each time somebody begins.
    fn audience(&self) -> Option<u32> {
        let number = self.0.audience.load(Ordering::Relaxed);
        (number % 2 == 1).then_some(number)
    }

    /// Puts a live update into the queue; whether there was room.
    fn send(&self, lane_update: LaneUpdate) -> bool {
        let sent = self.0.queue.try_send(lane_update).is_ok();
        if !sent {
            self.0.dropped.fetch_add(1, Ordering::Relaxed);
        }
        sent
    }

    fn start(&self) -> io::Result<JoinHandle<()>> {
        let way = self.clone();
        let builder = Builder::new().name("live_updates".to_owned());
        builder.spawn(move || {
            while way.round() {
                park_timeout(POLL_INTERVAL);
            }
        })
    }

    fn nobody_listens(&self) {
        if self.audience().is_some() {
            self.0.audience.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Tells what waits; whether anybody is left to be told more.
    fn round(&self) -> bool {
        let mut hub = lock(&self.0.hub);
        let listened = self.audience().is_some() && hub.round(self.dropped());
        if !listened {
            self.nobody_listens();
        }
        listened
    }
}

#[cfg(test)]
mod tests;

/// The end of the queue, and who listens.
struct Hub {
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
    /// Somebody begins to listen where nobody did. What was left in the queue is of old games.
    fn begin(&mut self, thread: JoinHandle<()>) {
        while self.queue.try_recv().is_ok() {}
        self.games = RunningGames::default();
        // The last one, if there was one, has ended or is about to.
        self.thread = Some(thread);
    }

    /// Adds a listener, who first gets the games that run.
    fn add(&mut self, deliver: Deliver, dropped: u64) {
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
    fn round(&mut self, dropped: u64) -> bool {
        // No more than there were: a lane may be quicker than this.
        let waiting = self.queue.try_iter().take(MAX_PENDING_UPDATES);
        let games = &mut self.games;
        let news = waiting.filter(|lane_update| games.hear(lane_update));
        let news = news.map(Arc::new);
        let news: Vec<Arc<LaneUpdate>> = news.collect();
        let games = &self.games;
        self.listeners
            .retain_mut(|listener| listener.hear(&news, games, dropped) != Delivery::Gone);
        !self.listeners.is_empty()
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

/// A search that has ended, and in which game.
#[derive(Debug)]
pub(crate) struct FollowedSearch {
    pub(crate) game: GameId,
    /// White and Black, by [`Color::index`](crate::chess::Color::index).
    pub(crate) seats: [Seat; 2],
    pub(crate) search: Box<EndedSearch>,
}

/// The way of the searches; every copy is the same one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Searches(Arc<OnceLock<Sender<FollowedSearch>>>);

impl Searches {
    /// All searches of games that begin from now on. They end when the run is over. If this is called
    /// twice, only the first caller gets them.
    pub(crate) fn follow(&self) -> Receiver<FollowedSearch> {
        let (sender, searches) = channel();
        let _second = self.0.set(sender);
        searches
    }

    /// Whether anybody follows the searches.
    pub(crate) fn is_followed(&self) -> bool {
        self.0.get().is_some()
    }

    pub(crate) fn tell(&self, search: FollowedSearch) {
        if let Some(sender) = self.0.get() {
            // Whoever followed may have gone.
            let _gone = sender.send(search);
        }
    }
}
