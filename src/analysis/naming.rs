//! The one check before anything is reported about White's first move: the size of its advantage, and which start
//! positions differ from the average. Lists, colours of the map, sentences and JSON use only the positions that this
//! check returns.

use serde::Serialize;

use crate::stats::advantage::{AdvantageReport, RankVerdict};

/// Minimum number of positions for any of them to be named.
pub(crate) const FEWEST_FOR_SPREAD: usize = 12;

/// Minimum number of pairs for a mean to be shown, or of positions if these are the sample: with fewer the normal
/// interval holds its level too rarely.
pub(crate) const FEWEST_FOR_MEAN: usize = 20;

/// Copies of games above this share leave too few games to name a position.
const MOST_COPIES: f64 = 0.1;

/// Maximum p-value of the test that positions differ.
const SIGNIFICANT: f64 = 0.05;

/// Why positions are not named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unnamed {
    /// More than a tenth of all games are copies of others.
    Copies,
    /// Fewer than [`FEWEST_FOR_MEAN`] pairs.
    FewGames,
    /// All results are equal, so the error is unknown.
    Alike,
    /// Fewer than [`FEWEST_FOR_SPREAD`] positions.
    FewPositions,
    /// Fewer than half of the positions were played in two pairs.
    NotReplicated,
    /// The test that positions differ was not possible.
    NoTest,
    /// The test that positions differ is not significant: chance alone explains the results.
    NotShown,
}

/// Judges all positions: those that may not be named are not distinguishable.
pub(super) fn judge(advantage: &mut AdvantageReport, copies: f64) -> Option<Unnamed> {
    let pairs: Vec<u32> = advantage.positions.iter().map(|one| one.pairs).collect();
    let p = advantage.spread.map(|spread| spread.p_value);
    let why = unnamed(&pairs, copies, p);
    if why.is_some() {
        for position in &mut advantage.positions {
            position.verdict = position.verdict.map(|_| RankVerdict::NotDistinguishable);
        }
    }
    why
}

/// From the pairs of every position, the share of copies, and the p-value that positions do not differ.
fn unnamed(pairs: &[u32], copies: f64, p: Option<f64>) -> Option<Unnamed> {
    let replicated = pairs.iter().filter(|pairs| **pairs >= 2).count();
    if copies > MOST_COPIES {
        Some(Unnamed::Copies)
    } else if pairs.len() < FEWEST_FOR_SPREAD {
        Some(Unnamed::FewPositions)
    } else if 2 * replicated < pairs.len() {
        Some(Unnamed::NotReplicated)
    } else {
        match p {
            None => Some(Unnamed::NoTest),
            Some(p) if p > SIGNIFICANT => Some(Unnamed::NotShown),
            Some(_) => None,
        }
    }
}

/// Half the interval of a mean of this number of observations, or why it is not shown.
pub(super) fn mean_told(
    copies: bool,
    observations: usize,
    error: Option<f64>,
) -> Result<f64, Unnamed> {
    match error.filter(|error| error.is_finite()) {
        _ if copies => Err(Unnamed::Copies),
        _ if observations < FEWEST_FOR_MEAN => Err(Unnamed::FewGames),
        Some(error) if error > 0.0 => Ok(error),
        _ => Err(Unnamed::Alike),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_needs_games_that_differ() {
        assert_eq!(mean_told(false, 20, Some(9.0)), Ok(9.0));
        assert_eq!(mean_told(true, 20, Some(9.0)), Err(Unnamed::Copies));
        assert_eq!(mean_told(false, 19, Some(9.0)), Err(Unnamed::FewGames));
        for error in [None, Some(0.0), Some(f64::INFINITY), Some(f64::NAN)] {
            assert_eq!(mean_told(false, 500, error), Err(Unnamed::Alike));
        }
    }

    #[test]
    fn one_gate_decides_for_every_list() {
        type Case = (&'static [u32], f64, Option<f64>, Option<Unnamed>);
        let cases: [Case; 8] = [
            (&[2; 12], 0.0, Some(0.01), None),
            (&[2; 12], 0.2, Some(0.01), Some(Unnamed::Copies)),
            (&[2; 6], 0.0, Some(0.01), Some(Unnamed::FewPositions)),
            (&[1; 40], 0.0, Some(0.01), Some(Unnamed::NotReplicated)),
            (
                &[2, 150, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2],
                0.0,
                Some(0.0),
                None,
            ),
            (&[2; 12], 0.0, None, Some(Unnamed::NoTest)),
            (&[2; 12], 0.0, Some(0.36), Some(Unnamed::NotShown)),
            (&[], 0.0, None, Some(Unnamed::FewPositions)),
        ];
        for (pairs, copies, p, expected) in cases {
            assert_eq!(
                unnamed(pairs, copies, p),
                expected,
                "{pairs:?} {copies} {p:?}"
            );
        }
    }
}
