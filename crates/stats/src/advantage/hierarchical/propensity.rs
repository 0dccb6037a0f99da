//! Model M2: positions differ in how drawish they are, `δ_p = m + ωy_p`,
//! `y ~ N(0, 1)`. The integral over y is nested around that over z; ω is
//! estimated by maximum weight, jointly with τ.

use crate::numeric::brent::maximum;

use super::AdvantageError;
use super::integral::{NODES, Position, Scratch, Shared, Sums};
use super::marginal::Marginal;
use super::profile::TauProfile;

impl Shared<'_> {
    /// Integrates position `p` over y as well and adds the result.
    pub(super) fn add_with_draw_propensity(
        &self,
        p: usize,
        position: &mut Position,
        scratch: &mut Scratch,
        sums: &mut Sums,
    ) {
        let curvature = self.find_draw_mode(p, position, scratch);
        let rule = self.rule();
        let spread = 1.0 / curvature.sqrt();
        let parts: Vec<(f64, Sums, Position)> = rule
            .nodes
            .iter()
            .zip(&rule.weights)
            .map(|(u, weight)| {
                let y = position.draw_mode + spread * u;
                let part = self.at_propensity(p, y, position, scratch);
                (
                    weight.ln() + part.log_marginal + 0.5 * (u * u - y * y),
                    part,
                    position.clone(),
                )
            })
            .collect();
        let top = parts
            .iter()
            .map(|(log, ..)| *log)
            .fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = parts.iter().map(|(log, ..)| (log - top).exp()).sum();
        let weights: Vec<f64> = parts
            .iter()
            .map(|(log, ..)| (log - top).exp() / total)
            .collect();
        let copies = self.problem().copies[p];
        sums.log_marginal += copies * (top + total.ln() - 0.5 * curvature.ln());
        merge((&weights, copies), &parts, position, sums);
    }

    fn at_propensity(
        &self,
        p: usize,
        y: f64,
        position: &mut Position,
        scratch: &mut Scratch,
    ) -> Sums {
        let (omega, delta) = self.draw_parameter();
        let mut sums = Sums::zeros(self.problem());
        self.add_at(p, (delta + omega * y, 1.0), position, scratch, &mut sums);
        sums
    }

    /// Newton's method for the mode of y, with the inner integral's own
    /// derivatives; returns the curvature there.
    fn find_draw_mode(&self, p: usize, position: &mut Position, scratch: &mut Scratch) -> f64 {
        let (omega, _) = self.draw_parameter();
        let delta = self.problem().delta();
        let mut curvature = 1.0;
        for _ in 0..30 {
            let sums = self.at_propensity(p, position.draw_mode, position, scratch);
            let complete: f64 = sums.complete.iter().map(|[.., draw]| draw).sum();
            let observed = (complete - sums.missing.at(delta, delta)).max(0.0);
            curvature = 1.0 + omega * omega * observed;
            let slope = omega * sums.gradient[delta] - position.draw_mode;
            let step = (slope / curvature).clamp(-2.0, 2.0);
            position.draw_mode += step;
            if step.abs() < 1e-4 {
                break;
            }
        }
        curvature
    }
}

/// Averages the parts: means of means, and the variance within plus that
/// between.
fn merge(
    (weights, copies): (&[f64], f64),
    parts: &[(f64, Sums, Position)],
    position: &mut Position,
    sums: &mut Sums,
) {
    let size = sums.gradient.len();
    let mean_of = |value: &dyn Fn(&(f64, Sums, Position)) -> f64| -> f64 {
        weights
            .iter()
            .zip(parts)
            .map(|(weight, part)| weight * value(part))
            .sum()
    };
    let scores: Vec<f64> = (0..size)
        .map(|i| mean_of(&|part| part.1.gradient[i]))
        .collect();
    position.mean = mean_of(&|part| part.2.mean);
    let second = mean_of(&|part| part.2.variance + part.2.mean * part.2.mean);
    position.variance = second - position.mean * position.mean;
    position.mode = mean_of(&|part| part.2.mode);
    for (i, mean) in scores.iter().enumerate() {
        let product = mean_of(&|part| part.2.with_score[i] + part.2.mean * part.1.gradient[i]);
        position.with_score[i] = product - position.mean * mean;
        sums.gradient[i] += copies * mean;
    }
    for (weight, (_, part, _)) in weights.iter().zip(parts) {
        let mut missing = part.missing.clone();
        let from_mean: Vec<f64> = part
            .gradient
            .iter()
            .zip(&scores)
            .map(|(g, m)| g - m)
            .collect();
        missing.add_outer(&from_mean, 1.0);
        missing.scale(copies * *weight);
        sums.missing.add_matrix(&missing);
        for (sum, value) in sums.complete.iter_mut().zip(&part.complete) {
            (0..3).for_each(|i| sum[i] += copies * weight * value[i]);
        }
    }
}

/// The largest ω considered.
const LARGEST_OMEGA: f64 = 4.0;

/// Sets the spread of the draw parameter to its maximum, in turns with τ.
pub(super) fn maximise_omega(marginal: &mut Marginal) -> Result<(), AdvantageError> {
    for _ in 0..8 {
        let start = TauProfile::peak(marginal)?;
        let before = marginal.omega;
        let (mut eta, mut positions) = (start.eta, start.positions);
        let mut weight = |omega: f64| {
            marginal.omega = omega;
            match marginal.maximise(start.tau, eta.clone(), positions.clone()) {
                Ok(found) => {
                    (eta, positions) = (found.eta, found.positions);
                    found.weight
                }
                Err(_) => f64::NEG_INFINITY,
            }
        };
        let without = weight(0.0);
        let high = if before > 0.0 {
            (2.0 * before).min(LARGEST_OMEGA)
        } else {
            LARGEST_OMEGA
        };
        let best = maximum(0.0, high, 1e-4, &mut weight);
        marginal.omega = if best.value > without { best.at } else { 0.0 };
        if (marginal.omega - before).abs() < 5e-4 {
            break;
        }
    }
    Ok(())
}

/// Work per count, for the decision about threads.
pub(super) const NESTED: usize = NODES * NODES;
