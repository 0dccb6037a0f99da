#![doc = include_str!("../README.md")]

//!

// one match: from games to pairs, counts and moments, estimates and their intervals
pub mod counts;
pub mod elo;
pub mod interval;
pub mod match_statistics;
pub mod start_pairs;

// sequential tests, planning, and the numerical tools
pub mod numeric;
pub mod planning;
pub mod sprt;

// Many engines and the first-move advantage.
pub mod advantage;
pub mod duplicates;
pub mod estimate;
pub mod games;
pub mod maps;
pub mod ratings;
pub mod standings;

/// Why numbers are refused, or games give no statistic, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StatisticsError(String);

fn refused<T>(why: impl Into<String>) -> Result<T, StatisticsError> {
    Err(StatisticsError(why.into()))
}

/// A number that no plan can have.
fn impossible<T>(name: &str, value: f64) -> Result<T, StatisticsError> {
    refused(format!("{name} = {value} is not possible"))
}
