//! Roots of a continuous function of one variable.

/// Steps after which the search stops with the best point so far; bisection
/// alone would use up a double in about 1,075 steps, the method needs 5 to 20.
const MAX_STEPS: usize = 200;

/// A root of `f` between `low` and `high`, where `f` has opposite signs.
///
/// Chandrupatla's method (Adv. Eng. Softw. 28, 1997, 145–149): inverse quadratic
/// interpolation where it is safe, bisection elsewhere. `tolerance` is absolute,
/// to which the spacing of doubles at the root is added. `None` if the signs
/// agree or a value is not a number.
pub fn find_root(
    mut f: impl FnMut(f64) -> f64,
    low: f64,
    high: f64,
    tolerance: f64,
) -> Option<f64> {
    let (value_low, value_high) = (f(low), f(high));
    if value_low == 0.0 {
        return Some(low);
    }
    if value_high == 0.0 {
        return Some(high);
    }
    if value_low.is_nan() || value_high.is_nan() || (value_low < 0.0) == (value_high < 0.0) {
        return None;
    }
    let ends = [(high, value_high), (low, value_low)];
    Some(shrink(&mut f, ends, tolerance))
}

/// Shrinks the bracket `[a, b]` to the root.
fn shrink(f: &mut impl FnMut(f64) -> f64, [mut a, mut b]: [(f64, f64); 2], tolerance: f64) -> f64 {
    let mut fraction = 0.5;
    for _ in 0..MAX_STEPS {
        let x = a.0 + fraction * (b.0 - a.0);
        let point = (x, f(x));
        let previous = if (point.1 < 0.0) == (a.1 < 0.0) {
            std::mem::replace(&mut a, point)
        } else {
            let old = std::mem::replace(&mut b, a);
            a = point;
            old
        };
        let best = if a.1.abs() < b.1.abs() { a } else { b };
        let allowed = 2.0 * f64::EPSILON * best.0.abs() + 0.5 * tolerance;
        let limit = allowed / (b.0 - a.0).abs();
        if limit > 0.5 || best.1 == 0.0 || point.1.is_nan() {
            return best.0;
        }
        fraction = next_fraction(a, b, previous).clamp(limit, 1.0 - limit);
    }
    a.0
}

/// Where in the bracket to look next: 0.5 is bisection.
fn next_fraction(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> f64 {
    let xi = (a.0 - b.0) / (c.0 - b.0);
    let phi = (a.1 - b.1) / (c.1 - b.1);
    if phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi {
        let near = a.1 / (b.1 - a.1) * c.1 / (b.1 - c.1);
        let far = (c.0 - a.0) / (b.0 - a.0) * a.1 / (c.1 - a.1) * b.1 / (c.1 - b.1);
        near + far
    } else {
        0.5
    }
}

/// Where `is_below` changes from true to false between `low` and `high`, by halving: to the
/// width that `tolerance` allows for an interval, or until no number lies between its ends.
pub fn bisect(
    (mut low, mut high): (f64, f64),
    tolerance: impl Fn(f64, f64) -> f64,
    is_below: impl Fn(f64) -> bool,
) -> f64 {
    while high - low > tolerance(low, high) {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if is_below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

// The search for the maximum of a function of one variable.

/// Golden section, as a share of the larger segment.
const GOLDEN: f64 = 0.381_966_011_250_105_1;

/// The maximum of a unimodal `f` on `[low, high]`, to within `tolerance`, by golden sections: where, and how high.
pub fn maximum(
    mut low: f64,
    mut high: f64,
    tolerance: f64,
    mut f: impl FnMut(f64) -> f64,
) -> (f64, f64) {
    let mut look = |at: f64| (at, f(at));
    let mut left = look(low + GOLDEN * (high - low));
    let mut right = look(high - GOLDEN * (high - low));
    while high - low > tolerance {
        if left.1 >= right.1 {
            (high, right) = (right.0, left);
            left = look(low + GOLDEN * (high - low));
        } else {
            (low, left) = (left.0, right);
            right = look(high - GOLDEN * (high - low));
        }
    }
    if left.1 >= right.1 { left } else { right }
}

// The secular equation of constrained multinomial likelihoods.
//
// Maximising Σ pᵢ ln qᵢ under Σ qᵢ = 1 and one linear constraint Σ qᵢ fᵢ = 0
// gives qᵢ = pᵢ / (1 + x fᵢ) with Σ pᵢ fᵢ / (1 + x fᵢ) = 0 (M. Van den Bergh,
// cantate.be/Fishtest/support_MLE_multinomial.pdf, proposition 1.1; the same
// equation as in Owen's empirical likelihood, Biometrika 1988).

/// Newton steps are quadratic near the root; a root that lies within 1e-15 of a
/// pole is reached by bisection, one bit a step.
const MAX_NEWTON_STEPS: usize = 120;

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
    let is_between = low < start && start < high;
    let start = if is_between { start } else { 0.0 };
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
    for _ in 0..MAX_NEWTON_STEPS {
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
    fn halving_stops_at_the_tolerance_or_between_two_doubles() {
        let is_below = |x: f64| x * x < 2.0;
        let exact = bisect((0.0, 2.0), |_, _| 0.0, is_below);
        assert!((exact - std::f64::consts::SQRT_2).abs() <= f64::EPSILON);
        assert_eq!(bisect((0.0, 2.0), |_, _| 0.5, is_below), 1.25);
    }

    #[test]
    fn finds_smooth_and_steep_roots() {
        let root = find_root(|x| x * x - 2.0, 0.0, 2.0, 0.0).unwrap();
        assert!((root - std::f64::consts::SQRT_2).abs() < 1e-15);
        let steep = find_root(|x| (1e6 * (x - 0.123)).tanh(), -5.0, 5.0, 0.0).unwrap();
        assert!((steep - 0.123).abs() < 1e-12);
    }

    #[test]
    fn refuses_what_is_no_bracket() {
        assert_eq!(find_root(|x| x * x + 1.0, -1.0, 1.0, 0.0), None);
        assert_eq!(find_root(|_| f64::NAN, -1.0, 1.0, 0.0), None);
        assert_eq!(find_root(|x| x, 0.0, 1.0, 0.0), Some(0.0));
    }
}

#[cfg(test)]
mod maximum_tests {
    use super::*;

    #[test]
    fn finds_interior_maxima() {
        let top = maximum(0.0, 3.0, 1e-7, |x| x * (-x).exp());
        assert!((top.0 - 1.0).abs() < 1e-6, "{top:?}");
    }

    #[test]
    fn approaches_a_maximum_at_the_edge() {
        assert!(maximum(0.0, 2.0, 1e-6, |x| -x).0 < 1e-5);
        assert!(maximum(0.0, 2.0, 1e-6, |x| x).0 > 2.0 - 1e-5);
    }
}

#[cfg(test)]
mod secular_tests {
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
