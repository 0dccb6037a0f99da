//! What may be said about a position. A position is called favourable only
//! where the data separate it from the average; everything else is "not
//! distinguishable", however extreme its raw score.

use serde::Serialize;

use super::hierarchical::PositionPosterior;
use super::hierarchical::selection::NAMED_UP_TO;

/// The only three things a report says about a position's rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RankVerdict {
    /// More favourable to White than the average position (s ≤ 0.05).
    AboveAverage,
    /// Less favourable to White than the average position (s ≤ 0.05).
    BelowAverage,
    /// Not distinguishable from the average.
    NotDistinguishable,
}

/// The verdict on each position. Positions with equal evidence have equal s-values, so
/// their verdicts are equal too.
pub fn verdicts(positions: &[PositionPosterior]) -> Vec<RankVerdict> {
    let verdict = |position: &PositionPosterior| match position {
        p if p.s_value > NAMED_UP_TO => RankVerdict::NotDistinguishable,
        p if p.p_above_mean > 0.5 => RankVerdict::AboveAverage,
        _ => RankVerdict::BelowAverage,
    };
    positions.iter().map(verdict).collect()
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
            p_equivalent: None,
            expected_rank: 1.0,
            if_normal: None,
            own: None,
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
            RankVerdict::AboveAverage,
            RankVerdict::BelowAverage,
            RankVerdict::NotDistinguishable,
        ];
        assert_eq!(verdicts(&positions), expected);
    }
}
