//! Adaptive allocation: pairs go where it is in doubt on which side of a boundary a
//! position lies.
//!
//! A question such as "which 48 positions give White most?" or "which lie above the
//! average?" draws a boundary. A position matters by the probability that it lies on the
//! other side than its estimate says; with about half the games the rule finds as many of
//! the best 48 as equal numbers do.
//!
//! Raw means are biased by it: a position that began badly gets no chance to recover (Nie,
//! Tian, Taylor & Zou 2018, arXiv:1708.01977). Posteriors depend on the games alone, not on
//! the rule, and must be what is reported.

use crate::numeric::distributions::normal_cdf;
use crate::{StatisticsError, refused};

/// Pairs that every position gets, at the least, before any is preferred.
pub const MINIMUM_PAIRS: u64 = 2;

/// What is known of a position, from complete pairs alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// The probability that it lies on the other side of the boundary than it seems.
    pub doubt: f64,
    /// Pairs played.
    pub pairs: u64,
}

/// When and where the next pairs are played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoundaryRule {
    /// Pairs on every position before any is preferred; at least [`MINIMUM_PAIRS`].
    pub minimum: u64,
    /// A position whose doubt is not above this gets no more pairs; 0: all go on.
    pub threshold: f64,
    /// How many pairs are allotted at once.
    pub batch: usize,
    /// The place of the position that all others are compared with, if one is.
    pub reference: Option<usize>,
}

impl BoundaryRule {
    /// The positions that get the next pairs, by their place in the list; a position that is twice in it gets two.
    /// Empty when every position is beyond doubt.
    ///
    /// While a position has fewer pairs than the minimum, only such positions are chosen, fewest pairs first. After
    /// that the greatest doubts are chosen. Ties fall to the position with fewer pairs, then to the one that is first
    /// in the list, so the order of the list, drawn from the event's seed, decides them.
    pub fn next_batch(&self, positions: &[Candidate]) -> Vec<usize> {
        let all = 0..positions.len();
        let minimum = self.minimum.max(MINIMUM_PAIRS);
        let lacks = |index: &usize| positions[*index].pairs < minimum;
        let mut chosen: Vec<usize> = all.clone().filter(lacks).collect();
        chosen.sort_by_key(|&index| positions[index].pairs);
        if chosen.is_empty() {
            let in_doubt = |index: &usize| {
                let is_open = positions[*index].doubt > self.threshold || self.threshold == 0.0;
                is_open && Some(*index) != self.reference
            };
            chosen = all.filter(in_doubt).collect();
            chosen.sort_by(|&a, &b| {
                let (a, b) = (&positions[a], &positions[b]);
                b.doubt.total_cmp(&a.doubt).then(a.pairs.cmp(&b.pairs))
            });
            if !chosen.is_empty() {
                chosen.splice(0..0, self.pairs_of_reference(positions));
            }
        }
        chosen.truncate(self.batch);
        chosen
    }

    /// All comparisons share the reference's error: with √(P−1) times the pairs of another
    /// it and the others contribute alike (Dunnett 1955, *J. Amer. Statist. Assoc.* 50).
    /// At most half of a batch.
    fn pairs_of_reference(&self, positions: &[Candidate]) -> Vec<usize> {
        let Some(reference) = self.reference.filter(|&place| place < positions.len()) else {
            return Vec::new();
        };
        let others = (positions.len() - 1).max(1) as f64;
        let total: u64 = positions.iter().map(|position| position.pairs).sum();
        let own = positions[reference].pairs;
        let wanted = others.sqrt() * (total - own) as f64 / others;
        let lacking = (wanted.ceil() as u64).saturating_sub(own);
        let most = self.batch.div_ceil(2);
        vec![reference; (lacking as usize).min(most)]
    }
}

/// A quarter of the positions, the usual size of a batch.
pub fn default_batch(positions: usize) -> usize {
    positions.div_ceil(4).max(1)
}

