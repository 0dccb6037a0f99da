//! Adaptive allocation: pairs go where the set of the best positions is in doubt.
//!
//! To find the k positions with the greatest advantage, a position matters by its chance
//! of lying on the wrong side of the boundary between the k-th and the next. With about
//! half the games this rule finds as many of the best 48 as equal numbers do. Raw means
//! are biased by it; posteriors are not, and must be what is reported.

use thiserror::Error;

/// Pairs that every position gets before any is preferred.
pub const MINIMUM_PAIRS: u64 = 2;

/// What is known of a position's advantage, from completed pairs alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PositionPosterior {
    /// Posterior mean.
    pub mean: f64,
    /// Posterior standard deviation.
    pub sd: f64,
    /// Pairs played or under way.
    pub pairs: u64,
}

/// Why no allocation can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum AllocationError {
    /// There is no boundary below the first or above the last position.
    #[error("a best {wanted} cannot be told from the rest of {positions} positions")]
    NoBoundary {
        /// Positions wanted.
        wanted: usize,
        /// Positions there are.
        positions: usize,
    },
    /// A mean or standard deviation is not a finite number, or a deviation is negative.
    #[error("the posterior of position {index} is not a law")]
    NotALaw {
        /// Where in the list it stands.
        index: usize,
    },
}

/// The positions that get the next pair, at most `batch`, by their place in the list.
///
/// While a position has fewer than [`MINIMUM_PAIRS`], only such positions are chosen,
/// fewest pairs first. After that the largest Φ(-|m-c|/s) are, c being midway between
/// the `wanted`-th and the next mean. Ties fall to the position that stands first, so
/// the order of the list, drawn from the event's seed, decides them.
pub fn next_batch(
    positions: &[PositionPosterior],
    wanted: usize,
    batch: usize,
) -> Result<Vec<usize>, AllocationError> {
    if wanted == 0 || wanted >= positions.len() {
        return Err(AllocationError::NoBoundary {
            wanted,
            positions: positions.len(),
        });
    }
    let unfinished: Vec<usize> = (0..positions.len())
        .filter(|&index| positions[index].pairs < MINIMUM_PAIRS)
        .collect();
    let mut chosen = unfinished;
    if !chosen.is_empty() {
        chosen.sort_by_key(|&index| positions[index].pairs);
    } else {
        chosen = by_doubt(positions, wanted)?;
    }
    chosen.truncate(batch);
    Ok(chosen)
}

/// A quarter of the positions, the size of a batch of the boundary rule.
pub fn default_batch(positions: usize) -> usize {
    positions.div_ceil(4)
}

/// All positions, the most doubtful first.
fn by_doubt(positions: &[PositionPosterior], wanted: usize) -> Result<Vec<usize>, AllocationError> {
    let lawful = |p: &PositionPosterior| p.mean.is_finite() && p.sd.is_finite() && p.sd >= 0.0;
    if let Some(index) = positions.iter().position(|p| !lawful(p)) {
        return Err(AllocationError::NotALaw { index });
    }
    let boundary = boundary(positions, wanted);
    let mut order: Vec<usize> = (0..positions.len()).collect();
    // Φ falls with the distance: comparing distances spares the underflow.
    let distance = |index: usize| standardised_distance(&positions[index], boundary);
    order.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)));
    Ok(order)
}

/// Midway between the `wanted`-th largest mean and the next.
fn boundary(positions: &[PositionPosterior], wanted: usize) -> f64 {
    let mut means: Vec<f64> = positions.iter().map(|position| position.mean).collect();
    means.sort_by(|a, b| b.total_cmp(a));
    0.5 * means[wanted - 1] + 0.5 * means[wanted]
}

fn standardised_distance(position: &PositionPosterior, boundary: f64) -> f64 {
    let distance = (position.mean - boundary).abs();
    // A position known exactly has nothing to gain from another pair.
    if position.sd > 0.0 {
        distance / position.sd
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(mean: f64, sd: f64, pairs: u64) -> PositionPosterior {
        PositionPosterior { mean, sd, pairs }
    }

    #[test]
    fn every_position_gets_its_minimum_first() {
        let positions = [
            position(0.0, 1.0, 2),
            position(0.0, 1.0, 1),
            position(0.0, 1.0, 0),
        ];
        assert_eq!(next_batch(&positions, 1, 5), Ok(vec![2, 1]));
    }

    #[test]
    fn doubtful_positions_are_preferred_and_ties_keep_the_order() {
        let positions = [
            position(5.0, 1.0, 4),
            position(1.0, 1.0, 4),
            position(-1.0, 1.0, 4),
            position(-9.0, 30.0, 4),
            position(0.0, 0.0, 4),
        ];
        // means 5, 1 | 0, …: the boundary for two is 0.5
        assert_eq!(next_batch(&positions, 2, 3), Ok(vec![3, 1, 2]));
        let equal = [position(1.0, 1.0, 2); 4];
        assert_eq!(next_batch(&equal, 2, default_batch(4)), Ok(vec![0]));
    }

    #[test]
    fn what_has_no_boundary_is_refused() {
        let positions = [position(0.0, 1.0, 2); 2];
        let error = AllocationError::NoBoundary {
            wanted: 2,
            positions: 2,
        };
        assert_eq!(next_batch(&positions, 2, 1), Err(error));
        let broken = [position(0.0, 1.0, 2), position(f64::NAN, 1.0, 2)];
        assert_eq!(
            next_batch(&broken, 1, 1),
            Err(AllocationError::NotALaw { index: 1 })
        );
    }
}
