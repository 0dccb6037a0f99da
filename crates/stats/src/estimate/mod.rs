//! One estimating equation for every mean: of White, of one engine against another, of all games
//! or of some of them.
//!
//! A [`Population`] says over which start positions, [`Weights`] how these count. The score
//! that solves `Σ w (m − θ) = 0` over the clusters is the estimate, `w (m − θ)` is what each cluster
//! contributes to its error, and point, standard error, interval and test are made of these alone:
//! the point of one estimator cannot be printed with the error of another.
//!
//! * [`cluster`]: the results of one start position, counted; the points of a position that is like all others
//! * [`mean`]: the equation, its CR2 error and Bell and McCaffrey's degrees of freedom
//! * [`spread`]: do clusters differ, and by how much at most
//! * [`positions`]: what is known of each position
//! * [`laws`]: White's advantage at equal strength, by three laws of draws

pub mod cluster;
pub mod laws;
pub mod mean;
pub mod positions;
pub mod spread;

pub use cluster::{Cluster, clusters_of_first, clusters_of_white, has_mostly_pairs};
pub use mean::{Correction, Estimate, Population, Weights};
