//! A small seeded generator, so that sampled probabilities (ranks, top k) are
//! the same on every machine and in every version.

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

    /// Gamma with this shape and scale 1 (Marsaglia & Tsang 2000).
    pub fn gamma(&mut self, shape: f64) -> f64 {
        if shape < 1.0 {
            let boost = self.open_uniform().powf(1.0 / shape);
            return boost * self.gamma(shape + 1.0);
        }
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let x = self.normal();
            let v = (1.0 + c * x).powi(3);
            if v > 0.0 && self.open_uniform().ln() < 0.5 * x * x + d * (1.0 - v + v.ln()) {
                return d * v;
            }
        }
    }

    /// Dirichlet with these concentrations.
    pub fn dirichlet<const N: usize>(&mut self, concentrations: &[f64; N]) -> [f64; N] {
        let draws = concentrations.map(|shape| self.gamma(shape));
        let total: f64 = draws.iter().sum();
        draws.map(|draw| draw / total)
    }

    /// How many of `trials` succeed: exact for few successes or failures, else the rounded
    /// normal.
    pub fn binomial(&mut self, trials: u32, chance: f64) -> u32 {
        if chance > 0.5 {
            return trials - self.binomial(trials, 1.0 - chance);
        }
        let mean = f64::from(trials) * chance;
        if mean > 60.0 {
            let draw = mean + (mean * (1.0 - chance)).sqrt() * self.normal();
            return draw.round().clamp(0.0, f64::from(trials)) as u32;
        }
        if chance <= 0.0 {
            return 0;
        }
        // The distances between successes are geometric.
        let (failure, mut at, mut successes) = ((-chance).ln_1p(), 0.0, 0);
        loop {
            at += (self.open_uniform().ln() / failure).floor() + 1.0;
            if at > f64::from(trials) {
                return successes;
            }
            successes += 1;
        }
    }

    /// An index with probability in proportion to the exponential of its value.
    pub fn by_logarithms(&mut self, logs: &[f64]) -> usize {
        let top = logs.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
        let weights: Vec<f64> = logs.iter().map(|log| (log - top).exp()).collect();
        self.by_weights(&weights)
    }

    /// An index with probability in proportion to its weight.
    pub fn by_weights(&mut self, weights: &[f64]) -> usize {
        let mut rest = self.uniform() * weights.iter().sum::<f64>();
        for (index, weight) in weights.iter().enumerate() {
            rest -= weight;
            if rest < 0.0 {
                return index;
            }
        }
        weights.len().saturating_sub(1)
    }

    /// Uniform on `(0, 1]`.
    fn open_uniform(&mut self) -> f64 {
        1.0 - self.uniform()
    }
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

    /// Mean and variance of 40,000 draws.
    fn moments(mut draw: impl FnMut() -> f64) -> (f64, f64) {
        let draws: Vec<f64> = (0..40_000).map(|_| draw()).collect();
        let mean = draws.iter().sum::<f64>() / 4e4;
        let square = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>();
        (mean, square / 4e4)
    }

    #[test]
    fn gamma_and_binomial_have_the_right_moments() {
        let mut generator = SplitMix::new(10);
        for shape in [0.05, 0.7, 3.0, 90.0] {
            let (mean, variance) = moments(|| generator.gamma(shape));
            let error = 5.0 * (shape / 4e4_f64).sqrt();
            assert!((mean - shape).abs() < error, "shape {shape}: mean {mean}");
            assert!((variance / shape - 1.0).abs() < 0.15, "{shape}: {variance}");
        }
        for (trials, chance) in [(7, 0.3), (40, 0.9), (1000, 0.01), (5000, 0.4)] {
            let (mean, variance) = moments(|| f64::from(generator.binomial(trials, chance)));
            let expected = f64::from(trials) * chance;
            let spread = expected * (1.0 - chance);
            assert!((mean - expected).abs() < 5.0 * (spread / 4e4).sqrt());
            assert!((variance / spread - 1.0).abs() < 0.05, "{trials} {chance}");
        }
    }

    #[test]
    fn shares_add_up_and_choices_follow_their_weights() {
        let mut generator = SplitMix::new(11);
        let shares = generator.dirichlet(&[0.05, 2.0, 40.0]);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12 && shares[2] > 0.5);
        let logs = [1000.0, 1000.0 + 3.0_f64.ln(), f64::NEG_INFINITY];
        let (mean, _) = moments(|| generator.by_logarithms(&logs) as f64);
        assert!((mean - 0.75).abs() < 0.01, "{mean}");
    }
}
