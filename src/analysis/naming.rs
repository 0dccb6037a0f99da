//! The one gate before start positions are named. Lists, colours of the map, sentences and JSON see a
//! position only as it is after this gate.

use serde::Serialize;

use crate::stats::advantage::{AdvantageReport, RankVerdict};

/// Positions from which the spread between them and its test are given: with three to eight of them the
/// test rejects a true null in up to 16 % instead of 5 %.
pub(crate) const FEWEST_FOR_SPREAD: usize = 12;

/// Copies of games above this share leave too little to name a position by.
const MOST_COPIES: f64 = 0.1;

/// The test that positions differ must be this clear.
const SIGNIFICANT: f64 = 0.05;

/// Where one position has more than this many times the pairs of another, the tests of the spread reject a
/// true null far too often.
const MOST_UNEVEN: u32 = 3;

/// Why positions are not named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unnamed {
    /// More than a tenth of all games are copies of others.
    Copies,
    /// Fewer than [`FEWEST_FOR_SPREAD`] positions.
    FewPositions,
    /// Fewer than half of the positions were played in two pairs.
    NotReplicated,
    /// Some positions have more than three times the pairs of others.
    Uneven,
    /// The test that positions differ was not possible.
    NoTest,
    /// The test that positions differ is not significant: chance alone explains the results.
    NotShown,
}

/// Judges all positions: those that may not be named are not distinguishable.
pub(super) fn judge(advantage: &mut AdvantageReport, copies: f64) -> Option<Unnamed> {
    if advantage.positions.len() < FEWEST_FOR_SPREAD
        && let Some(model) = &mut advantage.hier
    {
        model.lrt_p = None;
    }
    let pairs: Vec<u32> = advantage.positions.iter().map(|one| one.pairs).collect();
    let p = advantage.hier.as_ref().and_then(|model| model.lrt_p);
    let why = unnamed(&pairs, copies, p);
    if why.is_some() {
        for position in &mut advantage.positions {
            position.verdict = position.verdict.map(|_| RankVerdict::NotDistinguishable);
        }
    }
    why
}

/// By the pairs of every position, the share of copies, and the p-value that positions do not differ.
fn unnamed(pairs: &[u32], copies: f64, p: Option<f64>) -> Option<Unnamed> {
    let replicated = pairs.iter().filter(|pairs| **pairs >= 2).count();
    let least = pairs.iter().copied().min().unwrap_or(0).max(1);
    let most = pairs.iter().copied().max().unwrap_or(0);
    if copies > MOST_COPIES {
        Some(Unnamed::Copies)
    } else if pairs.len() < FEWEST_FOR_SPREAD {
        Some(Unnamed::FewPositions)
    } else if 2 * replicated < pairs.len() {
        Some(Unnamed::NotReplicated)
    } else if most > MOST_UNEVEN * least {
        Some(Unnamed::Uneven)
    } else {
        match p {
            None => Some(Unnamed::NoTest),
            Some(p) if p > SIGNIFICANT => Some(Unnamed::NotShown),
            Some(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_gate_decides_for_every_list() {
        type Case<'a> = (&'a [u32], f64, Option<f64>, Option<Unnamed>);
        let cases: [Case<'_>; 8] = [
            (&[2; 12], 0.0, Some(0.01), None),
            (&[2; 12], 0.2, Some(0.01), Some(Unnamed::Copies)),
            (&[2; 6], 0.0, Some(0.01), Some(Unnamed::FewPositions)),
            (&[1; 40], 0.0, Some(0.01), Some(Unnamed::NotReplicated)),
            (
                &[2, 150, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2],
                0.0,
                Some(0.0),
                Some(Unnamed::Uneven),
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
