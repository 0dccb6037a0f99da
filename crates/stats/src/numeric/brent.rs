//! Brent's search for the maximum of a function of one variable.

/// A maximum found by [`maximum`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Maximum {
    /// Where.
    pub at: f64,
    /// How high.
    pub value: f64,
}

/// Golden section, as a share of the larger segment.
const GOLDEN: f64 = 0.381_966_011_250_105_1;

/// The maximum of a unimodal `f` on `[low, high]`, to within `tolerance`.
///
/// R. P. Brent, *Algorithms for Minimization without Derivatives* (1973),
/// chapter 5: parabolic steps, golden sections where these misbehave. The end
/// points themselves are never evaluated.
pub fn maximum(low: f64, high: f64, tolerance: f64, mut f: impl FnMut(f64) -> f64) -> Maximum {
    let (mut a, mut b) = (low, high);
    let start = a + GOLDEN * (b - a);
    let mut best = Maximum {
        at: start,
        value: f(start),
    };
    let (mut second, mut third) = (best, best);
    let (mut step, mut before): (f64, f64) = (0.0, 0.0);
    for _ in 0..200 {
        let middle = 0.5 * (a + b);
        let margin = tolerance + 1e-12 * best.at.abs();
        if (best.at - middle).abs() <= 2.0 * margin - 0.5 * (b - a) {
            break;
        }
        let parabola = parabolic_step([best, second, third]).filter(|p| {
            before.abs() > margin
                && p.abs() < 0.5 * before.abs()
                && best.at + p > a
                && best.at + p < b
        });
        (step, before) = match parabola {
            Some(p) => (p, step),
            None => {
                let whole = if best.at < middle {
                    b - best.at
                } else {
                    a - best.at
                };
                (GOLDEN * whole, whole)
            }
        };
        let at = best.at + step.abs().max(margin).copysign(step);
        let trial = Maximum { at, value: f(at) };
        if trial.value >= best.value {
            if at < best.at {
                b = best.at
            } else {
                a = best.at
            }
            (third, second, best) = (second, best, trial);
            continue;
        }
        if at < best.at {
            a = at
        } else {
            b = at
        }
        if trial.value >= second.value || second.at == best.at {
            (third, second) = (second, trial);
        } else if trial.value >= third.value || third.at == best.at || third.at == second.at {
            third = trial;
        }
    }
    best
}

/// The step from the first point to the apex of the parabola through three.
fn parabolic_step([x, w, v]: [Maximum; 3]) -> Option<f64> {
    let r = (x.at - w.at) * (x.value - v.value);
    let q = (x.at - v.at) * (x.value - w.value);
    let denominator = 2.0 * (q - r);
    let step = -((x.at - v.at) * q - (x.at - w.at) * r) / denominator;
    step.is_finite().then_some(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_interior_maxima_quickly() {
        let mut calls = 0;
        let top = maximum(0.0, 3.0, 1e-7, |x| {
            calls += 1;
            x * (-x).exp()
        });
        assert!((top.at - 1.0).abs() < 1e-6, "{top:?}");
        assert!(calls < 25, "{calls} evaluations");
    }

    #[test]
    fn approaches_a_maximum_at_the_edge() {
        assert!(maximum(0.0, 2.0, 1e-6, |x| -x).at < 1e-5);
        assert!(maximum(0.0, 2.0, 1e-6, |x| x).at > 2.0 - 1e-5);
    }
}
