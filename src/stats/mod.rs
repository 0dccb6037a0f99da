//! Numbers: pairs, Elo, SPRT, ratings, first-move advantage, planning.

// One match: counts, estimates and intervals, SPRT, planning.
pub mod anytime;
pub mod counts;
pub mod elo;
pub mod interval;
pub mod match_statistics;
pub mod normalized;
pub mod numeric;
pub mod pairs;
pub mod planning;
pub mod profile;
pub mod ratios;
pub mod sample;
pub mod sprt;

// Many engines and the first-move advantage.
pub mod advantage;
pub mod duplicates;
pub mod games;
pub mod ratings;
pub mod standings;
pub mod surrogate;
