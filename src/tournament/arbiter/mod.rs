//! Whether a decision of the arbiter can be applied to an event in its present state, and what follows from it.
//!
//! | file | what it has |
//! |---|---|
//! | `consequences` | what a decision changes, and whether that is what it says |
//! | `games` | decisions about games |
//! | `mod` | the event in its present state; decisions about engines, rounds and earlier decisions |

mod consequences;
mod games;

use super::EventState;
use super::roster::Roster;
use super::rounds::{Contest, chosen_history, rounds_of};
use super::stored::bids_wait;
use crate::event::identity::{EventIdentity, FormatWord};
use crate::event::{ArbiterAct, ArbiterDecision, Decisions, PairId, UnixMillis};
use crate::schedule::{NO_BID, RoundFormat};
use crate::store::{Reader, StoreError, StoreVersion, StoredAct};
use crate::text::{nearest, printable};

/// Why a decision is not made: nothing is written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DecisionRefusal {
    /// It cannot be made, or nothing would follow from it: a sentence for people.
    #[error("{0}")]
    Refused(String),
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Maximum number of characters of an announcement.
const MAX_ANNOUNCED: usize = 300;

fn refuse<T>(words: impl Into<String>) -> Result<T, DecisionRefusal> {
    Err(DecisionRefusal::Refused(words.into()))
}

/// What was decided before must be taken back first.
fn refuse_again<T>(what: &str, by: u64) -> Result<T, DecisionRefusal> {
    refuse(format!(
        "{what} was decided before (decision {by}): take that back first, `arbiter960 decide RESULTS undo {by} --reason …`"
    ))
}

fn did_you_mean<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let nearest = nearest(name, known).map(printable);
    nearest.map_or_else(String::new, |name| format!(": did you mean \"{name}\"?"))
}

/// A decision that can be made.
#[derive(Debug)]
pub(crate) struct PreparedDecision {
    /// The store of which it was made.
    pub version: StoreVersion,
    /// What is to be stored.
    pub written: StoredAct,
    /// What follows from it: table, games, pairings. In lines for people.
    pub consequences: Vec<String>,
}

/// An event as decisions find it.
pub(crate) struct Desk<'a> {
    reader: &'a Reader,
    roster: Roster,
    identity: EventIdentity,
    /// A run plays it.
    is_played: bool,
}

