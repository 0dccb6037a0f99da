//! Conformance of an engine: what is asked of it, and how its answers are judged.
//!
//! Nothing here starts a process: `run::check` holds the dialogues and asks this module.
//!
//! | file | what |
//! |---|---|
//! | `catalogue` | every check with its number, level and explanation |
//! | `report` | what came of a check, and of all of them |
//! | `dialogue` | what was said, bounded |
//! | `declarations` | whether `option` lines are well-formed |
//! | `introduction` | whether `id`, `option` and `uciok` come as they should |
//! | `reports` | whether `info` lines are well-formed and true |
//! | `trials` | positions with a known answer, in `trials.txt` |
//! | `spread` | positions with any legal answer |
//! | `shape` | how king and rook cross when they castle |
//! | `text`, `json` | a report for people and for programs |

pub mod catalogue;
pub mod declarations;
pub mod dialogue;
pub mod introduction;
pub mod json;
pub mod report;
pub mod reports;
pub mod shape;
pub mod spread;
pub mod text;
pub mod trials;

pub use catalogue::{Check, Definition, Level, Section};
pub use dialogue::{Dialogue, Direction};
pub use report::{CheckReport, EngineReport, Verdict};
