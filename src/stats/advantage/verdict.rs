//! What may be said about a position. A position is called favourable only
//! where the data separate it from the average; everything else is "not
//! distinguishable", however extreme its raw score.

use serde::Serialize;

use super::hierarchical::PositionPosterior;

/// The only three things a report says about a position's rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// More favourable to White than the average position (s ≤ 0.05).
    AboveAverage,
    /// Less favourable to White than the average position (s ≤ 0.05).
    BelowAverage,
    /// Not distinguishable from the average.
    NotDistinguishable,
}

/// The s-value a position must not exceed to be named.
pub const NAMED_UP_TO: f64 = 0.05;

/// The verdict on each position. Positions with equal evidence get equal
/// verdicts: the largest s-value among them decides.
pub fn verdicts(positions: &[PositionPosterior]) -> Vec<Verdict> {
    let mut order: Vec<usize> = (0..positions.len()).collect();
    order.sort_by(|a, b| positions[*a].s_value.total_cmp(&positions[*b].s_value));
    let mut verdicts = vec![Verdict::NotDistinguishable; positions.len()];
    let equal = |a: &usize, b: &usize| (positions[*a].lfsr - positions[*b].lfsr).abs() < 1e-12;
    for group in order.chunk_by(equal) {
        let named = group
            .iter()
            .all(|index| positions[*index].s_value <= NAMED_UP_TO);
        for &index in group.iter().filter(|_| named) {
            let above = positions[index].p_above_mean > 0.5;
            verdicts[index] = if above {
                Verdict::AboveAverage
            } else {
                Verdict::BelowAverage
            };
        }
    }
    verdicts
}

#[cfg(test)]
mod tests {
    use super::super::hierarchical::posterior::Estimate;
    use super::*;

    fn position(p_above_mean: f64, s_value: f64) -> PositionPosterior {
        PositionPosterior {
            start: 0,
            alpha: Estimate {
                value: 0.0,
                se: 1.0,
            },
            interval: (-2.0, 2.0),
            white_score: 0.9,
            elo: 380.0,
            elo_interval: (0.0, 500.0),
            p_above_mean,
            lfsr: p_above_mean.min(1.0 - p_above_mean),
            s_value,
            p_above_reference: None,
            s_above_reference: None,
            expected_rank: 1.0,
        }
    }

    #[test]
    fn only_separated_positions_are_named() {
        let positions = [
            position(0.99, 0.01),
            position(0.04, 0.025),
            position(0.8, 0.09),
        ];
        let expected = [
            Verdict::AboveAverage,
            Verdict::BelowAverage,
            Verdict::NotDistinguishable,
        ];
        assert_eq!(verdicts(&positions), expected);
    }

    #[test]
    fn equal_evidence_gives_equal_verdicts() {
        let positions = [
            position(0.92, 0.045),
            position(0.92, 0.055),
            position(0.99, 0.01),
        ];
        let verdicts = verdicts(&positions);
        assert_eq!(verdicts[0], Verdict::NotDistinguishable);
        assert_eq!(verdicts[0], verdicts[1]);
        assert_eq!(verdicts[2], Verdict::AboveAverage);
    }
}
