//! The choices of a continuation of the plan, in the form in which they are stored.

use serde::{Deserialize, Serialize};

use crate::schedule::{Chosen, PairSpec, Plan};
use crate::store::{Reader, StoreError};

/// The key of what was chosen at once, in the table `event`, without the number at its end.
pub(crate) const CHOICE: &str = "round_choice_";

/// One choice; resume reads it and does not make it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Choice {
    /// The pairs of a batch or of a round, in order, and its byes.
    Chosen(Chosen),
    /// Nothing follows, unless the arbiter decides more than he had by then.
    Over {
        /// The decisions that were made before.
        after_decisions: u64,
    },
}

impl Choice {
    /// All choices of an event under this key, in order.
    ///
    /// # Errors
    /// The store cannot be read, or does not hold what this program writes there.
    pub(crate) fn read_all(reader: &Reader, key: &str) -> Result<Vec<Choice>, StoreError> {
        let mut all = Vec::new();
        while let Some(choice) = reader.json_value(&format!("{key}{}", all.len() + 1))? {
            all.push(choice);
        }
        Ok(all)
    }

    /// The pairs, in order.
    pub(crate) fn pairs(&self) -> &[PairSpec] {
        self.chosen().map_or(&[], |chosen| &chosen.pairs)
    }

    /// Pairs and byes, if anything follows.
    pub(crate) fn chosen(&self) -> Option<&Chosen> {
        match self {
            Choice::Chosen(chosen) => Some(chosen),
            Choice::Over { .. } => None,
        }
    }

    /// The decisions of the arbiter that had been made when nothing followed any more.
    pub(crate) fn ends_after(&self) -> Option<u64> {
        match self {
            Choice::Chosen(_) => None,
            Choice::Over { after_decisions } => Some(*after_decisions),
        }
    }

    /// Appends what was chosen to the plan.
    pub(crate) fn append_to(&self, plan: &mut Plan) {
        plan.append(self.pairs());
    }
}
