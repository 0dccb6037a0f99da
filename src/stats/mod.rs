//! Numbers: pairs, Elo, SPRT, ratings, first-move advantage, planning.

// many engines and the first-move advantage
pub mod advantage;
pub mod duplicates;
pub mod games;
pub mod numeric;
pub mod ratings;
pub mod standings;
pub mod surrogate;
