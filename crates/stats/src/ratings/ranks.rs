//! Who is better than whom: likelihood of superiority, probabilities of each
//! place, and the set of places that holds an engine's with 95 %.

use crate::numeric::linear::Symmetric;
use crate::numeric::random::SplitMix;

use super::table::RatingTable;

/// Draws of all ratings that [`RankDistribution::new`] takes.
const DRAWS: usize = 20_000;

/// The distribution of the places of the engines of one component.
#[derive(Clone, Debug, PartialEq)]
pub struct RankDistribution {
    /// The engines, in the order of the rows of `probability`.
    pub engines: Vec<u16>,
    /// `probability[i][r]`: engine i has place r + 1.
    pub probability: Vec<Vec<f64>>,
}

impl RankDistribution {
    /// Samples the joint normal of the ratings (Student's t with few
    /// clusters); equal seeds give equal results. `None` without errors.
    pub fn new(table: &RatingTable, members: &[usize], seed: u64) -> Option<Self> {
        let errors = table.errors.as_ref()?;
        let engines: Vec<u16> = members.iter().map(|engine| *engine as u16).collect();
        let means: Vec<f64> = engines
            .iter()
            .map(|engine| table.elo(*engine))
            .collect::<Option<_>>()?;
        let covariance = errors.of_members(members)?;
        let probability = sample_ranks(&means, &covariance, errors.freedom(), seed);
        Some(Self {
            engines,
            probability,
        })
    }

    /// Best and worst place of the central set that holds the place of the
    /// i-th engine with at least this probability.
    pub fn rank_set(&self, index: usize, level: f64) -> (usize, usize) {
        let row = &self.probability[index];
        let tail = 0.5 * (1.0 - level);
        let within = |places: &mut dyn Iterator<Item = &f64>| {
            let mut passed = 0.0;
            places
                .take_while(|p| {
                    passed += **p;
                    passed <= tail
                })
                .count()
        };
        let (below, above) = (within(&mut row.iter()), within(&mut row.iter().rev()));
        let best = below.min(row.len() - 1);
        (
            best + 1,
            (row.len() - above.min(row.len() - 1)).max(best + 1),
        )
    }
}

fn sample_ranks(means: &[f64], covariance: &Symmetric, freedom: f64, seed: u64) -> Vec<Vec<f64>> {
    let engines = means.len();
    let factor = covariance.semidefinite_factor();
    let mut generator = SplitMix::new(seed);
    let mut counts = vec![vec![0_u32; engines]; engines];
    let mut order: Vec<usize> = (0..engines).collect();
    for _ in 0..DRAWS {
        let normals: Vec<f64> = (0..engines).map(|_| generator.normal()).collect();
        let stretch = student_stretch(&mut generator, freedom);
        // A trace of noise decides exact ties evenly.
        let draw: Vec<f64> = factor
            .times(&normals)
            .iter()
            .zip(means)
            .map(|(z, mean)| mean + stretch * z + 1e-9 * generator.uniform())
            .collect();
        order.sort_by(|a, b| draw[*b].total_cmp(&draw[*a]));
        order
            .iter()
            .enumerate()
            .for_each(|(rank, engine)| counts[*engine][rank] += 1);
    }
    let share = |count: u32| f64::from(count) / DRAWS as f64;
    counts
        .into_iter()
        .map(|row| row.into_iter().map(share).collect())
        .collect()
}

/// From this number of degrees of freedom on χ² is drawn by Wilson and Hilferty's approximation.
const MANY_DEGREES: f64 = 20.0;

/// A draw of χ²; fewer than `MANY_DEGREES` degrees of freedom are rounded down to a whole number.
pub(super) fn chi_squared(generator: &mut SplitMix, freedom: f64) -> f64 {
    if freedom < MANY_DEGREES {
        let squares = (0..freedom as usize).map(|_| generator.normal().powi(2));
        return squares.sum();
    }
    let variance = 2.0 / (9.0 * freedom);
    freedom * (1.0 - variance + generator.normal() * variance.sqrt()).powi(3)
}

/// `√(ν / χ²_ν)`, which turns a normal vector into Student's t.
fn student_stretch(generator: &mut SplitMix, freedom: f64) -> f64 {
    match freedom.is_finite() {
        true => (freedom / chi_squared(generator, freedom)).sqrt(),
        false => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::distributions::normal_cdf;

    #[test]
    fn two_engines_hold_the_first_place_as_their_superiority_says() {
        let mut covariance = Symmetric::zeros(2);
        covariance.add_outer(&[1.0, -1.0], 25.0);
        let ranks = sample_ranks(&[5.0, -5.0], &covariance, f64::INFINITY, 3);
        assert!((ranks[0][0] - normal_cdf(1.0)).abs() < 0.01, "{ranks:?}");
        assert!((ranks[0][0] + ranks[1][0] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn rank_sets_hold_the_wanted_probability() {
        let distribution = RankDistribution {
            engines: vec![0, 1, 2, 3],
            probability: vec![vec![0.02, 0.6, 0.37, 0.01], vec![0.0, 0.0, 0.0, 1.0]],
        };
        assert_eq!(distribution.rank_set(0, 0.95), (2, 3));
        assert_eq!(distribution.rank_set(1, 0.95), (4, 4));
    }
}
