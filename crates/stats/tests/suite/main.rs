//! What the statistics promise, held against events whose truth is known and against other programs.
//!
//! * `calibrate`: events of known truth, and how often what is printed of them is true
//! * `opponents`: two engines tested by what they score against the same others
//! * `promises`: random designs and laws, the table `results/truths/promises.csv`
//! * `items`: what a referee once found wrong
//! * `claims`: statements that once said more than they knew
//! * `gauntlets`: one engine against several others, few pairs each
//! * `repeated_starts`: sequential tests on start positions that repeat
//! * `summary`: the same numbers by other programs

mod calibrate;
mod claims;
mod gauntlets;
mod items;
mod opponents;
mod promises;
mod repeated_starts;
#[allow(dead_code)] // other tests use more of it
#[path = "../../../../tests/suite/study.rs"]
mod study;
mod summary;
