//! Is this a sound UCI and Chess960 engine?
//!
//! Every check has its own processes, so that it can be repeated alone and no check is spoilt
//! by another. They are killed with their groups when it is over, whatever they do. Every
//! wait has an end.
//!
//! | file | what |
//! |---|---|
//! | `dialogue` | what was said, bounded |
//! | `bench` | what the checks of one engine share, and why a check is not passed |
//! | `subject` | one process under examination |
//! | `info_lines` | whether `info` lines are well-formed and true |
//! | `trials` | positions with a known answer, in `trials.txt`, and with any legal answer |
//! | `probes` | positions where only castling is good, in `probes.epd` |
//! | `introductions` | checks of what it says of itself |
//! | `searches` | checks of searches and of foreign input |
//! | `reports` | checks of what it says while it thinks |
//! | `rules` | checks of what it plays |
//! | `script` | the checks that are dialogues in `checks.txt` |
//! | `catalogue` | every check with its number, level, explanation, and what makes it |
//! | `report` | what came of a check, and of all of them |
//! | `examination` | all checks of an engine, one after the other; a short look at one |
//! | `causes` | failed checks by what they have in common |
//! | `evaluation` | what an engine thinks of positions |
//! | `text` | a report for people, and for programs |

mod bench;
mod catalogue;
mod causes;
mod dialogue;
mod evaluation;
mod examination;
mod info_lines;
mod introductions;
mod probes;
mod report;
mod reports;
mod rules;
mod script;
mod searches;
mod subject;
pub(crate) mod text;
mod trials;

pub(crate) use bench::CheckedEngine;
pub(crate) use catalogue::{CATALOGUE, CheckSection, Definition};
pub(crate) use evaluation::{Evaluation, Evaluator};
pub(crate) use examination::{Examination, examine, greet};
pub(crate) use report::{CheckReport, EngineReport};
