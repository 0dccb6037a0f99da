//! Numerical tools the statistics share: small linear algebra, quadrature,
//! maximisation, distribution functions, a seeded generator.

pub mod brent;
pub mod distributions;
pub mod linear;
pub mod mixture;
pub mod quadrature;
pub mod random;