/// The probabilities that positions lie on the other side of the boundary of the best
/// `wanted`: Φ(−|m−c|/s), c midway between the `wanted`-th largest mean and the next.
/// Positions are `[mean, standard deviation]`.
///
/// # Errors
/// All or none are wanted, or a posterior is not a law.
pub fn doubts_of_best(posteriors: &[[f64; 2]], wanted: usize) -> Result<Vec<f64>, StatisticsError> {
    if wanted == 0 || wanted >= posteriors.len() {
        let all = posteriors.len();
        let why = format!("a best {wanted} cannot be told from the rest of {all} positions");
        return refused(why);
    }
    let lawful = |[mean, sd]: &[f64; 2]| mean.is_finite() && sd.is_finite() && *sd >= 0.0;
    if let Some(index) = posteriors.iter().position(|law| !lawful(law)) {
        return refused(format!("the posterior of position {index} is not a law"));
    }
    let boundary = boundary(posteriors, wanted);
    let doubt = |[mean, sd]: &[f64; 2]| match *sd > 0.0 {
        true => normal_cdf(-(mean - boundary).abs() / sd),
        // A position known exactly has nothing to gain from another pair.
        false => 0.0,
    };
    Ok(posteriors.iter().map(doubt).collect())
}

/// Midway between the `wanted`-th largest mean and the next.
fn boundary(posteriors: &[[f64; 2]], wanted: usize) -> f64 {
    let mut means: Vec<f64> = posteriors.iter().map(|[mean, _]| *mean).collect();
    means.sort_by(|a, b| b.total_cmp(a));
    0.5 * means[wanted - 1] + 0.5 * means[wanted]
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: BoundaryRule = BoundaryRule {
        minimum: 2,
        threshold: 0.0,
        batch: 3,
        reference: None,
    };

    fn candidates(of: &[(f64, u64)]) -> Vec<Candidate> {
        let one = |&(doubt, pairs)| Candidate { doubt, pairs };
        of.iter().map(one).collect()
    }

    #[test]
    fn every_position_gets_its_minimum_first() {
        let positions = candidates(&[(0.5, 2), (0.1, 1), (0.1, 0)]);
        assert_eq!(RULE.next_batch(&positions), [2, 1]);
        let less = BoundaryRule { minimum: 0, ..RULE };
        assert_eq!(less.next_batch(&positions), [2, 1], "never less than two");
        let more = BoundaryRule { minimum: 3, ..RULE };
        assert_eq!(more.next_batch(&positions), [2, 1, 0]);
    }

    #[test]
    fn doubtful_positions_are_preferred_and_ties_go_to_fewer_pairs_then_to_the_order() {
        let positions = candidates(&[(0.2, 4), (0.4, 4), (0.2, 3), (0.2, 4), (0.0, 2)]);
        assert_eq!(RULE.next_batch(&positions), [1, 2, 0]);
    }

    #[test]
    fn beyond_the_threshold_a_position_is_settled() {
        let positions = candidates(&[(0.2, 4), (0.01, 4), (0.02, 4)]);
        let rule = BoundaryRule {
            threshold: 0.02,
            ..RULE
        };
        assert_eq!(rule.next_batch(&positions), [0]);
        assert_eq!(rule.next_batch(&positions[1..]), [0_usize; 0]);
        assert_eq!(RULE.next_batch(&positions[1..]), [1, 0], "0 settles none");
    }

    #[test]
    fn a_reference_gets_as_many_pairs_as_all_comparisons_are_worth() {
        let mut positions = candidates(&[(0.3, 2); 10]);
        positions[0].doubt = 0.0;
        let rule = BoundaryRule {
            batch: 8,
            reference: Some(0),
            ..RULE
        };
        // √9 · 2 = 6 pairs are wanted, two are there.
        assert_eq!(rule.next_batch(&positions), [0, 0, 0, 0, 1, 2, 3, 4]);
        positions[0].pairs = 6;
        assert_eq!(rule.next_batch(&positions), [1, 2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn doubts_are_tails_beyond_the_boundary() {
        let laws = [
            [5.0, 1.0],
            [1.0, 1.0],
            [-1.0, 1.0],
            [-9.0, 30.0],
            [0.0, 0.0],
        ];
        // means 5, 1 | 0, …: the boundary for two is 0.5
        let doubts = doubts_of_best(&laws, 2).unwrap();
        let mut order: Vec<usize> = (0..5).collect();
        order.sort_by(|&a, &b| doubts[b].total_cmp(&doubts[a]));
        assert_eq!(order, [3, 1, 2, 0, 4]);
        assert!((doubts[1] - 0.308_537_538_7).abs() < 1e-9);
    }

    #[test]
    fn what_has_no_boundary_is_refused() {
        let error = refused("a best 2 cannot be told from the rest of 2 positions");
        assert_eq!(doubts_of_best(&[[0.0, 1.0]; 2], 2), error);
        let broken = [[0.0, 1.0], [f64::NAN, 1.0]];
        let error = refused("the posterior of position 1 is not a law");
        assert_eq!(doubts_of_best(&broken, 1), error);
    }
}
