//! The pages of an event: the report, one file that needs no network, and what the live page (`web`) shares with it: style,
//! script, viewer of games, tables.
//!
//! Text from outside (names, reasons, what engines send) goes through the templates of `maud`, which
//! escape it, or through JSON that the script shows as text. The page's own style and script are named
//! by their hashes in its content security policy, so nothing else is ever executed.
//!
//! | file | what |
//! |---|---|
//! | `games` | a game as the page lists it, and as its viewer shows it; time, depth and latency by engine |
//! | `facts` | the data from an event's store, read in one pass |
//! | `pgn_facts` | the data from a PGN file |
//! | `charts` | the tables of numbers of which the script draws figures |
//! | `rounds` | rounds side by side, and the brackets of trees |
//! | `tables` | standings, crosstable, and the writer of tables and texts |
//! | `sections` | results and games, the engines, the first move, several events beside each other |
//! | `document` | the whole page, the verdict first |

mod charts;
mod document;
mod facts;
mod games;
mod pgn_facts;
mod rounds;
mod sections;
mod tables;

pub(crate) use charts::in_script;
pub(crate) use document::{
    Origin, SCRIPT, STYLE, answers, finished, growing_figures, list_of_games, page, whole,
};
pub(crate) use facts::{Carried, EventFacts};
pub(crate) use games::{PlayedMoves, evaluation, line};
pub(crate) use tables::{block, results};
