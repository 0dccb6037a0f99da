//! The first-move advantage of each start position.
//!
//! * [`values`]: the pair values of each position
//! * [`model_free`]: the model-free analysis, an analysis of variance in score units
//! * [`hierarchical`]: the hierarchical model, Davidson–Beaver with a random advantage
//! * [`draws`]: joint draws of all advantages
//! * [`equal_strength`]: White's mean advantage between equal engines
//! * [`verdict`]: what may be said about a position, and what may not
//! * [`report`]: both layers in one serialisable value
//! * [`analysis`]: how it is computed from the games

pub mod analysis;
pub mod draws;
pub mod equal_strength;
pub mod hierarchical;
pub mod model_free;
pub mod report;
pub mod values;
pub mod verdict;

pub use analysis::AdvantageOptions;
pub use report::AdvantageReport;
pub use verdict::RankVerdict;
