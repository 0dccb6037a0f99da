//! From games, wherever they lie, to statistics, and from there to text, JSON
//! and CSV.
//!
//! | file | what |
//! |---|---|
//! | `collection` | games of stores and PGN files in one table, with what is known of them |
//! | `starts` | start positions by number, or by name where they have none |
//! | `store_games`, `pgn_games` | where the games come from |
//! | `witness` | the evaluation of a game at one ply |
//! | `options` | another rating model, anchors |
//! | `event` | [`EventStatistics`]: everything, in one value |
//! | `encounter` | two engines: Elo in its variants |
//! | `sequential` | the state and the estimates of an SPRT |
//! | `field` | many engines: ratings, ranks, warnings |
//! | `first_move` | the first-move advantage, and how it may be worded |
//! | `text` | for people, in 100 columns |
//! | `csv` | tables for other programs, `positions.csv` among them |

mod collection;
mod csv;
mod encounter;
mod event;
mod field;
mod first_move;
mod options;
mod pgn_games;
mod sequential;
mod starts;
mod store_games;
mod text;
mod witness;

pub use collection::{Collection, Collector, Source, SourceKind};
pub use csv::{engines_csv, pairs_csv, positions_csv};
pub use encounter::{EncounterReport, SelectionReport};
pub use event::{EventStatistics, GameCounts, StartRecord};
pub use field::{FieldReport, RankSet};
pub use first_move::FirstMoveReport;
pub use options::{RatingModel, StatisticsOptions, UnknownAnchor};
pub use pgn_games::PgnGamesError;
pub use sequential::SequentialReport;
pub use starts::Starts;
pub use text::{By, conclusion, table, text};
pub use witness::WITNESS_PLY;
