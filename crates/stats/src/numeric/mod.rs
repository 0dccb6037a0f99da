//! Numerical tools the statistics share: roots, maxima, small linear
//! algebra, quantiles and distribution functions, a seeded generator.

pub mod distributions;
pub mod linear;
pub mod root;

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

// A small seeded generator, so that sampled probabilities (ranks, top k) are
// the same on every machine and in every version.

/// SplitMix64 (Steele, Lea & Flood 2014): one 64-bit state, full period.
#[derive(Clone, Debug)]
pub struct SplitMix {
    state: u64,
    spare: Option<f64>,
}

impl SplitMix {
    /// A generator; equal seeds give equal sequences.
    pub fn new(seed: u64) -> Self {
        Self {
            state: seed,
            spare: None,
        }
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform on `[0, 1)`.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// Uniform on `0..bound` (0 for an empty range).
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// Exchanges values at random.
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for place in (1..values.len()).rev() {
            values.swap(place, self.below(place + 1));
        }
    }

    /// Standard normal, by Marsaglia's polar method.
    pub fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let (u, v) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let square = u * u + v * v;
            if square > 0.0 && square < 1.0 {
                let factor = (-2.0 * square.ln() / square).sqrt();
                self.spare = Some(v * factor);
                return u * factor;
            }
        }
    }
}

// Two computations at once, where the system gives a thread for it.

/// The results of both: `there` runs on a second thread, or after `here` where the system refuses a thread (its table
/// of processes is full, say). A panic of either is passed on.
pub fn beside<A: Send, B>(there: impl Fn() -> A + Sync, here: impl FnOnce() -> B) -> (A, B) {
    scope(|scope| {
        let thread = Builder::new().spawn_scoped(scope, &there);
        let here = here();
        match thread.map(|thread| thread.join()) {
            Ok(Ok(there)) => (there, here),
            Ok(Err(panic)) => resume_unwind(panic),
            Err(_refused) => (there(), here),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        let mut generator = SplitMix::new(1_234_567);
        assert_eq!(generator.bits(), 6_457_827_717_110_365_317);
        assert_eq!(generator.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn normals_have_the_right_moments() {
        let mut generator = SplitMix::new(9);
        let draws: Vec<f64> = (0..100_000).map(|_| generator.normal()).collect();
        let moment = |power| draws.iter().map(|z: &f64| z.powi(power)).sum::<f64>() / 1e5;
        assert!(
            moment(1).abs() < 0.01
                && (moment(2) - 1.0).abs() < 0.015
                && (moment(4) - 3.0).abs() < 0.1
        );
    }

    #[test]
    fn both_are_computed() {
        assert_eq!(beside(|| 2 + 2, || "four"), (4, "four"));
    }
}
