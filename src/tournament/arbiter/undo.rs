//! Taking a decision back: what has been acted on stays.

use std::collections::BTreeSet;

use super::{DecisionRefusal, Desk};
use crate::event::{ArbiterAct, ArbiterDecision};
use crate::store::{Reader, StoreError};
use crate::text::printable;
use crate::tournament::rounds::{history_without, rounds_of};

impl Desk<'_> {
    pub(super) fn undo(&self, named: Option<u64>) -> Result<ArbiterAct, DecisionRefusal> {
        let decisions = self.reader.decisions();
        let found = match named {
            Some(id) => decisions.in_force().find(|decision| decision.id == id),
            None => decisions.in_force().next_back(),
        };
        let decision = found.ok_or(match named {
            Some(id) => DecisionRefusal::NoDecision(id),
            None => DecisionRefusal::NothingDecided,
        })?;
        self.check_undo(decision)?;
        Ok(ArbiterAct::Undo {
            decision: decision.id,
        })
    }

    /// What has been acted on stays.
    fn check_undo(&self, decision: &ArbiterDecision) -> Result<(), DecisionRefusal> {
        let acted_on = |why: String| {
            Err(DecisionRefusal::ActedOn {
                id: decision.id,
                why,
            })
        };
        match &decision.act {
            ArbiterAct::Add { name } => {
                let mut known = self.identity.engines.iter();
                match known.any(|engine| engine.name == *name) {
                    true => acted_on(format!(
                        "{} takes part by now; it can be withdrawn",
                        printable(name)
                    )),
                    false => Ok(()),
                }
            }
            ArbiterAct::Replace { .. } => {
                let open = open_replacements(self.reader)?;
                match open.iter().any(|(_, open)| *open == decision.id) {
                    true => Ok(()),
                    false => acted_on("another build plays by now".to_owned()),
                }
            }
            ArbiterAct::Extend { rounds } => {
                let chosen = history_without(self.reader, &BTreeSet::new())?.last_round();
                let planned = rounds_of(&self.identity).and_then(|rules| rules.rounds());
                let extra = self.reader.decisions().extra_rounds();
                let left = planned.unwrap_or(0) + extra - u32::from(*rounds);
                match u32::from(chosen) > left {
                    true => acted_on(format!("round {chosen} has been paired")),
                    false => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }
}

/// The engines that may be another build, each with the decision: no build was accepted since.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn open_replacements(reader: &Reader) -> Result<Vec<(u16, u64)>, StoreError> {
    let identities = reader.identities()?;
    let is_used = |engine: u16, decision: &ArbiterDecision| {
        let mut changes = identities.windows(2).filter(|two| {
            two[1].accepted.0 >= decision.decided.0
                && !two[1]
                    .identity
                    .same_engine(engine, &two[0].identity, engine)
        });
        changes.next().is_some()
    };
    let replacements = reader.decisions().in_force().filter_map(|decision| {
        let ArbiterAct::Replace { engine } = decision.act else {
            return None;
        };
        (!is_used(engine, decision)).then_some((engine, decision.id))
    });
    Ok(replacements.collect())
}
