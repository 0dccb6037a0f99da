//! The posterior weight of τ: its maximum, the likelihood-ratio test of no
//! variation, and the grid over which every posterior is a mixture.

use crate::numeric::brent::maximum;

use super::AdvantageError;
use super::marginal::{Marginal, Optimum};
use super::slice::Slice;

/// Points of the grid.
const GRID: usize = 41;

/// The grid ends where the logarithm of the weight has fallen by this much.
const FALL: f64 = 12.0;

/// The largest τ considered, in logits: far beyond anything in chess. Only
/// with very few positions is there any weight near it.
const LARGEST_TAU: f64 = 12.0;

/// τ with its weights.
pub(super) struct TauProfile {
    /// The maximum of the weight.
    pub tau_hat: f64,
    /// `2 [w(τ̂) − w(0)]`.
    pub likelihood_ratio: f64,
    /// The maximum over η at τ̂.
    pub mode: Optimum,
    /// What is known at each point of an even grid.
    pub grid: Vec<Slice>,
    /// The logarithm of the weight there, and the probability: trapezoid weights, summing to one.
    logs: Vec<f64>,
    pub probability: Vec<f64>,
}

/// A point that was evaluated, with what a search nearby begins from. The whole optimum
/// of each would be too much for 100,000 openings.
struct Known {
    tau: f64,
    weight: f64,
    eta: Vec<f64>,
    modes: Vec<[f32; 2]>,
}

/// Evaluates the weight, each time from the nearest point known.
struct Explorer<'a> {
    marginal: &'a Marginal,
    known: Vec<Known>,
    failure: Option<AdvantageError>,
}

