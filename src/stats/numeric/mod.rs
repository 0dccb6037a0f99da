<<<<<<< HEAD
//! Numerical tools of the statistics: roots of functions, quantiles of laws.

pub mod quantile;
pub mod root;
pub mod secular;
=======
//! Numerical tools the statistics share: small linear algebra, quadrature,
//! maximisation, distribution functions, a seeded generator.

pub mod brent;
pub mod distributions;
pub mod linear;
pub mod quadrature;
pub mod random;
>>>>>>> ratings
