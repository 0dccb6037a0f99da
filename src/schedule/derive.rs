//! One seed for each purpose, so that no two random choices are related.

use crate::chess::random::Random;

/// A seed from the event's seed and all that the choice depends on; `purpose` keeps
/// choices apart that depend on the same numbers.
///
/// FNV-1a, 64 bits (Fowler, Noll, Vo, 1991), over the purpose and the numbers in
/// little-endian order. It scatters the input's bits badly and need not do better: the
/// generator's own seeding does.
pub(super) fn derived(purpose: &str, numbers: &[u64]) -> u64 {
    let numbers = numbers.iter().flat_map(|number| number.to_le_bytes());
    fnv1a(purpose.bytes().chain(numbers))
}

/// FNV-1a of a byte string.
pub(super) fn fnv1a(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
}

/// A lot for each of so many, the highest best: a permutation that the seed of the event decides.
pub(crate) fn lots(seed: u64, count: usize) -> Vec<u32> {
    let mut lots: Vec<u32> = (1..).take(count).collect();
    Random::new(derived("lots", &[seed])).shuffle(&mut lots);
    lots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv1a_gives_the_published_values() {
        assert_eq!(fnv1a([]), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(*b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(*b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn purposes_and_places_matter() {
        assert_ne!(derived("a", &[1, 2]), derived("b", &[1, 2]));
        assert_ne!(derived("a", &[1, 2]), derived("a", &[2, 1]));
    }
}
