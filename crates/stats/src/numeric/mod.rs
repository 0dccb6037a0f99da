//! Numerical tools the statistics share: roots, maxima, small linear
//! algebra, quantiles and distribution functions, a seeded generator.

mod beside;
pub mod distributions;
pub mod linear;
pub mod random;
pub mod root;

pub use beside::beside;
