//! What the operator wants of an event. It is kept with the event, so that neither another beginning
//! of the run nor a crash forgets it.

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

use crate::store::{Reader, Store, StoreError};

/// The key in the table `event`.
const KEY: &str = "instructions";

/// The last commands to `control` that still apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Instructions {
    /// No pair is handed out for now.
    pub paused: bool,
    /// No round follows the one that is played.
    pub stops_after_round: bool,
    /// So many games at once; without it as many as the event file says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<NonZeroUsize>,
}

impl Instructions {
    /// Those of an event; none where nothing was said.
    ///
    /// # Errors
    /// The store cannot be read, or does not hold what this program writes there.
    pub(crate) fn read(reader: &Reader) -> Result<Instructions, StoreError> {
        Ok(reader.json_value(KEY)?.unwrap_or_default())
    }

    /// Writes them down.
    ///
    /// # Errors
    /// What the disk says.
    pub(crate) fn keep(&self, store: &Store) -> Result<(), StoreError> {
        store.set_event(&[(KEY, &serde_json::json!(self).to_string())])
    }

    /// So many pairs may be played at once where there are this number of lanes.
    pub(crate) fn most_pairs(&self, lanes: usize) -> usize {
        self.concurrency
            .map_or(lanes, |games| games.get().min(lanes))
    }
}
