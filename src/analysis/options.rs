//! Options that change the usual statistics.

use serde::Serialize;

use super::collection::Collection;

crate::chess::worded! {
    /// The model whose ratings are shown; all of them are in the JSON.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum RatingModel,
    /// Its name on the command line and in files.
    name: &'static str {
        /// Expected points on the logistic curve, nothing assumed of draws; errors by position or pair
        #[default]
        Logistic = "logistic",
        /// Davidson's model of wins, draws and losses; errors by pair
        Davidson = "davidson",
    }
}

/// The margin of equivalence in tables for programs, Elo.
pub(crate) const USUAL_MARGIN: f64 = 20.0;

/// Options of [`EventStatistics::with`](super::EventStatistics::with).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StatisticsOptions {
    /// The ratings that are shown.
    pub model: RatingModel,
    /// Engines whose logistic rating is known, and held at it in Elo.
    pub anchors: Vec<(String, f64)>,
    /// Also compute what only JSON and CSV show, not the text: the other models' ratings.
    pub everything: bool,
    /// Elo within which a position is equivalent to the mean of all.
    pub equivalence: Option<f64>,
}

/// An anchor with a name that no engine has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no engine is named {name:?}; there are: {known}")]
pub struct UnknownAnchor {
    name: String,
    known: String,
}

impl StatisticsOptions {
    /// Whether any option differs from the default.
    pub(super) fn are_unusual(&self) -> bool {
        self.model != RatingModel::default() || !self.anchors.is_empty()
    }

    /// The anchors by the engines of the games.
    ///
    /// # Errors
    /// The games have no such engine.
    pub fn anchored(&self, collection: &Collection) -> Result<Vec<(u16, f64)>, UnknownAnchor> {
        let engines = collection.table.engines();
        let place = |(name, elo): &(String, f64)| {
            let found = engines.iter().position(|engine| engine == name);
            let unknown = || UnknownAnchor {
                name: name.clone(),
                known: engines.join(", "),
            };
            Ok((found.ok_or_else(unknown)? as u16, *elo))
        };
        self.anchors.iter().map(place).collect()
    }
}
