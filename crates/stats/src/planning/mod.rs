//! Planning: how many pairs a question needs, and where the next ones should go.
//!
//! | file | what |
//! |---|---|
//! | `precision` | pairs for an interval, a reliability, a detectable spread; the mean over the positions, and the comparison of two maps |
//! | `allocation` | the adaptive choice of positions |
//! | `odds` | the time ratio that makes starts level |

pub mod allocation;
pub mod odds;
pub mod precision;

pub use allocation::{BoundaryRule, Candidate, default_batch, doubts_of_best};
pub use precision::{MapsSummary, MeanSummary, PlanSummary, PositionPlan};
