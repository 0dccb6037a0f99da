//! What the prior is mixed of: a point mass at the centre, normals around it, and normals
//! beside it, at several centres.

use crate::advantage::hierarchical::posterior::Estimate;

use super::nodes::Nodes;
use super::sampler::Draw;

/// Scales of the normals, each half of the one before.
const SCALES: usize = 7;

/// Of this number of the scales, the largest ones, there are normals beside the centre.
const BESIDE: usize = 4;

/// Candidates for the centre.
const CENTRES: usize = 13;

/// They reach this number of standard errors of the mean.
const CENTRES_REACH: f64 = 3.5;

/// Number of components.
pub(super) const COUNT: usize = 1 + SCALES + 2 * BESIDE;

/// What the Dirichlet prior knows before the games: as much as this number of positions of the point
/// mass, of the normals around the centre together, and of each one beside it.
const AT_CENTRE: f64 = 0.25;
const AROUND: f64 = 2.0;
const EACH_BESIDE: f64 = 0.05;

/// The candidates for the prior's centre.
pub(super) fn centres(mu: Estimate) -> Vec<f64> {
    let step = 2.0 * CENTRES_REACH * mu.se / (CENTRES - 1) as f64;
    let first = mu.value - CENTRES_REACH * mu.se;
    (0..CENTRES).map(|j| first + step * j as f64).collect()
}

/// One continuous component.
#[derive(Clone, Copy)]
struct Normal {
    offset: f64,
    scale: f64,
}

/// The components at every centre.
pub(super) struct Components {
    normals: Vec<Normal>,
    /// What the Dirichlet prior is worth, point mass first.
    pub concentration: [f64; COUNT],
    /// For each centre and continuous component its mass at the nodes.
    mass: Vec<Vec<f64>>,
    pub centres: Vec<f64>,
}

/// The prior at one draw of its weights and its centre.
pub(super) struct PriorDraw {
    /// Mass of the continuous part at the nodes.
    pub mass: Vec<f64>,
    /// Mass at the centre itself.
    pub point: f64,
    /// Which centre.
    pub centre: usize,
    /// Draw of the strengths and δ less their estimates.
    pub shift: Vec<f64>,
    /// The weights, point mass first.
    pub weights: [f64; COUNT],
}

impl Components {
    /// The smallest scale beside the point mass.
    pub(crate) fn smallest(largest: f64) -> f64 {
        largest / f64::powi(2.0, SCALES as i32 - 1)
    }

    /// `spread` is the largest standard deviation that the games allow if there is one normal.
    pub(crate) fn new(nodes: &Nodes, centres: &[f64], largest: f64, spread: f64) -> Self {
        let scales = (0..SCALES).map(|k| largest / f64::powi(2.0, k as i32));
        let mut normals: Vec<Normal> = scales.map(|scale| Normal { offset: 0.0, scale }).collect();
        for k in 0..BESIDE {
            let Normal { scale, .. } = normals[k];
            for offset in [-scale, scale] {
                let scale = 0.5 * scale;
                normals.push(Normal { offset, scale });
            }
        }
        let mut mass = Vec::new();
        for centre in centres {
            mass.extend(normals.iter().map(|normal| normal.mass(nodes, *centre)));
        }
        Self {
            concentration: concentration(&normals, spread),
            normals,
            mass,
            centres: centres.to_vec(),
        }
    }

    /// The mass at the nodes of a continuous component (from 1) around a centre.
    pub(crate) fn mass(&self, centre: usize, component: usize) -> &[f64] {
        &self.mass[centre * (COUNT - 1) + component - 1]
    }

    /// Mean and standard deviation of a component (0: the point mass) around a centre.
    pub(crate) fn moments(&self, centre: usize, component: usize) -> (f64, f64) {
        let centre = self.centres[centre];
        match component.checked_sub(1) {
            None => (centre, 0.0),
            Some(index) => {
                let normal = self.normals[index];
                (centre + normal.offset, normal.scale)
            }
        }
    }

    /// The priors of the draws.
    pub(crate) fn priors(&self, draws: Vec<Draw>, shifts: Vec<Vec<f64>>) -> Vec<PriorDraw> {
        let one = |(draw, shift): (Draw, Vec<f64>)| {
            let mut mass = vec![0.0; self.mass[0].len()];
            for component in 1..COUNT {
                let weight = draw.weights[component];
                mass.iter_mut()
                    .zip(self.mass(draw.centre, component))
                    .for_each(|(sum, m)| *sum += weight * m);
            }
            PriorDraw {
                mass,
                point: draw.weights[0],
                centre: draw.centre,
                shift,
                weights: draw.weights,
            }
        };
        draws.into_iter().zip(shifts).map(one).collect()
    }
}

impl Normal {
    /// The mass at each node, one together.
    fn mass(&self, nodes: &Nodes, centre: f64) -> Vec<f64> {
        let z = |x: f64| (x - centre - self.offset) / self.scale;
        let points = nodes.at.iter().zip(&nodes.weight);
        let mut mass: Vec<f64> = points
            .map(|(x, weight)| weight * (-0.5 * z(*x).powi(2)).exp())
            .collect();
        let total: f64 = mass.iter().sum();
        mass.iter_mut().for_each(|m| *m /= total.max(1e-300));
        mass
    }
}

/// Around the centre by the roots of the scales up to the largest plausible one: between flat
/// priors of the scale and of its logarithm, so that little information neither shrinks
/// everything to nothing nor makes something of nothing.
fn concentration(normals: &[Normal], spread: f64) -> [f64; COUNT] {
    let mut values = [EACH_BESIDE; COUNT];
    values[0] = AT_CENTRE;
    let share = |normal: &Normal| {
        normal
            .scale
            .sqrt()
            .min(2.0 * spread.powf(1.5) / normal.scale)
    };
    let around = &normals[..SCALES];
    let total: f64 = around.iter().map(share).sum();
    for (value, normal) in values[1..].iter_mut().zip(around) {
        *value = AROUND * share(normal) / total;
    }
    values
}
