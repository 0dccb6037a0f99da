//! Hierarchical Davidson–Beaver model by marginal maximum likelihood.
//!
//! `P(W) : P(D) : P(L) = e^{x/2} : e^δ : e^{−x/2}` with
//! `x = θ_white − θ_black + α_p` and `α_p ~ N(μ, τ²)`. The α are integrated
//! out (not maximised: the joint mode is biased in drawish data), η = (θ, μ,
//! δ) has a flat prior, and so has τ ≥ 0; every posterior is a mixture over τ.
//!
//! * [`problem`](self): the counts, arranged
//! * `integral`: one position integrated over its advantage
//! * `marginal`: Newton's method for η at a given τ
//! * `propensity`: model M2, where positions differ in drawishness
//! * `profile`: the weight of τ, its maximum and grid
//! * `slice`: the posterior at one τ
//! * [`posterior`]: what is known about each position
//! * [`selection`]: false-sign rates, s-values, ranks, the top k
//! * [`shape`]: how the advantages are distributed, estimated and not assumed
//! * [`tempering`]: does the model's within-pair variance agree with the data's?

mod integral;
mod marginal;
pub mod posterior;
mod problem;
mod profile;
mod propensity;
pub mod selection;
pub mod shape;
mod slice;
pub mod tempering;
mod workers;

use crate::games::Cell;
use crate::numeric::distributions::chi_squared_tail;

use marginal::Marginal;
use problem::Problem;
use profile::TauProfile;

pub use posterior::{AdvantagePosterior, PositionPosterior};
pub use shape::Prior;

/// Why there is no estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdvantageError {
    /// No games between engines that can be compared.
    #[error("no games between engines that can be compared")]
    NothingToCompare,
    /// The spread between positions needs at least three.
    #[error("too few positions ({0}) for a spread between them")]
    TooFewPositions(usize),
    /// Every game was drawn: the draw parameter is infinite.
    #[error("every game was drawn")]
    OnlyDraws,
    /// An advantage or a strength is infinite: for example White won always.
    #[error("the most likely advantage or strength is infinite")]
    Unbounded,
}

/// Options of [`AdvantagePosterior::new`].
#[derive(Clone, Copy, Debug)]
pub struct HierarchicalOptions {
    /// Probability of the intervals.
    pub level: f64,
    /// All counts are divided by this dispersion factor (1: not at all).
    pub phi: f64,
    /// Let the draw parameter vary over positions (model M2), under a normal prior. Slower;
    /// the intervals of model M1 hold even where it varies.
    pub draw_propensity: bool,
    /// What is assumed of the advantages' distribution.
    pub prior: Prior,
    /// Seed of everything sampled.
    pub seed: u64,
    /// How many joint draws of all advantages are kept.
    pub draws: usize,
    /// The position all others are compared with, if there is one and it was played.
    pub reference: Option<u32>,
    /// Positions within this number of Elo of the mean are equivalent to it.
    pub equivalence: Option<f64>,
}

impl Default for HierarchicalOptions {
    fn default() -> Self {
        Self {
            level: 0.95,
            phi: 1.0,
            draw_propensity: false,
            prior: Prior::default(),
            seed: 960,
            draws: 0,
            reference: Some(518),
            equivalence: None,
        }
    }
}

impl HierarchicalOptions {
    fn is_mixture(&self) -> bool {
        self.prior == Prior::Mixture && !self.draw_propensity
    }
}

impl AdvantagePosterior {
    /// Fits the model to cells sorted by start.
    ///
    /// # Errors
    /// A named reason where the model has no finite fit.
    pub fn new(
        engines: usize,
        cells: &[Cell],
        options: &HierarchicalOptions,
    ) -> Result<Self, AdvantageError> {
        let mut marginal = Marginal::new(Problem::new(engines, cells, options.phi)?);
        if options.draw_propensity {
            propensity::maximise_omega(&mut marginal)?;
        }
        let reference = marginal.problem.place(options.reference);
        let reference = reference.map(|r| marginal.problem.group[r] as usize);
        let profile = TauProfile::new(&marginal, reference)?;
        let mut posterior = posterior::summarise(&marginal, &profile, options);
        if options.is_mixture() {
            shape::refine(&marginal, &profile, &mut posterior, options);
        }
        Ok(posterior)
    }
}

/// `½ P(χ²₁ > x)`, 1 at zero: the test of τ = 0, which lies on the boundary
/// (Self & Liang 1987).
fn boundary_p_value(likelihood_ratio: f64) -> f64 {
    if likelihood_ratio > 0.0 {
        0.5 * chi_squared_tail(1.0, likelihood_ratio)
    } else {
        1.0
    }
}
