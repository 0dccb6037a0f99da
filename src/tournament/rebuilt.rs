//! Records that a store was rebuilt from `games.pgn`, and what it therefore does not know.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::store::{Reader, StoreError};

/// The key in the table `event`.
pub(crate) const REBUILT: &str = "rebuilt";

/// What is not in `games.pgn`.
pub(crate) const NOT_IN_PGN: &str = "what the host did while flags fell, exact times, the engines' \
    variations, voided games with their faults, the dialogues of faults, the arbiter's book";

/// How a store was rebuilt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rebuilt {
    /// When, in milliseconds since 1970-01-01 UTC.
    pub at_ms: i64,
    /// Games that were taken over.
    pub games: u64,
    /// Games of the file that were not, because something was wrong with them.
    pub left_out: u64,
}

impl Rebuilt {
    /// `None` of a store that has been the event's from the beginning.
    ///
    /// # Errors
    /// The store cannot be read, or does not hold what this program writes there.
    pub(crate) fn read(reader: &Reader) -> Result<Option<Rebuilt>, StoreError> {
        let text = reader.value(REBUILT)?;
        let parsed = text.map(|text| serde_json::from_str(&text));
        parsed
            .transpose()
            .map_err(|error| reader.unreadable(REBUILT, &error))
    }

    /// As the store has it.
    pub(crate) fn text(&self) -> String {
        serde_json::json!(self).to_string()
    }
}

impl fmt::Display for Rebuilt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rebuilt {
            at_ms,
            games,
            left_out,
        } = self;
        let seconds = Timestamp::from_second(at_ms.div_euclid(1000)).unwrap_or_default();
        write!(f, "from games.pgn on {seconds}: {games} games")?;
        if *left_out > 0 {
            write!(f, ", and {left_out} that did not fit were left out")?;
        }
        write!(f, "; of these is not known: {NOT_IN_PGN}")
    }
}
