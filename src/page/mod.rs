//! The report of an event as one page of HTML that needs no network.
//!
//! Text from outside (names, reasons, what engines send) goes through the templates of `maud`, which
//! escape it, or through JSON that the script shows as text. The page's own style and script are named
//! by their hashes in its content security policy, so nothing else is ever executed.
//!
//! | file | what |
//! |---|---|
//! | `facts` | the data from an event's store, read in one pass |
//! | `pgn_facts` | the data from a PGN file |
//! | `listed` | a game as the page lists it |
//! | `timing` | time, depth and latency by engine |
//! | `packed` | moves, evaluations and clocks in few bytes, for the board |
//! | `figure` | a figure with its caption, its data and its command |
//! | `plot` | axes and marks in SVG |
//! | `positions` | what the figures and the table of positions share |
//! | `heat_map` | the start numbers as a map |
//! | `spread` | estimates, raw and shrunken scores, the distribution of true effects, the funnel, mirror twins |
//! | `researcher` | the section about the value of the first move |
//! | `course` | the course of the Elo estimate, and the sequential test's path |
//! | `bars` | pairs by points, terminations, time and depth by move |
//! | `developer` | the section for developers of an engine |
//! | `tables` | standings, crosstable, rounds |
//! | `organiser` | these, the list of games, the board |
//! | `several` | a comparison of events |
//! | `answers` | the first answer for a reader: the verdict |
//! | `document` | the whole page |

mod answers;
mod bars;
mod course;
mod developer;
mod document;
mod facts;
mod figure;
mod heat_map;
mod listed;
mod organiser;
mod packed;
mod pgn_facts;
mod plot;
mod positions;
mod researcher;
mod several;
mod spread;
mod tables;
mod timing;

pub(crate) use document::{GAMES_PREFIX, PIECES, STYLE, games_page, growing_figures, page};
pub(crate) use facts::{Carried, EventFacts};
pub(crate) use tables::{crosstable, progress, rounds, standings};
