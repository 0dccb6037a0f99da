//! The report of an event as one page of HTML that needs no network.
//!
//! Text from outside (names, reasons, what engines send) goes through the templates of `maud`, which
//! escape it, or through JSON that the script shows as text. The page's own style and script are named
//! by their hashes in its content security policy, so nothing else is ever executed.
//!
//! | file | what |
//! |---|---|
//! | `packed` | a game as the page lists it; moves, evaluations and clocks in few bytes, for the board; time, depth and latency by engine |
//! | `facts` | the data from an event's store, read in one pass |
//! | `pgn_facts` | the data from a PGN file |
//! | `plot` | a figure with its caption and data; axes and marks in SVG |
//! | `spread` | estimates, raw and shrunken scores, the distribution of true effects, the funnel, mirror twins |
//! | `researcher` | the section about the value of the first move |
//! | `charts` | pairs by points, terminations, time and depth by move, the course of the Elo estimate and of the test |
//! | `developer` | the section for developers of an engine |
//! | `tables` | standings, crosstable, rounds, and the writer of tables and texts |
//! | `organiser` | these, the list of games, the board |
//! | `several` | a comparison of events |
//! | `document` | the whole page, the verdict first |

mod charts;
mod developer;
mod document;
mod facts;
mod organiser;
mod packed;
mod pgn_facts;
mod plot;
mod researcher;
mod several;
mod spread;
mod tables;

pub(crate) use document::{GAMES_PREFIX, PIECES, STYLE, games_page, growing_figures, page};
pub(crate) use facts::{Carried, EventFacts};
pub(crate) use tables::{crosstable, progress, rounds, standings};
