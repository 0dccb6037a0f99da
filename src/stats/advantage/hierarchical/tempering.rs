//! Pair dispersion φ: the observed variance of a pair's value over the one
//! the model predicts. Interaction between engine and position makes games of
//! a position more alike than the model knows, and φ > 1; dividing all counts
//! by φ restores honest intervals.

use crate::stats::games::Pair;
use crate::stats::numeric::quadrature::GaussHermite;
use crate::stats::ratings::models::GameModel;

use super::integral::NODES;
use super::posterior::AdvantagePosterior;

/// Tempering is worth its own noise from this many degrees of freedom N − P.
pub const TEMPER_FROM: usize = 200;

impl AdvantagePosterior {
    /// φ from the observed mean square within positions and the pairs it was
    /// computed from. `None` without pairs between rated engines.
    pub fn dispersion(&self, msw: f64, pairs: &[Pair]) -> Option<f64> {
        let mut meetings = std::collections::BTreeMap::<(u16, u16), f64>::new();
        for pair in pairs {
            *meetings.entry((pair.first, pair.second)).or_default() += 1.0;
        }
        let (mut variance, mut count) = (0.0, 0.0);
        for ((first, second), pairs) in meetings {
            if let Some(value) = self.pair_variance(first, second) {
                variance += pairs * value;
                count += pairs;
            }
        }
        (variance > 0.0).then(|| msw * count / variance)
    }

    /// The model's variance of a pair's value at the maximum of the marginal
    /// likelihood, averaged over `N(μ, τ²)`.
    fn pair_variance(&self, first: u16, second: u16) -> Option<f64> {
        let [strengths @ .., mu, delta] = &self.mode[..] else {
            return None;
        };
        let strength = |engine: u16| {
            let rated = self
                .strengths
                .get(usize::from(engine))
                .is_some_and(Option::is_some);
            rated.then(|| strengths[usize::from(engine)])
        };
        let gap = strength(first)? - strength(second)?;
        let game = |x: f64| GameModel::Davidson.moments(x, *delta).score_variance;
        let pair = |alpha: f64| 0.25 * (game(alpha + gap) + game(alpha - gap));
        Some(GaussHermite::new(NODES).expectation(*mu, self.tau_hat, pair))
    }
}
