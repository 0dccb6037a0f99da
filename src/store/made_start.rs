//! A start that the players of a pair made, in the form of the table `event`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::reader::Reader;

/// Prefix of the keys; the number after it counts from 1.
const KEY: &str = "opening_";

/// A start, and how it was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MadeStart {
    /// X-FEN.
    pub fen: String,
    /// Whether the players have the opposite colours of the plan.
    pub reversed: bool,
    /// White and Black of the plan's first game.
    pub players: [String; 2],
    /// Their actions, in order.
    pub turns: Vec<String>,
    /// The part of its time that each of White and Black gave away for its side, in percent.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub time_given: [u8; 2],
    /// The players whose turns were drawn at random because they did not answer, with the reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drawn: Vec<String>,
}

// serde passes a reference.
fn is_nothing(given: &[u8; 2]) -> bool {
    *given == [0; 2]
}

impl MadeStart {
    /// The key of the start with this number, from 0.
    pub(crate) fn key(number: u32) -> String {
        format!("{KEY}{}", u64::from(number) + 1)
    }

    /// The value for the store.
    pub(crate) fn text(&self) -> String {
        serde_json::json!(self).to_string()
    }
}

impl Reader {
    /// The start with this number, from 0, if it was made.
    ///
    /// # Errors
    /// The store cannot be read, or contains another text than this program writes there.
    pub(crate) fn made_start(&self, number: u32) -> Result<Option<MadeStart>, StoreError> {
        let key = MadeStart::key(number);
        let text = self.value(&key)?;
        text.map(|text| self.read_start(&key, &text)).transpose()
    }

    /// By pair, from 0: the part of its time that each of White and Black gave away for its side, in percent. If time
    /// is bid, a pair is one game.
    ///
    /// # Errors
    /// As [`Reader::made_start`].
    pub(crate) fn time_given(&self) -> Result<BTreeMap<u64, [u8; 2]>, StoreError> {
        let mut given = BTreeMap::new();
        for (key, text) in self.event()? {
            let number = key
                .strip_prefix(KEY)
                .and_then(|number| number.parse::<u64>().ok());
            let Some(pair) = number.and_then(|number| number.checked_sub(1)) else {
                continue;
            };
            let start = self.read_start(&key, &text)?;
            if !is_nothing(&start.time_given) {
                given.insert(pair, start.time_given);
            }
        }
        Ok(given)
    }

    fn read_start(&self, key: &str, text: &str) -> Result<MadeStart, StoreError> {
        serde_json::from_str(text).map_err(|error| self.unreadable(key, &error))
    }
}
