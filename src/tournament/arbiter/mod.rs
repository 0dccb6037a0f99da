//! Whether a decision of the arbiter can be applied to an event in its present state.
//!
//! | file | what it has |
//! |---|---|
//! | `request` | what is asked for, and why it is refused |
//! | `mod` | the event in its present state; decisions about engines and rounds |
//! | `games` | decisions about games |
//! | `consequences` | what a decision changes, and whether that is what it says |
//! | `undo` | taking a decision back; what has been acted on |

mod consequences;
mod games;
mod request;
mod undo;

use std::collections::BTreeSet;

use super::roster::Roster;
use super::rounds::{history_without, rounds_of};
use crate::event::identity::{EventIdentity, FormatWord};
use crate::event::{ArbiterAct, ArbiterDecision, PairId, UnixMillis};
use crate::schedule::RoundFormat;
use crate::store::{Reader, StoreError, StoredAct};
use crate::text::{nearest, printable};

pub(crate) use request::{ArbiterRequest, DecisionRefusal};
pub(crate) use undo::open_replacements;

/// A request that can be granted.
#[derive(Debug)]
pub(crate) struct Granted {
    /// What is to be stored.
    pub written: StoredAct,
    /// What follows from it: table, games, pairings. In lines for people.
    pub consequences: Vec<String>,
}

/// What is to be stored for a request, if it can be granted, and what follows.
///
/// # Errors
/// Why it cannot.
pub(crate) fn decide(
    reader: &Reader,
    request: &ArbiterRequest,
) -> Result<Granted, DecisionRefusal> {
    let identity = reader.begun()?;
    let desk = Desk {
        reader,
        roster: Roster::read(reader)?,
        identity: identity.identity,
    };
    let act = desk.act(request)?;
    let unpairs = desk.superseded(&act)?;
    let written = StoredAct { act, unpairs };
    let consequences = desk.consequences(&written)?;
    Ok(Granted {
        written,
        consequences,
    })
}

/// The data that the decision depends on.
struct Desk<'a> {
    reader: &'a Reader,
    roster: Roster,
    identity: EventIdentity,
}

impl Desk<'_> {
    fn act(&self, request: &ArbiterRequest) -> Result<ArbiterAct, DecisionRefusal> {
        match request {
            ArbiterRequest::Withdraw { engine } => self.withdraw(engine),
            ArbiterRequest::Forfeit { game, loser } => self.forfeit(game, loser),
            ArbiterRequest::Result { game, result } => self.result(game, result),
            ArbiterRequest::Replay { game } => self.replay(game),
            ArbiterRequest::Purge { worker } => self.purge(worker),
            ArbiterRequest::Add { engine } => self.add(engine),
            ArbiterRequest::Replace { engine } => self.replace(engine),
            ArbiterRequest::Extend { rounds } => self.extend(*rounds),
            ArbiterRequest::Undo { decision } => self.undo(*decision),
        }
    }

    fn engine(&self, name: &str) -> Result<u16, DecisionRefusal> {
        let engines = self.identity.engines.iter();
        let names = engines.map(|engine| engine.name.as_str());
        match (0..).zip(names.clone()).find(|(_, known)| *known == name) {
            Some((engine, _)) => Ok(engine),
            None => Err(DecisionRefusal::NoEngine {
                name: printable(name).into_owned(),
                nearest: nearest(name, names).map(str::to_owned),
            }),
        }
    }

    fn withdraw(&self, name: &str) -> Result<ArbiterAct, DecisionRefusal> {
        let engine = self.engine(name)?;
        match self.reader.decisions().withdrawal(engine) {
            Some(before) => Err(DecisionRefusal::Twice {
                what: format!("that {} is withdrawn", printable(name)),
                by: before.id,
            }),
            None => Ok(ArbiterAct::Withdraw { engine }),
        }
    }

    fn add(&self, name: &str) -> Result<ArbiterAct, DecisionRefusal> {
        if self.identity.format != FormatWord::Swiss {
            return Err(DecisionRefusal::Format(
                "an engine can enter late in a Swiss alone: in other formats the schedule of all \
                 others would be another one; give the event another name and begin anew",
            ));
        }
        let mut known = self.identity.engines.iter();
        if known.any(|engine| engine.name == name) {
            return Err(DecisionRefusal::TakesPart(printable(name).into_owned()));
        }
        let is_it = |decision: &&ArbiterDecision| matches!(&decision.act, ArbiterAct::Add { name: added } if added == name);
        match self.reader.decisions().in_force().find(is_it) {
            Some(before) => Err(DecisionRefusal::Twice {
                what: format!("that {} takes part", printable(name)),
                by: before.id,
            }),
            None => Ok(ArbiterAct::Add {
                name: name.to_owned(),
            }),
        }
    }

    fn replace(&self, name: &str) -> Result<ArbiterAct, DecisionRefusal> {
        let engine = self.engine(name)?;
        if self.identity.no_replacements {
            return Err(DecisionRefusal::NoReplacements);
        }
        if self.identity.sprt.is_some() {
            return Err(DecisionRefusal::Format(
                "a sequential test is about one build: results of two cannot be one test; give the \
                 event another name",
            ));
        }
        let open = open_replacements(self.reader)?;
        match open.iter().find(|(known, _)| *known == engine) {
            Some((_, before)) => Err(DecisionRefusal::Twice {
                what: format!("that {} may be another build", printable(name)),
                by: *before,
            }),
            None => Ok(ArbiterAct::Replace { engine }),
        }
    }

    fn extend(&self, rounds: u16) -> Result<ArbiterAct, DecisionRefusal> {
        let rules = rounds_of(&self.identity);
        match rules.map(|rules| rules.format) {
            Some(RoundFormat::Swiss(_) | RoundFormat::League { .. }) => {
                Ok(ArbiterAct::Extend { rounds })
            }
            Some(RoundFormat::Elimination(..)) => Err(DecisionRefusal::Format(
                "a tree has the rounds that it takes to find its winner: none can be added",
            )),
            None => Err(DecisionRefusal::Format(
                "this event is not played in rounds: raise `pairs` in [event], and run it with \
                 --accept-changes",
            )),
        }
    }

    /// The event as it would be.
    fn supposed(&self, written: &StoredAct) -> Result<Reader, StoreError> {
        let reader = Reader::open(self.reader.folder())?;
        Ok(reader.supposing(ArbiterDecision {
            id: self.reader.decisions().len() + 1,
            decided: UnixMillis(0),
            author: String::new(),
            reason: String::new(),
            act: written.act.clone(),
            unpairs: written.unpairs.clone(),
        }))
    }

    /// In a tree: the pairs that were chosen by the results so far, and by others would not be. The next round of a
    /// Swiss is paired by the results at that time.
    fn superseded(&self, act: &ArbiterAct) -> Result<Vec<PairId>, DecisionRefusal> {
        let Some(rounds) = rounds_of(&self.identity) else {
            return Ok(Vec::new());
        };
        let supposed = self.supposed(&StoredAct {
            act: act.clone(),
            unpairs: Vec::new(),
        })?;
        let history = history_without(&supposed, &out(&supposed)?)?;
        match rounds.superseded(history) {
            Ok(pairs) => Ok(pairs.into_iter().collect()),
            Err((round, board)) => Err(DecisionRefusal::Paired { round, board }),
        }
    }
}

/// The engines that play no more pairs.
fn out(reader: &Reader) -> Result<BTreeSet<u16>, StoreError> {
    let rulings = super::fault_counts(reader)?.rulings().into_iter();
    Ok(rulings.map(|ruling| ruling.engine).collect())
}
