//! One seed for each purpose, so that no two random choices are related.

use crate::chess::random::Random;
use crate::hash::fnv1a;

/// A seed from the event's seed and all that the choice depends on; `purpose` keeps
/// choices apart that depend on the same numbers.
///
/// [`fnv1a`] over the purpose and the numbers in little-endian order. It scatters the input's bits
/// badly and need not do better: the generator's own seeding does.
pub(super) fn derived(purpose: &str, numbers: &[u64]) -> u64 {
    let numbers = numbers.iter().flat_map(|number| number.to_le_bytes());
    fnv1a(purpose.bytes().chain(numbers))
}

/// A lot for each of this number, the highest best: a permutation that the seed of the event decides.
pub(crate) fn lots(seed: u64, count: usize) -> Vec<u32> {
    let mut lots: Vec<u32> = (1..).take(count).collect();
    Random::new(derived("lots", &[seed])).shuffle(&mut lots);
    lots
}

/// The lots of a start that is made by its players, by its number from 0.
pub(crate) fn opening_lots(seed: u64, number: u32) -> Random {
    Random::new(derived("opening", &[seed, u64::from(number)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn purposes_and_places_matter() {
        assert_ne!(derived("a", &[1, 2]), derived("b", &[1, 2]));
        assert_ne!(derived("a", &[1, 2]), derived("a", &[2, 1]));
    }
}
