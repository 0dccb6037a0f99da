//! The secular equation of constrained multinomial likelihoods.
//!
//! Maximising Σ pᵢ ln qᵢ under Σ qᵢ = 1 and one linear constraint Σ qᵢ fᵢ = 0
//! gives qᵢ = pᵢ / (1 + x fᵢ) with Σ pᵢ fᵢ / (1 + x fᵢ) = 0 (M. Van den Bergh,
//! cantate.be/Fishtest/support_MLE_multinomial.pdf, proposition 1.1; the same
//! equation as in Owen's empirical likelihood, Biometrika 1988).

/// Newton steps are quadratic near the root; a root that lies within 1e-15 of a
/// pole is reached by bisection, one bit a step.
const MAX_STEPS: usize = 120;

/// The multiplier x in [-1/max f, -1/min f].
///
/// The left side falls strictly between the two poles, so there is at most one
/// root. If the cell at a pole carries no weight there may be none; the answer is
/// then the pole itself, where the law puts mass on that unobserved cell.
/// `None` if the values do not lie on both sides of zero: no law fulfils the constraint.
pub fn secular_root(weights: &[f64], values: &[f64]) -> Option<f64> {
    secular_root_from(weights, values, 0.0)
}

/// As [`secular_root`], beginning at `start` if it lies between the poles.
pub fn secular_root_from(weights: &[f64], values: &[f64], start: f64) -> Option<f64> {
    let min = values.iter().copied().fold(f64::INFINITY, f64::min);
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(min < 0.0 && max > 0.0) {
        return None;
    }
    let (low, high) = (-1.0 / max, -1.0 / min);
    if !(low.is_finite() && high.is_finite()) {
        return None;
    }
    if !carries_weight(weights, values, max) && slope(weights, values, low).0 <= 0.0 {
        return Some(low);
    }
    if !carries_weight(weights, values, min) && slope(weights, values, high).0 >= 0.0 {
        return Some(high);
    }
    let start = if low < start && start < high {
        start
    } else {
        0.0
    };
    Some(newton(weights, values, low, high, start))
}

fn carries_weight(weights: &[f64], values: &[f64], value: f64) -> bool {
    weights
        .iter()
        .zip(values)
        .any(|(&w, &v)| w > 0.0 && v == value)
}

/// The left side of the equation and its derivative at `x`.
fn slope(weights: &[f64], values: &[f64], x: f64) -> (f64, f64) {
    let mut sum = (0.0, 0.0);
    for (&weight, &value) in weights.iter().zip(values) {
        if weight > 0.0 {
            let ratio = value / (1.0 + x * value);
            sum.0 += weight * ratio;
            sum.1 -= weight * ratio * ratio;
        }
    }
    sum
}

fn newton(weights: &[f64], values: &[f64], low: f64, high: f64, start: f64) -> f64 {
    let (mut low, mut high, mut x) = (low, high, start);
    for _ in 0..MAX_STEPS {
        let (value, derivative) = slope(weights, values, x);
        if value == 0.0 {
            return x;
        }
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let mut next = x - value / derivative;
        if !(low < next && next < high) {
            next = 0.5 * (low + high);
        }
        if (next - x).abs() <= 4.0 * f64::EPSILON * x.abs() || next == low || next == high {
            return next;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tilted_law_fulfils_the_constraint() {
        let (weights, values) = ([0.1, 0.2, 0.3, 0.25, 0.15], [-0.4, -0.15, 0.1, 0.35, 0.6]);
        let x = secular_root(&weights, &values).unwrap();
        let law = weights.iter().zip(&values).map(|(w, v)| w / (1.0 + x * v));
        let (mass, moment) = law
            .zip(&values)
            .fold((0.0, 0.0), |(m, f), (q, v)| (m + q, f + q * v));
        assert!((mass - 1.0).abs() < 1e-14 && moment.abs() < 1e-15);
    }

    #[test]
    fn mass_goes_to_an_unobserved_end() {
        // 25 drawn pairs and a mean below one half: the pole 1/s.
        let s = 0.4;
        let values = [0.0, 0.25, 0.5, 0.75, 1.0].map(|a| a - s);
        let x = secular_root(&[0.0, 0.0, 1.0, 0.0, 0.0], &values).unwrap();
        assert!((x - 1.0 / s).abs() < 1e-12);
    }

    #[test]
    fn nothing_fulfils_a_one_sided_constraint() {
        assert_eq!(secular_root(&[0.5, 0.5], &[0.1, 0.2]), None);
        assert_eq!(secular_root(&[], &[]), None);
    }
}
