//! Why a game was lost: the evidence of a fault, or where the evaluations began to differ.
//!
//! | file | what |
//! |---|---|
//! | `files` | an event's store, and its data about the engines and their limits |
//! | `names` | names of moves and sides |
//! | `evaluations` | where the engines began to disagree, and which move cost the loser most |
//! | `endings` | the tablebases' findings about the moves |
//! | `explanation` | the full explanation of one game, as data |
//! | `summary` | a game in one sentence, and further sentences |
//! | `case` | one game with its files, and what is found in them |
//! | `text` | the same for people, in 100 columns |
//! | `list` | the games that can be explained |

mod case;
mod endings;
mod evaluations;
mod explanation;
mod files;
mod list;
mod names;
mod summary;
mod text;

pub(crate) use explanation::{Explanation, Reproduction};
pub use files::EventFiles;
pub(crate) use files::GameSource;
pub(crate) use list::{findings, findings_text, voided_games, voided_text};
pub(crate) use text::explanation_text;
