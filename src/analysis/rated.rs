//! Games whose tags say how strong the players are, on their way into a collection.

use crate::stats::estimate::RatedGame;

/// The games with ratings, and how many have none.
#[derive(Debug, Clone, Default)]
pub(crate) struct GamesWithRatings {
    pub(super) games: Vec<RatedGame>,
    pub(super) without: u64,
}
