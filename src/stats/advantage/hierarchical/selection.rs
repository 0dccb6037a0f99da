//! Which positions can be told apart: false-sign rates, s-values, ranks.

use crate::stats::numeric::distributions::normal_cdf;
use crate::stats::numeric::linear::Symmetric;
use crate::stats::numeric::random::SplitMix;

use super::posterior::{AdvantagePosterior, Slice};

/// Stephens' s-values: each false-sign rate's running mean with all smaller
/// ones. Flagging all with s ≤ 0.05 gives at most 5 % wrong signs among them
/// on average. Equal rates take the order of the list; excluded entries have
/// none. (Stephens 2017, Biostatistics 18, 275–294.)
pub fn s_values(rates: &[f64], include: impl Fn(usize) -> bool) -> Vec<Option<f64>> {
    let mut order: Vec<usize> = (0..rates.len()).filter(|index| include(*index)).collect();
    order.sort_by(|a, b| rates[*a].total_cmp(&rates[*b]));
    let mut values = vec![None; rates.len()];
    let mut sum = 0.0;
    for (count, index) in order.into_iter().enumerate() {
        sum += rates[index];
        values[index] = Some(sum / (count + 1) as f64);
    }
    values
}

/// `E rank_p = 1 + Σ_q P(α_q > α_p)` from means and variances, rank 1 for the
/// largest.
pub fn expected_ranks(moments: &[(f64, f64)]) -> Vec<f64> {
    let mut ranks = vec![1.0; moments.len()];
    for (p, &(mean, variance)) in moments.iter().enumerate() {
        for (q, &(other, other_variance)) in moments.iter().enumerate().take(p) {
            let sd = (variance + other_variance).sqrt();
            let above = if sd > 1e-12 {
                normal_cdf((other - mean) / sd)
            } else {
                0.5
            };
            ranks[p] += above;
            ranks[q] += 1.0 - above;
        }
    }
    ranks
}

/// Draws from the posterior that [`AdvantagePosterior::top_probability`]
/// takes.
const DRAWS: usize = 4000;

impl AdvantagePosterior {
    /// For each position the probability of being among the `k` with the
    /// largest advantage. Equal seeds give equal results.
    pub fn top_probability(&self, k: usize, seed: u64) -> Vec<f64> {
        let positions = self.positions.len();
        let k = k.min(positions);
        if k == 0 || k == positions {
            return vec![if k == 0 { 0.0 } else { 1.0 }; positions];
        }
        let mut generator = SplitMix::new(seed);
        let mut counts = vec![0_u32; positions];
        let mut order: Vec<usize> = (0..positions).collect();
        let (mut passed, mut drawn) = (0.0, 0);
        for slice in &self.slices {
            passed += slice.probability;
            let until = (passed * DRAWS as f64).round() as usize;
            let factor = slice.covariance.semidefinite_factor();
            for _ in drawn..until {
                let alphas = slice.draw(&factor, &mut generator);
                order.select_nth_unstable_by(k - 1, |a, b| alphas[*b].total_cmp(&alphas[*a]));
                order[..k].iter().for_each(|index| counts[*index] += 1);
            }
            drawn = until.max(drawn);
        }
        counts
            .into_iter()
            .map(|count| f64::from(count) / drawn.max(1) as f64)
            .collect()
    }

    /// The posterior covariance matrix of all α, row by row.
    pub fn covariance(&self) -> Symmetric {
        let positions = self.positions.len();
        let mut total = Symmetric::zeros(positions);
        for slice in &self.slices {
            for p in 0..positions {
                let towards = slice.covariance.times(&slice.sensitivities[p]);
                let from_mean = slice.means[p] - self.positions[p].alpha.value;
                for q in 0..=p {
                    let shared: f64 = towards
                        .iter()
                        .zip(&slice.sensitivities[q])
                        .map(|(a, b)| a * b)
                        .sum();
                    let own = if p == q { slice.variances[p] } else { 0.0 };
                    let spread = from_mean * (slice.means[q] - self.positions[q].alpha.value);
                    total.add(p, q, slice.probability * (own + shared + spread));
                }
            }
        }
        total
    }
}

impl Slice {
    /// One draw of all α.
    fn draw(
        &self,
        factor: &crate::stats::numeric::linear::LowerTriangle,
        generator: &mut SplitMix,
    ) -> Vec<f64> {
        let normals: Vec<f64> = (0..self.covariance.size())
            .map(|_| generator.normal())
            .collect();
        let eta = factor.times(&normals);
        let alpha = |p: usize| {
            let follow: f64 = self.sensitivities[p]
                .iter()
                .zip(&eta)
                .map(|(c, e)| c * e)
                .sum();
            // A trace of noise decides exact ties evenly.
            self.means[p] + follow + (self.variances[p].sqrt() + 1e-9) * generator.normal()
        };
        (0..self.means.len()).map(alpha).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_values_are_running_means() {
        let values = s_values(&[0.3, 0.1, 0.02, 0.5], |index| index != 3);
        assert_eq!(values[3], None);
        let close =
            |value: Option<f64>, expected: f64| value.is_some_and(|v| (v - expected).abs() < 1e-15);
        assert!(close(values[2], 0.02) && close(values[1], 0.06) && close(values[0], 0.14));
    }

    #[test]
    fn expected_ranks_add_up_and_order() {
        let ranks = expected_ranks(&[(1.0, 0.01), (0.0, 0.01), (5.0, 0.0), (5.0, 0.0)]);
        assert!((ranks.iter().sum::<f64>() - 10.0).abs() < 1e-12);
        assert!((ranks[2] - 1.5).abs() < 1e-9 && ranks[0] < ranks[1]);
    }
}
