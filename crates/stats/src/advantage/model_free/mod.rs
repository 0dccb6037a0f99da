//! The model-free analysis: what can be said about the positions without a model of the game,
//! in units of White's score. To first order the colour swap removes the
//! engines' strength difference from a pair's value.
//!
//! * [`variance`]: one-way analysis of variance, both grand-mean errors,
//!   shrinkage
//! * [`heterogeneity`]: τ² of Paule and Mandel with its Q-profile interval
//! * [`permutation`]: the F test by permutation, as a check
//! * [`interaction`]: does an engine's strength depend on the position?
//! * [`mirror`]: do left-right mirrored positions agree?
//! * [`dispersion`]: is there variation, even with one pair per position?
//! * [`exact`]: exact mid-p values, and Benjamini–Hochberg over positions

pub mod dispersion;
pub mod exact;
pub mod heterogeneity;
pub mod interaction;
pub mod mirror;
pub mod permutation;
pub mod variance;

pub use dispersion::Dispersion;
pub use interaction::{EngineDeviation, Interaction};
pub use mirror::MirrorTwins;
pub use variance::{OneWay, Shrunken};