impl Desk<'_> {
    /// The event in its present state, and whether a run plays it.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn open(reader: &Reader, is_played: bool) -> Result<Desk<'_>, StoreError> {
        Ok(Desk {
            reader,
            roster: Roster::read(reader)?,
            identity: reader.begun()?.identity,
            is_played,
        })
    }

    fn engine(&self, name: &str) -> Result<u16, DecisionRefusal> {
        let engines = self.identity.engines.iter();
        let meant = did_you_mean(name, engines.map(|engine| engine.name.as_str()));
        match self.identity.engine_named(name) {
            Some(engine) => Ok(engine),
            None => refuse(format!(
                "no engine \"{}\" takes part{meant}",
                printable(name)
            )),
        }
    }

    fn takes_part(&self, name: &str) -> bool {
        self.identity.engine_named(name).is_some()
    }

    /// An engine plays no more pairs.
    pub(crate) fn withdraw(&self, name: &str) -> Result<ArbiterAct, DecisionRefusal> {
        let engine = self.engine(name)?;
        let what = format!("that {} is withdrawn", printable(name));
        self.once(ArbiterAct::Withdraw { engine }, &what)
    }

    /// What does not hold already.
    fn once(&self, act: ArbiterAct, what: &str) -> Result<ArbiterAct, DecisionRefusal> {
        let mut earlier = self.reader.decisions().in_force();
        match earlier.find(|decision| decision.act == act) {
            Some(before) => refuse_again(what, before.id),
            None => Ok(act),
        }
    }

    /// The last engine of the event file takes part from the next round on.
    pub(crate) fn add(&self, name: &str) -> Result<ArbiterAct, DecisionRefusal> {
        if self.identity.format != FormatWord::Swiss {
            return refuse(
                "an engine can enter late in a Swiss alone, and not in one that is a stage: elsewhere the schedule of \
                 all others would be another one; give the event another name and begin anew",
            );
        }
        if self.takes_part(name) {
            return refuse(format!("\"{}\" takes part already", printable(name)));
        }
        if self.rounds_left()? == 0 {
            return refuse(format!(
                "the last round has been paired, so {} would play nothing: \
                 `arbiter960 decide RESULTS extend --rounds N --reason …` adds rounds first; nothing was written",
                printable(name)
            ));
        }
        let what = format!("that {} takes part", printable(name));
        let name = name.to_owned();
        self.once(ArbiterAct::Add { name }, &what)
    }

    /// The next run may play another build of an engine.
    pub(crate) fn replace(&self, name: &str) -> Result<ArbiterAct, DecisionRefusal> {
        let engine = self.engine(name)?;
        if self.identity.no_replacements {
            return refuse("the event file forbids other builds: replacements = false in [event]");
        }
        if self.identity.sprt.is_some() {
            return refuse(
                "a sequential test is about one build: results of two cannot be one test; give the \
                 event another name",
            );
        }
        let open = open_replacements(self.reader)?;
        let what = format!("that {} may be another build", printable(name));
        match open.iter().find(|(known, _)| *known == engine) {
            Some((_, before)) => refuse_again(&what, *before),
            None => Ok(ArbiterAct::Replace { engine }),
        }
    }

    /// More rounds.
    pub(crate) fn extend(&self, rounds: u16) -> Result<ArbiterAct, DecisionRefusal> {
        if !(1..=1000).contains(&rounds) {
            return refuse("1 to 1000 rounds can be added");
        }
        let rules = rounds_of(&self.identity);
        match rules.map(|rules| rules.format) {
            Some(RoundFormat::Swiss(_) | RoundFormat::League { .. }) => {
                Ok(ArbiterAct::Extend { rounds })
            }
            Some(RoundFormat::Elimination(..)) => {
                refuse("a tree has the rounds that it takes to find its winner: none can be added")
            }
            Some(RoundFormat::Stages(_)) => {
                refuse("an event in stages has the rounds of its stages: none can be added")
            }
            None => refuse(
                "this event is not played in rounds: raise `pairs` in [event], and run it with \
                 --accept-changes",
            ),
        }
    }

    /// What the operator of an engine bids for an armageddon game that waits for it.
    pub(crate) fn bid(&self, name: &str, percent: u8) -> Result<ArbiterAct, DecisionRefusal> {
        let engine = self.engine(name)?;
        if !(1..=100).contains(&percent) {
            return refuse("a bid is 1 to 100 percent of White's time");
        }
        let state = EventState::read(self.reader)?;
        let following = state.board().contest().and_then(Contest::following);
        let mut awaited = following.into_iter().flat_map(|(_, awaited)| awaited);
        let Some(bids) = awaited.find(|bids| bids.missing.contains(&engine)) else {
            return refuse(format!(
                "no armageddon game waits for a bid of {}: it has bid, or none is to be played now",
                printable(name)
            ));
        };
        let wait = bids_wait(self.reader, &bids, |engine| self.roster.engine_name(engine))?;
        if wait.is_some_and(|wait| wait.starts_ms <= UnixMillis::now().0) {
            let over = "the time for bids is over: what is missing counts";
            return refuse(format!("{over} {NO_BID} percent"));
        }
        Ok(ArbiterAct::Bid {
            engine,
            round: bids.place.round,
            board: bids.place.board,
            percent,
        })
    }

    /// Those who look are told something.
    pub(crate) fn announce(&self, words: &str) -> Result<ArbiterAct, DecisionRefusal> {
        let words = words.trim().to_owned();
        if words.is_empty() || words.chars().count() > MAX_ANNOUNCED {
            return refuse(format!(
                "an announcement has 1 to {MAX_ANNOUNCED} characters"
            ));
        }
        Ok(ArbiterAct::Announce { words })
    }

    /// A decision is taken back: the last that holds, or that of this number.
    pub(crate) fn undo(&self, named: Option<u64>) -> Result<ArbiterAct, DecisionRefusal> {
        let mut holding = self.reader.decisions().in_force();
        let found = match named {
            Some(id) => holding.find(|decision| decision.id == id),
            None => holding.next_back(),
        };
        let Some(found) = found else {
            let Some(id) = named else {
                return refuse("no decision holds: there is nothing to take back");
            };
            return refuse(format!(
                "there is no decision {id} that holds; `arbiter960 decide RESULTS list` prints the book"
            ));
        };
        let decision = found.id;
        match self.acted_on(found)? {
            Some(why) => refuse(format!("decision {decision} cannot be taken back: {why}")),
            None => Ok(ArbiterAct::Undo { decision }),
        }
    }

    /// What has been done because of a decision, if anything: it stays.
    fn acted_on(&self, decision: &ArbiterDecision) -> Result<Option<String>, StoreError> {
        Ok(match &decision.act {
            ArbiterAct::Add { name } => self
                .takes_part(name)
                .then(|| format!("{} takes part by now; it can be withdrawn", printable(name))),
            ArbiterAct::Replace { .. } => {
                let open = open_replacements(self.reader)?;
                let is_open = open.iter().any(|(_, open)| *open == decision.id);
                (!is_open).then(|| "another build plays by now".to_owned())
            }
            ArbiterAct::Extend { rounds } => {
                let last = chosen_history(self.reader)?.last_round();
                let is_paired = self.rounds_left()? < u32::from(*rounds);
                is_paired.then(|| format!("round {last} has been paired"))
            }
            ArbiterAct::Bid { round, board, .. } => {
                let are_open = self.roster.games.are_bids_open(*round, *board);
                are_open.then(|| "the bids have decided the colours".to_owned())
            }
            _ => None,
        })
    }

    /// Rounds that have not been paired.
    fn rounds_left(&self) -> Result<u32, StoreError> {
        let last = chosen_history(self.reader)?.last_round();
        let planned = rounds_of(&self.identity).and_then(|rules| rules.rounds());
        let all = planned.unwrap_or(0) + self.reader.decisions().extra_rounds();
        Ok(all.saturating_sub(last.into()))
    }
}

/// The decisions as they would be.
fn supposed(known: &Decisions, act: &ArbiterAct, unpairs: &[PairId]) -> Decisions {
    let mut decisions = known.clone();
    decisions.add(ArbiterDecision {
        id: known.len() + 1,
        decided: UnixMillis(0),
        author: String::new(),
        reason: String::new(),
        act: act.clone(),
        unpairs: unpairs.to_vec(),
    });
    decisions
}

/// The engines that may be another build, each with the decision: no build was accepted since.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn open_replacements(reader: &Reader) -> Result<Vec<(u16, u64)>, StoreError> {
    let identities = reader.identities()?;
    let is_used = |engine: u16, decision: &ArbiterDecision| {
        let mut two = identities.windows(2);
        two.any(|two| {
            let [before, now] = [&two[0], &two[1]];
            let is_same = now.identity.same_engine(engine, &before.identity, engine);
            now.accepted >= decision.decided && !is_same
        })
    };
    let replacements = reader.decisions().in_force().filter_map(|decision| {
        let ArbiterAct::Replace { engine } = decision.act else {
            return None;
        };
        (!is_used(engine, decision)).then_some((engine, decision.id))
    });
    Ok(replacements.collect())
}
