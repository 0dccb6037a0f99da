//! The prior's weights and its centre given the games, by Gibbs sampling: each position is in
//! one component, the weights follow from how many are in each, the centre from where they lie.

use crate::advantage::hierarchical::workers::in_chunks;
use crate::numeric::random::SplitMix;

use super::components::{COUNT, Components};
use super::likelihood::Likelihood;

/// Sweeps before the first draw is kept.
const BURN_IN: usize = 300;

/// Draws that are kept.
pub(super) const DRAWS: usize = 40;

/// Sweeps from one kept draw to the next.
const THINNING: usize = 25;

/// More groups than this tell nothing more of the shape: every k-th is taken.
const MOST_GROUPS: usize = 4000;

/// The prior's parameters at one time.
#[derive(Clone)]
pub(super) struct Draw {
    pub weights: [f64; COUNT],
    pub centre: usize,
}

/// What each group's games say of each component around each centre.
struct Evidence {
    /// By group, centre, component.
    marginal: Vec<f32>,
    /// Its logarithm by group, component, centre.
    log: Vec<f32>,
    copies: Vec<u32>,
    centres: usize,
}

impl Evidence {
    fn new(likelihood: &Likelihood, components: &Components, copies: &[f64]) -> Self {
        let stride = copies.len().div_ceil(MOST_GROUPS).max(1);
        let mut groups: Vec<usize> = (0..copies.len()).step_by(stride).collect();
        let copies = groups.iter().map(|group| copies[*group] as u32).collect();
        let work = groups.len() * likelihood.nodes * COUNT;
        let parts = in_chunks(&mut groups, work, |_, chunk| {
            let rows = chunk
                .iter()
                .map(|group| row(likelihood, components, *group));
            rows.fold((Vec::new(), Vec::new()), |mut all, (values, logs)| {
                all.0.extend(values);
                all.1.extend(logs);
                all
            })
        });
        let (mut marginal, mut log) = (Vec::new(), Vec::new());
        for (values, logs) in parts {
            marginal.extend(values);
            log.extend(logs);
        }
        Self {
            marginal,
            log,
            copies,
            centres: likelihood.centres,
        }
    }

    fn of(&self, group: usize, centre: usize) -> &[f32] {
        &self.marginal[(group * self.centres + centre) * COUNT..][..COUNT]
    }

    fn logs(&self, group: usize, component: usize) -> &[f32] {
        &self.log[(group * COUNT + component) * self.centres..][..self.centres]
    }
}

/// The evidence of one group: by centre and component, and its logarithm by component and centre.
fn row(likelihood: &Likelihood, components: &Components, group: usize) -> (Vec<f32>, Vec<f32>) {
    let own: Vec<f64> = likelihood
        .row(group)
        .iter()
        .map(|l| f64::from(*l))
        .collect();
    let mut values = vec![0.0_f32; likelihood.centres * COUNT];
    for (j, central) in likelihood.central(group).iter().enumerate() {
        values[j * COUNT] = central.max(SMALLEST);
        for k in 1..COUNT {
            let mass = components.mass(j, k);
            let product: f64 = own.iter().zip(mass).map(|(l, m)| l * m).sum();
            values[j * COUNT + k] = (product as f32).max(SMALLEST);
        }
    }
    let log = |index: usize| {
        let (k, j) = (index / likelihood.centres, index % likelihood.centres);
        values[j * COUNT + k].ln()
    };
    let logs = (0..values.len()).map(log).collect();
    (values, logs)
}

/// What cannot be told from nothing.
const SMALLEST: f32 = 1e-35;

/// Draws of the prior; equal seeds give equal draws.
pub(super) fn sample(
    likelihood: &Likelihood,
    components: &Components,
    copies: &[f64],
    seed: u64,
) -> Vec<Draw> {
    let evidence = Evidence::new(likelihood, components, copies);
    let mut generator = SplitMix::new(seed);
    let total: f64 = components.concentration.iter().sum();
    let mut now = Draw {
        weights: components.concentration.map(|value| value / total),
        centre: evidence.centres / 2,
    };
    let mut draws = Vec::with_capacity(DRAWS);
    for sweep in 1..=BURN_IN + DRAWS * THINNING {
        now = step(&evidence, components, &now, &mut generator);
        if sweep > BURN_IN && (sweep - BURN_IN).is_multiple_of(THINNING) {
            draws.push(now.clone());
        }
    }
    draws
}

fn step(
    evidence: &Evidence,
    components: &Components,
    now: &Draw,
    generator: &mut SplitMix,
) -> Draw {
    let mut counts = components.concentration;
    let mut centres = vec![0.0; evidence.centres];
    for (group, copies) in evidence.copies.iter().enumerate() {
        let mut cumulative = [0.0; COUNT];
        let mut sum = 0.0;
        let marginal = evidence.of(group, now.centre).iter();
        for ((value, weight), marginal) in cumulative.iter_mut().zip(now.weights).zip(marginal) {
            sum += weight * f64::from(*marginal);
            *value = sum;
        }
        allocate(&cumulative, *copies, generator, |component, times| {
            counts[component] += times;
            let logs = evidence.logs(group, component).iter();
            centres
                .iter_mut()
                .zip(logs)
                .for_each(|(c, log)| *c += times * f64::from(*log));
        });
    }
    Draw {
        weights: generator.dirichlet(&counts),
        centre: generator.by_logarithms(&centres),
    }
}

/// Puts this number of equal positions into components: `take` is told of each and how many.
fn allocate(
    cumulative: &[f64; COUNT],
    copies: u32,
    generator: &mut SplitMix,
    mut take: impl FnMut(usize, f64),
) {
    let sum = cumulative[COUNT - 1];
    if copies == 1 {
        let at = generator.uniform() * sum;
        let found = cumulative.iter().position(|value| *value > at);
        return take(found.unwrap_or(COUNT - 1), 1.0);
    }
    let (mut rest, mut passed) = (copies, 0.0);
    for (component, value) in cumulative.iter().enumerate() {
        let share = (value - passed) / (sum - passed).max(1e-300);
        let chosen = generator.binomial(rest, share.min(1.0));
        if chosen > 0 {
            take(component, f64::from(chosen));
        }
        (rest, passed) = (rest - chosen, *value);
    }
}