impl Explorer<'_> {
    fn optimum(&mut self, tau: f64) -> Result<Optimum, AdvantageError> {
        self.known
            .sort_by(|a, b| (a.tau - tau).abs().total_cmp(&(b.tau - tau).abs()));
        let (mut eta, mut positions) = self.marginal.origin();
        if let Some(known) = self.known.first() {
            eta = if known.tau == tau {
                known.eta.clone()
            } else {
                self.predict(tau)
            };
            for (position, [mode, draw_mode]) in positions.iter_mut().zip(&known.modes) {
                (position.mode, position.draw_mode) = (f64::from(*mode), f64::from(*draw_mode));
            }
        }
        let found = self.marginal.maximise(tau, eta, positions)?;
        if self.known.iter().all(|known| known.tau != tau) {
            self.known.push(Known {
                tau,
                weight: found.weight,
                eta: found.eta.clone(),
                modes: found
                    .positions
                    .iter()
                    .map(|z| [z.mode as f32, z.draw_mode as f32])
                    .collect(),
            });
        }
        Ok(found)
    }

    /// η at τ by the parabola through the nearest known optima: it follows τ
    /// smoothly, so this saves most Newton steps.
    fn predict(&self, tau: f64) -> Vec<f64> {
        let nearest = &self.known[..self.known.len().min(3)];
        let share = |i: usize| -> f64 {
            let others = nearest.iter().enumerate().filter(|(j, _)| *j != i);
            others
                .map(|(_, o)| (tau - o.tau) / (nearest[i].tau - o.tau))
                .product()
        };
        // Far outside the known points a parabola is no guide.
        if (0..nearest.len()).any(|i| share(i).abs() > 4.0) {
            return nearest[0].eta.clone();
        }
        let mut eta = vec![0.0; nearest[0].eta.len()];
        for (i, optimum) in nearest.iter().enumerate() {
            let share = share(i);
            eta.iter_mut()
                .zip(&optimum.eta)
                .for_each(|(sum, value)| *sum += share * value);
        }
        eta
    }

    /// The weight, minus infinity where the likelihood has no maximum; the
    /// reason is kept.
    fn weight(&mut self, tau: f64) -> f64 {
        if let Some(known) = self.known.iter().find(|known| known.tau == tau) {
            return known.weight;
        }
        match self.optimum(tau) {
            Ok(optimum) => optimum.weight,
            Err(error) => {
                self.failure.get_or_insert(error);
                f64::NEG_INFINITY
            }
        }
    }

    /// A τ beyond the maximum where the weight has fallen enough, after
    /// doubling from a small one. Returns it with the best point passed. Very
    /// few games may have no maximum at a large τ: the search ends before.
    fn bracket(&mut self) -> Result<(f64, f64), AdvantageError> {
        let (mut best, mut best_weight) = (0.0, self.optimum(0.0)?.weight);
        let (mut tau, mut reached) = (0.05, 0.0);
        while tau < LARGEST_TAU {
            let Ok(Optimum { weight, .. }) = self.optimum(tau) else {
                break;
            };
            if weight > best_weight {
                (best, best_weight) = (tau, weight);
            } else if weight < best_weight - FALL {
                return Ok((best, tau));
            }
            reached = tau;
            tau *= 2.0;
        }
        if reached > 0.0 {
            Ok((best, reached))
        } else {
            Err(AdvantageError::Unbounded)
        }
    }

    /// The maximum of the weight, and a τ beyond it where the weight has fallen
    /// enough.
    fn peak(&mut self) -> Result<(Optimum, f64), AdvantageError> {
        let at_zero = self.optimum(0.0)?;
        let (near, far) = self.bracket()?;
        let upper = (2.0 * near).clamp(0.05, far);
        let inner = maximum(0.5 * near, upper, 5e-5, |tau| self.weight(tau));
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        let best = if inner.value > at_zero.weight {
            self.optimum(inner.at)?
        } else {
            at_zero
        };
        Ok((best, far))
    }

    /// A point between `inside` (near the maximum, `top`) and `outside` where
    /// the weight has fallen just enough. The root of the fall is nearly
    /// linear in τ, so interpolation in it arrives quickly.
    fn edge(&mut self, mut inside: f64, mut outside: f64, top: f64) -> f64 {
        let mut depth = |tau: f64| (top - self.weight(tau)).clamp(0.0, 1e6).sqrt();
        let (target, enough, too_much) = (13.0_f64.sqrt(), FALL.sqrt(), 15.0_f64.sqrt());
        let (mut shallow, mut deep) = (depth(inside), depth(outside));
        for _ in 0..20 {
            if deep <= too_much {
                break;
            }
            let share = ((target - shallow) / (deep - shallow)).clamp(0.05, 0.95);
            let at = inside + share * (outside - inside);
            let reached = depth(at);
            if reached < enough {
                (inside, shallow) = (at, reached);
            } else {
                (outside, deep) = (at, reached);
            }
        }
        outside
    }
}

impl TauProfile {
    /// Explores τ; `reference` is the group of the position that others are compared with.
    pub(crate) fn new(
        marginal: &Marginal,
        reference: Option<usize>,
    ) -> Result<Self, AdvantageError> {
        let mut explorer = Explorer {
            marginal,
            known: Vec::new(),
            failure: None,
        };
        let (mode, far) = explorer.peak()?;
        let (tau_hat, top, at_zero) = (mode.tau, mode.weight, explorer.weight(0.0));
        let level = top - FALL;
        let low = if at_zero > level {
            0.0
        } else {
            explorer.edge(tau_hat, 0.0, top)
        };
        let high = if explorer.weight(far) > level {
            far
        } else {
            explorer.edge(tau_hat, far, top)
        };
        let at = |i: usize| low + (high - low) * i as f64 / (GRID - 1) as f64;
        let (mut grid, mut logs) = (Vec::new(), Vec::new());
        for i in 0..GRID {
            let optimum = explorer.optimum(at(i))?;
            logs.push(optimum.weight - top);
            grid.push(Slice::new(marginal, &optimum, reference));
        }
        Ok(Self {
            likelihood_ratio: 2.0 * (top - at_zero),
            mode,
            tau_hat,
            probability: trapezoid(&logs),
            logs,
            grid,
        })
    }

