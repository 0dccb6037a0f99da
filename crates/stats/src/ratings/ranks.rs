//! Who is better than whom: likelihood of superiority, probabilities of each
//! place, and the set of places that holds an engine's with 95 %.

use serde::Serialize;

use crate::numeric::SplitMix;
use crate::numeric::linear::Symmetric;

use super::table::RatingTable;

/// Draws of all ratings that [`RankDistribution::new`] takes.
const DRAWS: usize = 20_000;

/// The distribution of the places of the engines of one component.
#[derive(Clone, Debug, PartialEq)]
pub struct RankDistribution {
    /// `probability[i][r]`: the i-th of the members has place r + 1.
    pub probability: Vec<Vec<f64>>,
}

impl RankDistribution {
    /// Samples the joint normal of the ratings (Student's t with few
    /// clusters); equal seeds give equal results. `None` without errors.
    pub fn new(table: &RatingTable, members: &[usize], seed: u64) -> Option<Self> {
        let errors = table.errors.as_ref()?;
        let means = members.iter().map(|engine| table.elo(*engine as u16));
        let means: Vec<f64> = means.collect::<Option<_>>()?;
        let covariance = errors.of_members(members)?;
        let probability = sample_ranks(&means, &covariance, errors.freedom, seed);
        Some(Self { probability })
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
        let worst = row.len() - above.min(row.len() - 1);
        (best + 1, worst.max(best + 1))
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
        for (rank, engine) in order.iter().enumerate() {
            counts[*engine][rank] += 1;
        }
    }
    let share = |count: u32| f64::from(count) / DRAWS as f64;
    let shares = |row: Vec<u32>| row.into_iter().map(share).collect();
    counts.into_iter().map(shares).collect()
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
    if freedom.is_finite() {
        (freedom / chi_squared(generator, freedom)).sqrt()
    } else {
        1.0
    }
}

// Every two engines of a group, with intervals and p values that hold for all of them together.
//
// A comparison of three builds makes three comparisons, and one of them looks better by chance more often than in 5 %
// of cases. Here the factor of the intervals is the quantile of the largest standardised difference (Tukey's and
// Dunnett's idea, with the ratings' own covariances), so that with 95 % no interval at all misses.

/// One engine less another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The engine that is rated higher.
    pub first: u16,
    /// The other.
    pub second: u16,
    /// Difference of the ratings, Elo.
    pub elo: f64,
    /// Half width of its interval; all intervals hold together.
    pub elo_error: f64,
    /// That these two are equal: the probability that any two of the group would differ so clearly
    /// if all were equal.
    pub p_adjusted: f64,
}

/// All comparisons of the rated members of a group, the strongest first; equal seeds give equal
/// results. `None` without errors.
pub fn comparisons(
    table: &RatingTable,
    members: &[usize],
    level: f64,
    seed: u64,
) -> Option<Vec<Comparison>> {
    let found = table.errors.as_ref()?;
    let mut rated: Vec<(usize, f64)> = members
        .iter()
        .filter_map(|engine| Some((*engine, table.elo(*engine as u16)?)))
        .collect();
    // Equal ratings differ in the last digits alone, and stay in the order of the engines.
    let tidy = |elo: f64| (1e6 * elo).round();
    rated.sort_by(|a, b| tidy(b.1).total_cmp(&tidy(a.1)));
    let places: Vec<usize> = rated.iter().map(|(engine, _)| *engine).collect();
    let covariance = found.of_members(&places)?;
    let pairs: Vec<(usize, usize)> = (0..rated.len())
        .flat_map(|i| (i + 1..rated.len()).map(move |j| (i, j)))
        .collect();
    let error = |(i, j): (usize, usize)| {
        let variance = covariance.at(i, i) + covariance.at(j, j) - 2.0 * covariance.at(i, j);
        variance.max(1e-12).sqrt()
    };
    let errors: Vec<f64> = pairs.iter().map(|pair| error(*pair)).collect();
    let largest = largest_differences(&covariance, &pairs, &errors, found.freedom, (DRAWS, seed));
    let place = ((level * largest.len() as f64) as usize).min(largest.len() - 1);
    let one = |(pair, error): (&(usize, usize), &f64)| {
        let (first, second) = (rated[pair.0], rated[pair.1]);
        let elo = first.1 - second.1;
        let below = largest.partition_point(|value| *value < elo / error);
        Comparison {
            first: first.0 as u16,
            second: second.0 as u16,
            elo,
            elo_error: largest[place] * error,
            p_adjusted: (largest.len() - below + 1) as f64 / (largest.len() + 1) as f64,
        }
    };
    Some(pairs.iter().zip(&errors).map(one).collect())
}

