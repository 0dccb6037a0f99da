//! Points of the advantage at which priors and likelihoods are evaluated: dense around the
//! centre, where the narrow parts of the prior are, and not wider apart than a likelihood.

/// Steps of the map from even points: the trapezoid rule is then exact to many digits for
/// normals no narrower than the points' distance.
const STEP: f64 = 0.4;

/// Points on each side, at most.
const MOST: usize = 400;

/// The points with their weights: `Σ w f(x) ≈ ∫ f`.
pub(super) struct Nodes {
    pub at: Vec<f64>,
    pub weight: Vec<f64>,
    /// Ends of the cells around the points: one more than points.
    pub edges: Vec<f64>,
}

impl Nodes {
    /// Points up to `reach` from `centre`; `finest` apart there, far away `coarsest`.
    pub(crate) fn new(centre: f64, reach: f64, (finest, coarsest): (f64, f64)) -> Self {
        let mut side = Side::new(finest, coarsest);
        let mut points = side.march(reach);
        while points.len() > MOST {
            side = Side::new(1.5 * side.inner * STEP, 1.5 * side.outer * STEP);
            points = side.march(reach);
        }
        let mirrored = points[1..].iter().rev().map(|x| -x);
        let offsets: Vec<f64> = mirrored.chain(points.iter().copied()).collect();
        let weight = offsets.iter().map(|x| side.speed(*x)).collect();
        let at: Vec<f64> = offsets.iter().map(|x| centre + x).collect();
        let mut edges: Vec<f64> = at.windows(2).map(|two| 0.5 * (two[0] + two[1])).collect();
        edges.insert(0, 1.5 * at[0] - 0.5 * at[1]);
        edges.push(1.5 * at[at.len() - 1] - 0.5 * at[at.len() - 2]);
        Self { at, weight, edges }
    }
}

/// The map `dx/dt = STEP √((c² + x²) / (1 + (x/X)²))`: distances grow from `STEP c` to `STEP X`.
struct Side {
    inner: f64,
    outer: f64,
}

impl Side {
    fn new(finest: f64, coarsest: f64) -> Self {
        let outer = coarsest / STEP;
        Self {
            inner: (finest / STEP).min(outer),
            outer,
        }
    }

    fn speed(&self, x: f64) -> f64 {
        let far = x / self.outer;
        STEP * ((self.inner * self.inner + x * x) / (1.0 + far * far)).sqrt()
    }

    /// From 0 to `reach`, by the classical Runge–Kutta method.
    fn march(&self, reach: f64) -> Vec<f64> {
        let mut points = vec![0.0];
        let mut x = 0.0;
        while x < reach && points.len() <= MOST + 1 {
            let k1 = self.speed(x);
            let k2 = self.speed(x + 0.5 * k1);
            let k3 = self.speed(x + 0.5 * k2);
            let k4 = self.speed(x + k3);
            x += (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0;
            points.push(x);
        }
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normals_are_integrated_to_many_digits() {
        let nodes = Nodes::new(0.3, 10.0, (0.05, 0.4));
        for (mean, sd) in [(0.3, 0.05), (0.3, 2.0), (0.9, 0.3), (-1.2, 0.7)] {
            let density =
                |x: f64| (-0.5 * ((x - mean) / sd).powi(2)).exp() / sd / 2.506_628_274_631;
            let pairs = nodes.at.iter().zip(&nodes.weight);
            let total: f64 = pairs.map(|(x, w)| w * density(*x)).sum();
            assert!((total - 1.0).abs() < 1e-4, "{mean} {sd}: {total}");
        }
        assert!(nodes.at.len() < 120 && nodes.edges.len() == nodes.at.len() + 1);
    }

    #[test]
    fn the_number_of_points_is_bounded() {
        let nodes = Nodes::new(0.0, 14.0, (0.001, 0.001));
        assert!(nodes.at.len() <= 2 * MOST && *nodes.at.last().expect("points") >= 13.9);
    }
}
