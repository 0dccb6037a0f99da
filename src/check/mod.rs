//! Is this a sound UCI and Chess960 engine?
//!
//! Every check has its own processes, so that it can be repeated alone and no check is spoilt
//! by another. They are killed with their groups when it is over, whatever they do. Every
//! wait has an end.
//!
//! | file | what |
//! |---|---|
//! | `bench` | what the checks of one engine share, and why a check is not passed; what was said, bounded |
//! | `subject` | one process under examination |
//! | `info_lines` | whether `info` lines are well-formed and true |
//! | `trials` | positions with a known answer, in `trials.txt`, and with any legal answer; a long game, in `long-game.txt` |
//! | `introductions` | checks of what it says of itself |
//! | `searches` | checks of searches and of foreign input; the checks that are dialogues in `checks.txt` |
//! | `reports` | checks of what it says while it thinks |
//! | `rules` | checks of what it plays |
//! | `catalogue` | every check with its number, level, explanation, and what makes it |
//! | `report` | what came of a check, and of all of them; failed checks by what they have in common; a report for people, and for programs |
//! | `examination` | all checks of an engine, one after the other; a short look at one; what an engine thinks of positions |

mod bench;
mod catalogue;
mod examination;
mod info_lines;
mod introductions;
pub(crate) mod report;
mod reports;
mod rules;
mod searches;
mod subject;
mod trials;

pub(crate) use bench::CheckedEngine;
pub(crate) use catalogue::{CATALOGUE, Definition};
pub(crate) use examination::{Evaluator, examine, greet};
pub(crate) use info_lines::Evaluation;
pub(crate) use report::{CheckReport, EngineReport};
pub(crate) use trials::random_game;