/// For each draw of the ratings' errors the largest standardised difference, ascending. With few clusters each
/// difference is divided by its own estimated error, so these errors are drawn too, as parts of one Wishart matrix. The
/// covariances are then known as roughly as the errors, and plugging them in makes the quantile too small. So
/// independent equal errors are taken instead, as in Tukey's range; if all engines meet, their errors are of this kind
/// except for their mean.
fn largest_differences(
    covariance: &Symmetric,
    pairs: &[(usize, usize)],
    errors: &[f64],
    freedom: f64,
    (draws, seed): (usize, u64),
) -> Vec<f64> {
    let mut generator = SplitMix::new(seed);
    let size = covariance.size();
    let normals =
        |generator: &mut SplitMix| -> Vec<f64> { (0..size).map(|_| generator.normal()).collect() };
    let factor = covariance.semidefinite_factor();
    let draw = |_| {
        if freedom < FULL_DEGREES {
            let drawn = normals(&mut generator);
            let estimates = estimated_errors(size, freedom, &mut generator);
            let standardised = pairs.iter().map(|&(i, j)| {
                (drawn[i] - drawn[j]).abs() / distance(&estimates[i], &estimates[j]).max(1e-12)
            });
            return standardised.fold(0.0, f64::max);
        }
        let drawn = factor.times(&normals(&mut generator));
        let differences = pairs.iter().zip(errors);
        let standardised = differences.map(|((i, j), error)| (drawn[*i] - drawn[*j]).abs() / error);
        standardised.fold(0.0, f64::max)
    };
    let mut largest: Vec<f64> = (0..draws).map(draw).collect();
    largest.sort_by(f64::total_cmp);
    largest
}

/// Degrees of freedom from which errors are as good as known.
const FULL_DEGREES: f64 = 200.0;

/// A vector for each engine. The distance between two of them is the error of their difference, estimated with
/// `freedom` degrees of freedom where the true errors are independent and 1 (Bartlett's decomposition of a Wishart
/// matrix).
fn estimated_errors(size: usize, freedom: f64, generator: &mut SplitMix) -> Vec<Vec<f64>> {
    let scale = freedom.sqrt();
    let row = |engine: usize| {
        let mut row = vec![0.0; size];
        for entry in &mut row[..engine] {
            *entry = generator.normal() / scale;
        }
        let left = (freedom - engine as f64).max(1.0);
        row[engine] = chi_squared(generator, left).sqrt() / scale;
        row
    };
    (0..size).map(row).collect()
}

fn distance(one: &[f64], other: &[f64]) -> f64 {
    let squares = one.iter().zip(other).map(|(a, b)| (a - b).powi(2));
    squares.sum::<f64>().sqrt()
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
            probability: vec![vec![0.02, 0.6, 0.37, 0.01], vec![0.0, 0.0, 0.0, 1.0]],
        };
        assert_eq!(distribution.rank_set(0, 0.95), (2, 3));
        assert_eq!(distribution.rank_set(1, 0.95), (4, 4));
    }
}

#[cfg(test)]
mod comparisons_tests {
    use super::*;

    /// Three independent equal errors: Tukey's studentised range, 3.314/√2 for three means.
    #[test]
    fn the_factor_is_that_of_the_studentised_range() {
        let mut covariance = Symmetric::zeros(3);
        (0..3).for_each(|i| covariance.set(i, i, 1.0));
        let errors = [2.0_f64.sqrt(); 3];
        let pairs = [(0, 1), (0, 2), (1, 2)];
        let largest = largest_differences(&covariance, &pairs, &errors, f64::INFINITY, (DRAWS, 7));
        let factor = largest[(0.95 * DRAWS as f64) as usize];
        assert!((factor - 3.314 / 2.0_f64.sqrt()).abs() < 0.04, "{factor}");
    }

    /// Twelve equal engines, 24 positions: the covariance is estimated from the positions' scores.
    #[test]
    fn intervals_hold_together_with_few_positions() {
        const POSITIONS: usize = 24;
        const ENGINES: usize = 12;
        let pairs: Vec<(usize, usize)> = (0..ENGINES)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .collect();
        let mut generator = SplitMix::new(11);
        let mut held = 0;
        for seed in 0..250 {
            let mut means = [0.0; ENGINES];
            let scores: Vec<Vec<f64>> = (0..POSITIONS)
                .map(|_| (0..ENGINES).map(|_| generator.normal()).collect())
                .collect();
            for score in &scores {
                (0..ENGINES).for_each(|e| means[e] += score[e] / POSITIONS as f64);
            }
            let mut covariance = Symmetric::zeros(ENGINES);
            for score in &scores {
                let off: Vec<f64> = score.iter().zip(&means).map(|(s, m)| s - m).collect();
                covariance.add_outer(&off, 1.0 / (POSITIONS * (POSITIONS - 1)) as f64);
            }
            let error = |&(i, j): &(usize, usize)| {
                let both = covariance.at(i, i) + covariance.at(j, j);
                (both - 2.0 * covariance.at(i, j)).sqrt()
            };
            let errors: Vec<f64> = pairs.iter().map(error).collect();
            let freedom = (POSITIONS - 1) as f64;
            let largest = largest_differences(&covariance, &pairs, &errors, freedom, (1000, seed));
            let factor = largest[950];
            let inside = |(&(i, j), error): (&(usize, usize), &f64)| {
                (means[i] - means[j]).abs() <= factor * error
            };
            held += usize::from(pairs.iter().zip(&errors).all(inside));
        }
        println!("held in {held} of 250");
        assert!((228..=248).contains(&held), "held in {held} of 250");
    }
}
