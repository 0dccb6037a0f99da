//! Why a game was lost: the evidence of a fault, or where the evaluations began to differ.
//!
//! | file | what |
//! |---|---|
//! | `evaluations` | where the engines began to disagree, and which move cost the loser most |
//! | `explanation` | the full explanation of one game, as data and in sentences |
//! | `case` | one game with its files, and what is found in them |
//! | `text` | the same for people, in 100 columns |
//! | `list` | an event's store, and the games that can be explained |

mod case;
mod evaluations;
mod explanation;
mod list;
mod text;

pub(crate) use explanation::{Explanation, Reproduction};
pub use list::EventFiles;
pub(crate) use list::{GameSource, findings, findings_text, voided_games, voided_text};
pub(crate) use text::explanation_text;
