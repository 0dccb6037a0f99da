//! What the first pass over the positions finds: where their mean lies at each draw of the
//! prior, how many lie above each node, and sums of joint draws.

use crate::numeric::random::SplitMix;

use super::law::Law;
use super::positions::Scene;
use super::spread::Sums;

/// What the first pass finds.
pub(super) struct Totals {
    /// At each draw of the prior: sums over positions of mean and variance of α.
    pub slices: Vec<[f64; 2]>,
    /// Mass of all positions in each cell, averaged over the draws.
    mass: Vec<f64>,
    /// Sums of joint draws of all α.
    pub sums: Sums,
}

impl Totals {
    pub(crate) fn empty(scene: &Scene<'_>, positions: f64) -> Self {
        Self {
            slices: vec![[0.0; 2]; scene.priors.len()],
            mass: vec![0.0; scene.nodes.at.len()],
            sums: Sums::new(scene.priors.len(), positions),
        }
    }

    pub(crate) fn add(&mut self, scene: &Scene<'_>, group: usize, law: &mut Law) {
        let copies = scene.problem.copies[group];
        let mut generator = SplitMix::new(scene.seed ^ (group as u64 + 1) << 20);
        let mut mass = vec![0.0; self.mass.len()];
        for slice in 0..self.slices.len() {
            let moved = scene.law(law, slice, group);
            self.slices[slice][0] += copies * (law.mean + moved);
            self.slices[slice][1] += copies * law.variance;
            law.add_to(&mut mass, scene.nodes);
            for _ in 0..copies as usize {
                self.sums.add(slice, scene.scale, || {
                    law.draw(scene.nodes, generator.uniform()) + moved
                });
            }
        }
        let share = copies / self.slices.len() as f64;
        self.mass
            .iter_mut()
            .zip(mass)
            .for_each(|(sum, own)| *sum += share * own);
    }

    pub(crate) fn merged(mut self, other: Self) -> Self {
        for (own, others) in self.slices.iter_mut().zip(other.slices) {
            (0..2).for_each(|i| own[i] += others[i]);
        }
        self.mass
            .iter_mut()
            .zip(other.mass)
            .for_each(|(a, b)| *a += b);
        self.sums.merge(other.sums);
        self
    }

    /// For each cell the positions above it, those in it by half.
    pub(crate) fn above(&self) -> Vec<f64> {
        let mut above = vec![0.0; self.mass.len()];
        let mut sum = 0.0;
        for (value, mass) in above.iter_mut().zip(&self.mass).rev() {
            *value = sum + 0.5 * mass;
            sum += mass;
        }
        above
    }
}
