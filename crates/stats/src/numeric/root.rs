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
    Some(shrink(
        &mut f,
        [(high, value_high), (low, value_low)],
        tolerance,
    ))
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
