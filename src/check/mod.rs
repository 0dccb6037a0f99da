//! Is this a sound UCI and Chess960 engine?
//!
//! Every check has its own processes, so that it can be repeated alone and no check is spoilt
//! by another. They are killed with their groups when it is over, whatever they do. Every
//! wait has an end.
//!
//! | file | what |
//! |---|---|
//! | `dialogue` | what was said, bounded |
//! | `trouble` | why a check is not passed |
//! | `bench` | what the checks of one engine share |
//! | `subject` | one process under examination |
//! | `declarations` | whether `option` lines are well-formed |
//! | `info_lines` | whether `info` lines are well-formed and true |
//! | `trials` | positions with a known answer, in `trials.txt` |
//! | `probes` | positions where only castling is good, in `probes.epd` |
//! | `shape` | how king and rook cross when they castle |
//! | `spread` | positions with any legal answer |
//! | `introductions`, `options`, `readiness` | checks before the first search |
//! | `limits`, `stopping` | checks of how searches end |
//! | `reports` | checks of what it says while it thinks |
//! | `rules`, `castling` | checks of what it plays |
//! | `ending` | checks of how it goes |
//! | `catalogue` | every check with its number, level, dialogue and explanation |
//! | `report` | what came of a check, and of all of them |
//! | `examination` | all checks of an engine, one after the other |
//! | `causes` | failed checks by what they have in common |
//! | `greeting` | a short look at an engine |
//! | `evaluation` | what an engine thinks of positions |
//! | `text`, `json` | a report for people and for programs |

mod bench;
mod castling;
mod catalogue;
mod causes;
mod declarations;
mod dialogue;
mod ending;
mod evaluation;
mod examination;
mod greeting;
mod info_lines;
mod introductions;
pub(crate) mod json;
mod limits;
mod options;
mod probes;
mod readiness;
mod report;
mod reports;
mod rules;
mod shape;
mod spread;
mod stopping;
mod subject;
pub(crate) mod text;
mod trials;
mod trouble;

pub(crate) use bench::CheckedEngine;
pub(crate) use catalogue::{CATALOGUE, Check, CheckSection};
pub(crate) use dialogue::{BoundedDialogue, Direction};
pub(crate) use evaluation::{Evaluation, Evaluator};
pub(crate) use examination::{Examination, examine};
pub(crate) use greeting::greet;
pub(crate) use report::{CheckReport, CheckResult, EngineReport};
