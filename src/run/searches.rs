//! Searches that have ended, on their way from the lanes to one who looks at every line that was said in
//! them. None is lost, and no lane waits; a lane keeps and sends nothing where nobody follows.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};

use crate::event::{GameId, Seat};
use crate::referee::EndedSearch;

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
