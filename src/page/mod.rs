//! The report of an event as one page of HTML that needs no network.
//!
//! Everything foreign (names, reasons, what engines say) goes through the templates of `maud`, which
//! escape it, or through JSON that the script shows as text. The page's own style and script are named
//! by their hashes in its content security policy, so nothing else is ever executed.
//!
//! | file | what |
//! |---|---|
//! | `facts` | what is read of an event's store, in one pass |
//! | `pgn_facts` | the same of a PGN file |
//! | `listed` | a game as the page lists it |
//! | `timing` | time, depth and latency by engine |
//! | `packed` | moves, evaluations and clocks in few bytes, for the board |
//! | `figure` | a figure with its caption, its data and its command |
//! | `plot` | axes and marks in SVG |
//! | `positions` | what the positions' figures and table have in common |
//! | `heat_map` | the start numbers as a map |
//! | `spread` | estimates, raw and shrunken scores, the distribution of true effects |
//! | `scores` | the funnel of scores, and mirror twins |
//! | `words` | the words of `stats` as a page has them |
//! | `researcher` | the entrance of who asks what the first move is worth |
//! | `course` | Elo as it narrowed, and the sequential test's path |
//! | `bars` | pairs by points, terminations, time and depth by move |
//! | `developer` | the entrance of who works on an engine |
//! | `tables` | standings, crosstable, rounds |
//! | `organiser` | these, the list of games, the board |
//! | `several` | events beside each other |
//! | `answers` | what a reader wants to know first: the verdict |
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
mod scores;
mod several;
mod spread;
mod tables;
mod timing;
mod words;

pub(crate) use document::{GAMES_PREFIX, PIECES, STYLE, games_page, growing_figures, page};
pub(crate) use facts::{Carried, EventFacts};
pub(crate) use tables::{crosstable, progress, rounds, standings};
