//! From games of any source to the statistics of an event.
//!
//! | file | what |
//! |---|---|
//! | `collection` | games of stores and PGN files in one table, with what is known of them |
//! | `engines` | nodes searched against the limit; what engines used while their opponents thought; engines of one name that are not one engine |
//! | `starts` | start positions by number, or by name where they have none |
//! | `store_games`, `pgn_games` | where the games come from |
//! | `comparison` | comparison of several events; the size of a limit |
//! | `adjudication` | what rules of adjudication would have done |
//! | `event` | [`EventStatistics`]: everything, in one value |
//! | `encounter` | two engines: Elo in its variants; the state and the estimates of an SPRT; the headlines with some games left out |
//! | `field` | many engines: ratings, ranks, warnings; another rating model, anchors |
//! | `first_move` | the first-move advantage, and its wording; the one check before White's first move and start positions are reported |
//! | `table` | tables of results from other programs |
//! | `verdict` | what may be said of an event, made once |

mod adjudication;
mod collection;
mod comparison;
mod encounter;
mod engines;
mod event;
mod field;
mod first_move;
mod pgn_games;
mod starts;
mod store_games;
mod table;
mod verdict;

pub(crate) use adjudication::{AdjudicationDifference, AdjudicationReport, NamedRule, RuleReport};
pub use collection::{Collection, Collector};
pub(crate) use collection::{CollectionSource, SourceKind};
pub(crate) use comparison::{Compared, ComparisonReport, MapReport, PairReport, games_in_common};
pub(crate) use encounter::{
    EncounterReport, GameSelection, SelectedReport, SelectionReport, SequentialReport,
};
pub use event::EventStatistics;
pub(crate) use event::StartRecord;
pub use field::StatisticsOptions;
pub(crate) use field::{FieldReport, RatingModel, USUAL_MARGIN};
pub(crate) use first_move::{FirstMoveReport, Unnamed};
pub(crate) use starts::{Starts, back_rank};
pub(crate) use table::ResultTable;
pub(crate) use verdict::{Claim, EventKind, Hint, Verdict, decision_words, model_word, tested};
