//! The shape of the advantages' distribution, estimated from the games themselves.
//!
//! One normal distribution for all positions is an assumption. Where a few positions carry all
//! differences it names three times as many positions with the wrong sign as it promises. Here
//! the prior is a mixture of a point mass at the centre, normals of several scales around it
//! (as in Stephens' ashr, *Biostatistics* 2017), and normals beside it, so that it may be skewed
//! or have two groups. Its weights have a Dirichlet prior and are sampled (Gibbs) and not only
//! maximised, so that every posterior contains what is not known of the shape.
//!
//! * `nodes`: points of α at which everything is evaluated
//! * `likelihood`: each position's likelihood there
//! * `components`: what the prior is mixed of
//! * `sampler`: the weights and the centre, sampled
//! * `law`: one position at one draw of the prior
//! * `positions`: what is known of each position
//! * `totals`: and of all together
//! * `spread`: how far these positions differ
//! * `own`: intervals without any prior, which hold for selected positions
//! * `predictive`: would such a prior yield results like these?

mod components;
mod law;
mod likelihood;
mod nodes;
mod own;
mod positions;
mod predictive;
mod sampler;
mod spread;
mod totals;

use crate::elo::elo_per_score;
use crate::ratings::models::GameModel;

use super::HierarchicalOptions;
use super::marginal::Marginal;
use super::posterior::AdvantagePosterior;
use super::profile::TauProfile;
use super::selection::NAMED_UP_TO;

use components::Components;
use likelihood::Likelihood;
use nodes::Nodes;
use positions::Scene;
use spread::EloScale;

pub use own::OwnInterval;
pub use predictive::{PredictiveCheck, PredictiveChecks};
pub use spread::{Farthest, Spread, SpreadEstimate};

/// What is assumed of the advantages' distribution over positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prior {
    /// A mixture whose shape is estimated with everything else.
    #[default]
    Mixture,
    /// One normal distribution: model M1 of the reference values.
    Normal,
}

/// What the mixture says of all positions together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// How far the advantages of just these positions differ.
    pub spread: Spread,
    /// The position farthest from the mean.
    pub farthest: Farthest,
    /// Share of positions that lie at the centre: posterior mean.
    pub at_centre: f64,
    /// Positions with s ≤ 0.05 under the one normal distribution.
    pub named_if_normal: usize,
    /// Positions with s ≤ 0.05 under the mixture.
    pub named: usize,
    /// Would these priors yield results like these?
    pub predictive: PredictiveChecks,
}

/// The largest scale of the prior by the upper end of τ's interval: five positions in a hundred
/// that carry all variance lie 4.5 τ away.
const REACH: f64 = 5.0;

/// No scale exceeds this many logits.
const LARGEST_SCALE: f64 = 4.0;

/// The grid ends this number of the largest scale from the centre.
const TAILS: f64 = 3.5;

/// Replaces what is known of the positions under one normal distribution by what is known
/// under the mixture.
pub(super) fn refine(
    marginal: &Marginal,
    profile: &TauProfile,
    posterior: &mut AdvantagePosterior,
    options: &HierarchicalOptions,
) {
    let (problem, mode) = (&marginal.problem, &profile.mode);
    let covariance = marginal.covariance(mode);
    let places = Likelihood::places(problem, mode);
    let spread = posterior.tau_interval.1;
    let largest = (REACH * spread).clamp(0.02, LARGEST_SCALE);
    let steps = (Components::smallest(largest), 0.5 * places.narrowest());
    let nodes = Nodes::new(posterior.mu.value, TAILS * largest, steps);
    let centres = components::centres(posterior.mu);
    let likelihood = Likelihood::new(problem, &mode.eta, &nodes, &centres, places);
    let components = Components::new(&nodes, &centres, largest, spread);
    let draws = sampler::sample(&likelihood, &components, &problem.copies, options.seed);
    let shifts = positions::shifts(problem, &covariance, draws.len(), options.seed);
    let priors = components.priors(draws, shifts);
    let named_if_normal = named(posterior);
    let slope = {
        let moments = GameModel::Davidson.moments(posterior.mu.value, posterior.delta.value);
        moments.score_variance * elo_per_score(moments.score)
    };
    let elo_scale = EloScale::new(centres[centres.len() / 2], TAILS * largest, |alpha| {
        posterior.elo(alpha)
    });
    let scene = Scene {
        problem,
        likelihood: &likelihood,
        nodes: &nodes,
        centres: &centres,
        priors: &priors,
        scale: &elo_scale,
        margin: options.equivalence.map(|elo| elo / slope),
        seed: options.seed,
    };
    let totals = scene.totals();
    positions::enter(&scene, &totals, posterior, options);
    own::enter(
        problem,
        (&likelihood, &nodes),
        &covariance,
        posterior,
        options.level,
    );
    posterior.draws = scene.draws(options.draws);
    let scale = (options.phi, (TAILS * largest).min(WIDEST_TABLE));
    let farthest = totals.sums.farthest(
        |alpha| posterior.elo(alpha + elo_scale.centre),
        options.level,
        options.equivalence,
    );
    posterior.shape = Some(Shape {
        farthest,
        spread: totals.sums.spread(posterior, options.level),
        at_centre: priors.iter().map(|prior| prior.point).sum::<f64>() / priors.len() as f64,
        named_if_normal,
        named: named(posterior),
        predictive: PredictiveChecks::new(
            (problem, profile),
            (&components, &priors),
            scale,
            options.seed,
        ),
    });
}

/// Tables of a score by the advantage end this number of logits from the mean.
const WIDEST_TABLE: f64 = 6.0;

fn named(posterior: &AdvantagePosterior) -> usize {
    let positions = posterior.positions.iter();
    positions.filter(|p| p.s_value <= NAMED_UP_TO).count()
}
