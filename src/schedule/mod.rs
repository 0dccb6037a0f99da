//! Who plays what: pure, and always the same for the same file and seed.
//!
//! | file | what |
//! |---|---|
//! | `opening` | [`Opening`]: where a game begins |
//! | `openings` | [`Openings`]: the positions of an event, and which belong together |
//! | `book` | a book's text to openings: EPD and FEN lines, with every error |
//! | `polyglot` | lines through a Polyglot book |
//! | `pair` | [`PairSpec`]: one pair of a plan |
//! | `pairings` | [`Format`]: who meets whom, in the order of the Berger tables |
//! | `turns` | events in which every pair takes the next position |
//! | `series` | events in which two engines play a series before the next two meet |
//! | `twister` | the orders of a book in other runners |
//! | `placing` | starts that two players set up alternately |
//! | `plan` | [`Plan`]: pair number to start position and colours, computed when asked |
//! | `shard` | [`Shard`]: a part of a plan, for one of several machines |
//! | `rounds` | events that are played in rounds, where results decide who meets whom |
//! | `jitter` | the node limit of a move in self-play |
//! | `derive` | one seed for each purpose |

pub(crate) mod book;
mod derive;
mod jitter;
mod opening;
mod openings;
mod pair;
mod pairings;
mod placing;
mod plan;
pub(crate) mod polyglot;
mod rounds;
mod series;
mod shard;
mod turns;
mod twister;

pub(crate) use derive::{lots, opening_lots};
pub(crate) use jitter::{JitterKey, jittered};
pub(crate) use opening::{Opening, OpeningError};
pub(crate) use openings::MadeOpening;
pub use openings::Openings;
pub use pair::PairSpec;
pub use pairings::Format;
pub(crate) use pairings::{PlanError, league};
pub(crate) use placing::Placing;
pub(crate) use plan::seats_of_pair;
pub use plan::{Plan, PlanSettings};
#[cfg(test)]
pub(crate) use rounds::Bye;
pub(crate) use rounds::{
    Chosen, Elimination, Encounter, EncounterDecision, Following, History, RoundFormat, Rounds,
    TreeProgress, Unpairable, first_swiss_round,
};
pub use shard::{NoShard, Shard};
pub(crate) use twister::Twister;
