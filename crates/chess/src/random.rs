//! A small random generator whose values never change.
//!
//! Every random choice that decides a schedule is drawn here, because the same
//! seed must give the same schedule in five years, whatever other crates do.
//! The generator is xoshiro256** by Blackman and Vigna ("Scrambled linear
//! pseudorandom number generators", ACM TOMS 47, 2021), its state filled from
//! the seed by SplitMix64 as its authors recommend. Bounded numbers use
//! Lemire's multiplication with rejection ("Fast random integer generation in
//! an interval", ACM TOMACS 29, 2019), so they carry no bias at all.
//!
//! It is fast and well distributed, and predictable: never use it for secrets.

use std::collections::BTreeMap;

/// A deterministic stream of random numbers: equal seeds, equal streams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// The stream that belongs to `seed`. Every seed is a good one, 0 included.
    pub fn new(seed: u64) -> Self {
        let mut seeder = SplitMix64(seed);
        Self {
            state: std::array::from_fn(|_| seeder.next_u64()),
        }
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let [s0, s1, s2, s3] = &mut self.state;
        let result = s1.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = *s1 << 17;
        *s2 ^= *s0;
        *s3 ^= *s1;
        *s1 ^= *s2;
        *s0 ^= *s3;
        *s2 ^= shifted;
        *s3 = s3.rotate_left(45);
        result
    }

    /// A number from `0..bound`, each exactly equally likely.
    ///
    /// # Panics
    /// If `bound` is 0: there is no number to return.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "below(0) has nothing to choose from");
        // 2^64 mod bound: low halves under it belong to an incomplete last round.
        let incomplete = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.next_u64()) * u128::from(bound);
            if product as u64 >= incomplete {
                return (product >> 64) as u64;
            }
        }
    }

    /// Puts `items` into a random order, each permutation equally likely
    /// (Fisher–Yates from the front).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for first in 0..items.len().saturating_sub(1) {
            let chosen = first + self.below((items.len() - first) as u64) as usize;
            items.swap(first, chosen);
        }
    }

    /// `count` different numbers from `0..population` in random order, without
    /// building the population.
    ///
    /// A smaller sample is the beginning of a larger one of the same seed, so an
    /// event that is enlarged keeps the positions it has. A `count` beyond the
    /// population gives the whole population.
    pub fn sample_distinct(&mut self, population: u64, count: u64) -> Vec<u64> {
        // The same Fisher–Yates as `shuffle`; only exchanged places are stored.
        let mut exchanged: BTreeMap<u64, u64> = BTreeMap::new();
        let count = count.min(population);
        let mut sample = Vec::with_capacity(count as usize);
        for first in 0..count {
            // The last place of a whole population has no choice and draws nothing.
            let left = population - first;
            let chosen = first + if left > 1 { self.below(left) } else { 0 };
            sample.push(exchanged.get(&chosen).copied().unwrap_or(chosen));
            let moved = exchanged.remove(&first).unwrap_or(first);
            exchanged.insert(chosen, moved);
        }
        sample
    }
}

/// Steele, Lea and Flood's SplitMix64 (OOPSLA 2014): used only to fill the state, and for the keys of positions.
pub(crate) struct SplitMix64(pub(crate) u64);

impl SplitMix64 {
    pub(crate) const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix64_gives_the_published_values() {
        let mut seeder = SplitMix64(1_234_567);
        let values: [u64; 3] = std::array::from_fn(|_| seeder.next_u64());
        assert_eq!(
            values,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn xoshiro256_star_star_gives_the_published_values() {
        let mut random = Random {
            state: [1, 2, 3, 4],
        };
        let values: [u64; 6] = std::array::from_fn(|_| random.next_u64());
        assert_eq!(
            values,
            [
                11_520,
                0,
                1_509_978_240,
                1_215_971_899_390_074_240,
                1_216_172_134_540_287_360,
                607_988_272_756_665_600
            ]
        );
    }

    #[test]
    fn sample_agrees_with_shuffle_and_begins_larger_samples() {
        for population in [1_u64, 2, 7, 960] {
            let mut shuffled: Vec<u64> = (0..population).collect();
            Random::new(5).shuffle(&mut shuffled);
            for count in [0, 1, population / 2, population, population + 3] {
                let sample = Random::new(5).sample_distinct(population, count);
                assert_eq!(sample, shuffled[..count.min(population) as usize]);
            }
        }
    }

    #[test]
    fn below_is_uniform_in_a_tiny_state_space_and_never_reaches_its_bound() {
        let mut random = Random::new(11);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[random.below(6) as usize] += 1;
        }
        // Standard deviation 91; five of them either side.
        assert!(
            counts
                .iter()
                .all(|&count| (9_540..=10_460).contains(&count)),
            "{counts:?}"
        );
        assert_eq!(random.below(1), 0);
    }
}
