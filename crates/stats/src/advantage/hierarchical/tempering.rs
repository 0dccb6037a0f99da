//! Pair dispersion φ: the observed variance of a pair's value over the one
//! the model predicts. Interaction between engine and position makes games of
//! a position more alike than the model knows, and φ > 1; dividing all counts
//! by φ restores honest intervals.

use crate::games::Pair;
use crate::numeric::quadrature::GaussHermite;
use crate::ratings::RatingInput;
use crate::ratings::models::GameModel;

use super::integral::NODES;
use super::marginal::Marginal;
use super::problem::Problem;
use super::profile::TauProfile;
use super::propensity;
use super::{AdvantageError, HierarchicalOptions};

/// Tempering is worth its own noise from this many degrees of freedom N − P.
pub const TEMPER_FROM: usize = 200;

/// The maximum of the marginal likelihood, which is all that φ takes.
struct Mode {
    tau: f64,
    /// Strengths (logits), μ and δ.
    eta: Vec<f64>,
    rated: Vec<bool>,
}

/// φ from the observed mean square within positions and the pairs it was computed from.
/// `None` without pairs between rated engines.
///
/// # Errors
/// A named reason where the model has no finite fit.
pub fn dispersion(
    input: &RatingInput,
    options: &HierarchicalOptions,
    msw: f64,
) -> Result<Option<f64>, AdvantageError> {
    let engines = input.engines.len();
    let problem = Problem::new(engines, &input.cells, options.phi)?;
    let mut marginal = Marginal::new(problem);
    if options.draw_propensity {
        propensity::maximise_omega(&mut marginal)?;
    }
    let peak = TauProfile::peak(&marginal)?;
    let mode = Mode {
        tau: peak.tau,
        eta: peak.eta,
        rated: (0..engines).map(|e| marginal.problem.is_rated(e)).collect(),
    };
    Ok(mode.dispersion(msw, &input.pairing.pairs))
}

impl Mode {
    fn dispersion(&self, msw: f64, pairs: &[Pair]) -> Option<f64> {
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

    /// The model's variance of a pair's value, averaged over `N(μ, τ²)`.
    fn pair_variance(&self, first: u16, second: u16) -> Option<f64> {
        let [strengths @ .., mu, delta] = &self.eta[..] else {
            return None;
        };
        let strength = |engine: u16| {
            let rated = self.rated.get(usize::from(engine)).copied();
            rated
                .unwrap_or(false)
                .then(|| strengths[usize::from(engine)])
        };
        let gap = strength(first)? - strength(second)?;
        let game = |x: f64| GameModel::Davidson.moments(x, *delta).score_variance;
        let pair = |alpha: f64| 0.25 * (game(alpha + gap) + game(alpha - gap));
        Some(GaussHermite::new(NODES).expectation(*mu, self.tau, pair))
    }
}