    /// The maximum of the weight alone.
    pub(crate) fn peak(marginal: &Marginal) -> Result<Optimum, AdvantageError> {
        let mut explorer = Explorer {
            marginal,
            known: Vec::new(),
            failure: None,
        };
        Ok(explorer.peak()?.0)
    }

    /// The quantile of τ. Between grid points the logarithm of the weight is
    /// taken to be cubic (Catmull & Rom).
    pub(crate) fn quantile(&self, probability: f64) -> f64 {
        const PARTS: usize = 20;
        let fine = (GRID - 1) * PARTS;
        let density =
            |i: usize| cubic(&self.logs, i / PARTS, (i % PARTS) as f64 / PARTS as f64).exp();
        let densities: Vec<f64> = (0..=fine).map(density).collect();
        let cells: Vec<f64> = densities
            .windows(2)
            .map(|two| 0.5 * (two[0] + two[1]))
            .collect();
        let mut missing = probability * cells.iter().sum::<f64>();
        let (low, high) = (self.grid[0].tau, self.grid[GRID - 1].tau);
        for (i, cell) in cells.iter().enumerate() {
            if *cell >= missing && *cell > 0.0 {
                let share = linear_quantile(densities[i], densities[i + 1], missing);
                return low + (high - low) * (i as f64 + share) / fine as f64;
            }
            missing -= cell;
        }
        high
    }

    /// Mean and variance over the grid of a quantity with its own variance.
    pub(crate) fn mixture(&self, moments: impl Fn(usize) -> (f64, f64)) -> (f64, f64) {
        let (mut mean, mut square) = (0.0, 0.0);
        for (i, probability) in self.probability.iter().enumerate() {
            let (m, v) = moments(i);
            mean += probability * m;
            square += probability * (v + m * m);
        }
        (mean, (square - mean * mean).max(0.0))
    }
}

fn trapezoid(logs: &[f64]) -> Vec<f64> {
    let mut weights: Vec<f64> = logs.iter().map(|log| log.exp()).collect();
    if let [first, .., last] = &mut weights[..] {
        *first *= 0.5;
        *last *= 0.5;
    }
    let total: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / total).collect()
}

/// The value at `left + share` of the cubic through evenly spaced points; at
/// the ends it continues the straight line.
pub(super) fn cubic(values: &[f64], left: usize, share: f64) -> f64 {
    let at = |i: usize| values[i.min(values.len() - 1)];
    let (b, c) = (at(left), at(left + 1));
    let before = left.checked_sub(1).map_or(2.0 * b - c, at);
    let after = if left + 2 < values.len() {
        at(left + 2)
    } else {
        2.0 * c - b
    };
    let (slope_b, slope_c) = (0.5 * (c - before), 0.5 * (after - b));
    let rise = c - b;
    b + share
        * (slope_b
            + share
                * ((3.0 * rise - 2.0 * slope_b - slope_c)
                    + share * (slope_b + slope_c - 2.0 * rise)))
}

/// The share `s` of a cell with `∫₀ˢ (left + (right − left) t) dt = area`.
fn linear_quantile(left: f64, right: f64, area: f64) -> f64 {
    let slope = right - left;
    let root = (left * left + 2.0 * slope * area).max(0.0).sqrt();
    (2.0 * area / (left + root)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubics_are_interpolated_exactly() {
        let values: Vec<f64> = (0..6)
            .map(|i| f64::from(i).powi(2) - 3.0 * f64::from(i))
            .collect();
        assert!((cubic(&values, 2, 0.3) - (2.3 * 2.3 - 6.9)).abs() < 1e-14);
        assert_eq!(
            (cubic(&values, 0, 0.0), cubic(&values, 5, 0.0)),
            (0.0, 10.0)
        );
    }

    #[test]
    fn linear_densities_are_inverted() {
        assert!((linear_quantile(1.0, 1.0, 0.25) - 0.25).abs() < 1e-15);
        assert!((linear_quantile(0.0, 2.0, 0.25) - 0.5).abs() < 1e-15);
        assert!((linear_quantile(2.0, 0.0, 0.75) - 0.5).abs() < 1e-15);
    }
}
