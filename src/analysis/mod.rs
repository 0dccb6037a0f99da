//! From games of any source to the statistics of an event.
//!
//! | file | what |
//! |---|---|
//! | `collection` | games of stores and PGN files in one table, with what is known of them |
//! | `variants` | engines of one name that are not one engine |
//! | `starts` | start positions by number, or by name where they have none |
//! | `store_games`, `pgn_games` | where the games come from |
//! | `limits` | the size of a limit |
//! | `comparison` | comparison of several events |
//! | `node_use` | nodes searched against the limit |
//! | `idle_use` | what engines used while their opponents thought |
//! | `selected` | the headlines with some games left out |
//! | `players` | who played in a stored event |
//! | `options` | another rating model, anchors |
//! | `adjudication` | what rules of adjudication would have done |
//! | `event` | [`EventStatistics`]: everything, in one value |
//! | `encounter` | two engines: Elo in its variants |
//! | `table` | tables of results from other programs |
//! | `rated_report` | White's advantage in games whose tags say how strong the players are |
//! | `sequential` | the state and the estimates of an SPRT |
//! | `field` | many engines: ratings, ranks, warnings |
//! | `naming` | the one check before White's first move and start positions are reported |
//! | `first_move` | the first-move advantage, and its wording |
//! | `verdict` | what may be said of an event, made once |

mod adjudication;
mod collection;
mod comparison;
mod encounter;
mod event;
mod field;
mod first_move;
mod idle_use;
mod limits;
mod naming;
mod node_use;
mod options;
mod pgn_games;
mod players;
mod rated_report;
mod selected;
mod sequential;
mod starts;
mod store_games;
mod table;
mod variants;
mod verdict;

pub(crate) use adjudication::{AdjudicationDifference, AdjudicationReport, NamedRule, RuleReport};
pub use collection::{Collection, Collector};
pub(crate) use collection::{CollectionSource, SourceKind};
pub(crate) use comparison::{Compared, ComparisonReport, MapReport, games_in_common};
pub(crate) use encounter::{EncounterReport, SelectionReport};
pub use event::EventStatistics;
pub(crate) use event::StartRecord;
pub(crate) use field::{FieldReport, TieBreaks};
pub(crate) use first_move::FirstMoveReport;
pub(crate) use naming::{FEWEST_FOR_MEAN, FEWEST_FOR_SPREAD, Unnamed};
pub use options::StatisticsOptions;
pub(crate) use options::{RatingModel, USUAL_MARGIN};
pub(crate) use rated_report::RatedReport;
pub(crate) use selected::{GameSelection, SelectedReport};
pub(crate) use sequential::SequentialReport;
pub(crate) use starts::{Starts, back_rank};
pub(crate) use table::ResultTable;
pub(crate) use verdict::{
    Basis, Claim, DecidedBy, DecidingEncounter, EventKind, Hint, HostTooBusy, Refusal,
    SequentialTest, Statement, Stronger, Verdict, Winner,
};
