//! One position's posterior at one draw of the prior: a mass at each node and one at the centre.

use super::components::PriorDraw;
use super::likelihood::Likelihood;
use super::nodes::Nodes;

/// The posterior of α, one together.
pub(super) struct Law {
    /// Mass at the nodes.
    pub mass: Vec<f64>,
    /// Mass up to each edge between nodes, the point mass left out.
    cumulative: Vec<f64>,
    /// Mass at the centre itself.
    pub point: f64,
    /// The centre.
    pub centre: f64,
    /// Mean and variance of all.
    pub mean: f64,
    pub variance: f64,
}

impl Law {
    pub(crate) fn empty(nodes: &Nodes) -> Self {
        Self {
            mass: vec![0.0; nodes.at.len()],
            cumulative: vec![0.0; nodes.at.len() + 1],
            point: 0.0,
            centre: 0.0,
            mean: 0.0,
            variance: 0.0,
        }
    }

    /// Fills in group `group`'s posterior.
    pub(crate) fn fill(
        &mut self,
        (nodes, centres): (&Nodes, &[f64]),
        likelihood: &Likelihood,
        prior: &PriorDraw,
        group: usize,
    ) {
        self.centre = centres[prior.centre];
        let central = f64::from(likelihood.central(group)[prior.centre]);
        let mut point = prior.point * central + 1e-300;
        let mut total = point;
        let products = likelihood.row(group).iter().zip(&prior.mass);
        for (mass, (l, m)) in self.mass.iter_mut().zip(products) {
            *mass = f64::from(*l) * m;
            total += *mass;
        }
        let scale = 1.0 / total;
        point *= scale;
        let (mut first, mut second, mut sum) = (point * self.centre, 0.0, 0.0);
        for ((mass, cumulative), x) in self
            .mass
            .iter_mut()
            .zip(&mut self.cumulative[1..])
            .zip(&nodes.at)
        {
            *mass *= scale;
            first += *mass * x;
            sum += *mass;
            *cumulative = sum;
        }
        for (mass, x) in self.mass.iter().zip(&nodes.at) {
            second += mass * (x - first) * (x - first);
        }
        second += point * (self.centre - first).powi(2);
        (self.point, self.mean, self.variance) = (point, first, second);
    }

    /// The continuous mass above `x`.
    pub(crate) fn above(&self, nodes: &Nodes, x: f64) -> f64 {
        let last = self.mass.len();
        let cell = nodes.edges.partition_point(|edge| *edge <= x);
        let below = match cell {
            0 => 0.0,
            cell if cell > last => self.cumulative[last],
            cell => {
                let (left, right) = (nodes.edges[cell - 1], nodes.edges[cell]);
                self.cumulative[cell - 1] + self.mass[cell - 1] * (x - left) / (right - left)
            }
        };
        self.cumulative[last] - below
    }

    /// The mass, that at the centre included, within `margin` of `x`.
    pub(super) fn within(&self, nodes: &Nodes, x: f64, margin: f64) -> f64 {
        let point = if (self.centre - x).abs() <= margin {
            self.point
        } else {
            0.0
        };
        self.above(nodes, x - margin) - self.above(nodes, x + margin) + point
    }

    /// P(α + `moved` > the other's), ties by half.
    pub(crate) fn beats(&self, other: &Law, moved: f64, nodes: &Nodes) -> f64 {
        let continuous = nodes.at.iter().zip(&self.mass);
        let below = |x: f64| {
            let point = match x.total_cmp(&other.centre) {
                std::cmp::Ordering::Greater => other.point,
                std::cmp::Ordering::Equal => 0.5 * other.point,
                std::cmp::Ordering::Less => 0.0,
            };
            1.0 - other.point - other.above(nodes, x) + point
        };
        let sum: f64 = continuous.map(|(x, mass)| mass * below(x + moved)).sum();
        // Both at the centre are equal, however the strengths move them.
        sum + self.point * below(self.centre)
    }

    /// Adds the mass of each cell.
    pub(crate) fn add_to(&self, cells: &mut [f64], nodes: &Nodes) {
        cells
            .iter_mut()
            .zip(&self.mass)
            .for_each(|(cell, mass)| *cell += mass);
        let cell = nodes.edges.partition_point(|edge| *edge <= self.centre);
        cells[cell.clamp(1, cells.len()) - 1] += self.point;
    }

    /// The point below which the share `u` of the mass lies.
    pub(crate) fn draw(&self, nodes: &Nodes, u: f64) -> f64 {
        let continuous = 1.0 - self.point;
        if u >= continuous {
            return self.centre;
        }
        let cell = self.cumulative.partition_point(|sum| *sum <= u);
        let cell = cell.clamp(1, self.mass.len());
        let share = (u - self.cumulative[cell - 1]) / self.mass[cell - 1].max(1e-300);
        let (left, right) = (nodes.edges[cell - 1], nodes.edges[cell]);
        left + share.clamp(0.0, 1.0) * (right - left)
    }
}

/// The quantile of a mass spread evenly over the cells.
pub(super) fn quantile(mass: &[f64], nodes: &Nodes, probability: f64) -> f64 {
    let mut missing = probability * mass.iter().sum::<f64>();
    for (cell, own) in mass.iter().enumerate() {
        if *own >= missing && *own > 0.0 {
            let (left, right) = (nodes.edges[cell], nodes.edges[cell + 1]);
            return left + (right - left) * missing / own;
        }
        missing -= own;
    }
    nodes.edges[mass.len()]
}
