//! White's advantage in games whose tags say how strong the players are: `WhiteElo` and `BlackElo`.

use serde::Serialize;

use crate::stats::advantage::{AdvantageOptions, AdvantageReport};
use crate::stats::estimate::RatedGames;

use super::collection::{Collection, CollectionSource};
use super::first_move::FirstMoveReport;

/// The report on them.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct RatedReport {
    /// White's games: lost, drawn, won.
    pub(crate) white: [u64; 3],
    /// Games that were left out because a rating is missing.
    pub(crate) without_ratings: u64,
    /// All estimates.
    #[serde(flatten)]
    pub(crate) first_move: FirstMoveReport,
    /// Where the games came from.
    pub(crate) sources: Vec<CollectionSource>,
}

/// The reason why it is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotRated {
    /// No game has both tags.
    #[error("no game has the tags WhiteElo and BlackElo")]
    NoRatings,
    /// The stronger side, or White, or Black, won everything.
    #[error(
        "the results are too few or too much alike: no advantage between equals follows from them"
    )]
    NotFinite,
}

impl RatedReport {
    /// Of a collection that was rated by tags.
    ///
    /// # Errors
    /// There are no ratings, or no finite advantage.
    pub(crate) fn new(
        collection: Collection,
        level: f64,
        equivalence: Option<f64>,
    ) -> Result<RatedReport, NotRated> {
        let rated = collection.rated.unwrap_or_default();
        if rated.games.is_empty() {
            return Err(NotRated::NoRatings);
        }
        let games = RatedGames::new(rated.games, level).ok_or(NotRated::NotFinite)?;
        let options = AdvantageOptions {
            level,
            equivalence,
            self_play: true,
            ..AdvantageOptions::default()
        };
        let starts = &collection.starts;
        let mut advantage =
            AdvantageReport::of_rated(&games, &options, |start| starts.mirror(start));
        for position in &mut advantage.positions {
            position.name = starts.name(position.start);
        }
        let sum = |kind: usize| games.results.iter().map(|(_, r)| u64::from(r[kind])).sum();
        Ok(RatedReport {
            white: [sum(0), sum(1), sum(2)],
            without_ratings: rated.without,
            first_move: FirstMoveReport {
                estimand: "White's mean score over start positions between equally strong players; how \
                           strong they are is taken from the tags WhiteElo and BlackElo, and games are taken \
                           for independent of each other"
                    .to_owned(),
                advantage,
                unnamed: None,
            },
            sources: collection.sources,
        })
    }
}
