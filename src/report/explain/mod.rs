//! Why a game was lost: the evidence of a fault, or where the evaluations parted.
//!
//! | file | what |
//! |---|---|
//! | `files` | an event's store, and what it says of the engines and their limits |
//! | `names` | names of moves and sides |
//! | `evaluations` | where the engines began to disagree, and which move cost the loser most |
//! | `endings` | what tablebases say of the moves |
//! | `explanation` | all that is said of one game, as data |
//! | `summary` | a game in one sentence, and what is to be added |
//! | `case` | one game with its files, and what is found in them |
//! | `text` | the same for people, in 100 columns |
//! | `list` | the games that can be asked about |

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
