//! Random starts.

use super::{StartError, StartNumber, Variant};
use crate::random::Random;

/// `count` different starts of the variant, each set equally likely, in random order.
///
/// The same seed always gives the same starts, and a larger sample begins with the smaller one.
pub fn sample(variant: Variant, count: u32, seed: u64) -> Result<Vec<StartNumber>, StartError> {
    let first = variant.first_number().0;
    let chosen = choose(variant.count().into(), count, seed)?;
    // A variant has fewer than 2^32 starts.
    Ok(chosen
        .into_iter()
        .map(|index| StartNumber(first + index as u32))
        .collect())
}

/// As [`sample`], but out of `numbers` alone.
pub fn sample_of(
    numbers: &[StartNumber],
    count: u32,
    seed: u64,
) -> Result<Vec<StartNumber>, StartError> {
    let chosen = choose(numbers.len() as u64, count, seed)?;
    Ok(chosen
        .into_iter()
        .map(|index| numbers[index as usize])
        .collect())
}

fn choose(available: u64, count: u32, seed: u64) -> Result<Vec<u64>, StartError> {
    let wanted = u64::from(count);
    if wanted > available {
        return Err(StartError::SampleTooLarge { wanted, available });
    }
    Ok(Random::new(seed).sample_distinct(available, wanted))
}
