//! Who plays what: pure, and always the same for the same file and seed.
//!
//! | file | what |
//! |---|---|
//! | `openings` | [`Opening`]: where a game begins; [`Openings`]: the positions of an event, and which belong together |
//! | `book` | a book's text to openings: EPD and FEN lines, with every error |
//! | `polyglot` | lines through a Polyglot book |
//! | `pairings` | [`PairSpec`]: one pair of a plan; [`Format`]: who meets whom, in the order of the Berger tables |
//! | `series` | events in which every pair takes the next position, or two engines play a series before the next two meet |
//! | `twister` | the orders of a book in other runners |
//! | `placing` | starts that two players set up alternately |
//! | `plan` | [`Plan`]: pair number to start position and colours, computed when asked |
//! | `shard` | [`Shard`]: a part of a plan, for one of several machines |
//! | `rounds` | events that are played in rounds, where results decide who meets whom |
//! | `derive` | one seed for each purpose, and the node limits of moves in self-play |

pub(crate) mod book;
mod derive;
mod openings;
mod pairings;
mod placing;
mod plan;
pub(crate) mod polyglot;
mod rounds;
mod series;
mod shard;
mod twister;

pub(crate) use derive::{JitterKey, jittered, lots, opening_lots};
pub use openings::Openings;
pub(crate) use openings::{MadeOpening, Opening};
pub use pairings::{Format, PairSpec};
pub(crate) use pairings::{PlanError, SecondGame, league};
pub(crate) use placing::Placing;
pub(crate) use plan::seats_of_pair;
pub use plan::{Plan, PlanSettings};
#[cfg(test)]
pub(crate) use rounds::Bye;
pub(crate) use rounds::{
    AwaitedBids, Chosen, Elimination, Encounter, EncounterDecision, Following, GameLimits, History,
    LOWER_BRACKET, NO_BID, RoundFormat, Rounds, StageGroup, TreeProgress, TreeStanding, Unpairable,
    first_swiss_round, places_in,
};
pub use shard::{NoShard, Shard};
pub(crate) use twister::Twister;
