//! Numerical tools of the statistics: roots of functions, quantiles of laws.

pub mod quantile;
pub mod root;
pub mod secular;
