//! The choices of a continuation of the plan, in the form in which they are stored.

use serde::{Deserialize, Serialize};

use crate::schedule::{Chosen, PairSpec, Plan};
use crate::store::{Reader, StoreError};

/// One choice; resume reads it and does not make it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Choice {
    /// One more visit to each of these openings, as the first versions wrote it. Without any, nothing follows.
    Visits(Vec<u32>),
    /// The pairs of a batch, in order.
    Pairs(Vec<PairSpec>),
    /// Nothing follows, unless the arbiter decides more than he had by then.
    Over(Over),
    /// Pairs and byes of a round.
    Round(Chosen),
}

/// That nothing follows, as long as the arbiter decides nothing more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Over {
    /// The decisions that were made before.
    pub over_after_decisions: u64,
}

impl Choice {
    /// Nothing follows after this number of decisions.
    pub(crate) fn over(decisions: u64) -> Choice {
        match decisions {
            0 => Choice::Visits(Vec::new()),
            over_after_decisions => Choice::Over(Over {
                over_after_decisions,
            }),
        }
    }

    /// All choices of an event under this key, in order.
    ///
    /// # Errors
    /// The store cannot be read, or does not hold what this program writes there.
    pub(crate) fn read_all(reader: &Reader, key: &str) -> Result<Vec<Choice>, StoreError> {
        let mut all = Vec::new();
        loop {
            let key = format!("{key}{}", all.len() + 1);
            let Some(text) = reader.value(&key)? else {
                return Ok(all);
            };
            let choice = serde_json::from_str(&text);
            all.push(choice.map_err(|error| reader.unreadable(&key, &error))?);
        }
    }

    /// The pairs, in order; none for the first versions' visits, which only a plan knows.
    pub(crate) fn pairs(&self) -> &[PairSpec] {
        match self {
            Choice::Pairs(pairs) => pairs,
            Choice::Round(chosen) => &chosen.pairs,
            Choice::Visits(_) | Choice::Over(_) => &[],
        }
    }

    /// The pairs and byes of a round.
    pub(crate) fn round(&self) -> Option<&Chosen> {
        match self {
            Choice::Round(chosen) => Some(chosen),
            _ => None,
        }
    }

    /// The decisions of the arbiter that had been made when nothing followed any more.
    pub(crate) fn ends_after(&self) -> Option<u64> {
        match self {
            Choice::Over(over) => Some(over.over_after_decisions),
            Choice::Visits(openings) => openings.is_empty().then_some(0),
            choice => choice.pairs().is_empty().then_some(0),
        }
    }

    /// Appends what was chosen to the plan.
    pub(crate) fn append_to(&self, plan: &mut Plan) {
        match self {
            Choice::Visits(openings) => plan.append(&plan.visiting(openings)),
            choice => plan.append(choice.pairs()),
        }
    }
}
