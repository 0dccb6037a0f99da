//! What is printed, what it promises, and how often it held.

use serde::Serialize;

/// What is printed and can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Promise {
    /// White's advantage, just these starts.
    AdvantageThese,
    /// White's advantage, all starts.
    AdvantageAll,
    /// The range at equal strength.
    EqualStrength,
    /// The interval of the positions' standard deviation.
    Spread,
    /// The standard deviation is at most its upper end.
    SpreadAtMost,
    /// Positions are reported to differ although they do not.
    SpreadFalse,
    /// Intervals of positions by their own games.
    PositionOwn,
    /// Intervals of positions drawn towards the mean.
    PositionShrunk,
    /// All positions' intervals at once.
    PositionsTogether,
    /// Positions named although they lie within the margin of the mean, of those named.
    NamedFalse,
    /// Elo of two engines by position.
    Engines,
    /// An engine is called stronger although it is not.
    StrongerFalse,
    /// Elo of two engines for just these positions.
    EnginesThese,
    /// The interval that may be watched leaves out the truth at some time.
    WatchedFalse,
    /// Normalised Elo.
    Normalized,
    /// Won pairs by lost pairs.
    PairRatio,
    /// A likelihood of superiority beyond 97.5 % of engines that are equal.
    SuperiorFalse,
    /// Ratings of three engines or more.
    Ratings,
    /// White's advantage in the ratings.
    RatingsWhite,
    /// Of three engines or more, two are declared different although all are equal.
    ApartFalse,
    /// Scores are reported to depend on the position although they do not.
    InteractionFalse,
    /// Mirror twins are reported to agree although they share nothing.
    MirrorFalse,
    /// How the means of two events on the same starts differ.
    Compared,
    /// Two events are reported to differ at some start although they do not.
    ComparedFalse,
    /// By ratings in tags: White's advantage, just these starts.
    RatedThese,
    /// White's advantage, all starts.
    RatedAll,
    /// What a difference of ratings is worth.
    RatedScale,
    /// The positions' standard deviation is at most its upper end.
    RatedAtMost,
    /// Positions are reported to differ although they do not.
    RatedDiffer,
    /// Positions named although they lie within the margin of the mean, of those named.
    RatedNamed,
}

impl Promise {
    /// All of them, in the order of tables.
    pub const ALL: [Promise; 30] = [
        Promise::AdvantageThese,
        Promise::AdvantageAll,
        Promise::EqualStrength,
        Promise::Spread,
        Promise::SpreadAtMost,
        Promise::SpreadFalse,
        Promise::PositionOwn,
        Promise::PositionShrunk,
        Promise::PositionsTogether,
        Promise::NamedFalse,
        Promise::Engines,
        Promise::StrongerFalse,
        Promise::EnginesThese,
        Promise::WatchedFalse,
        Promise::Normalized,
        Promise::PairRatio,
        Promise::SuperiorFalse,
        Promise::Ratings,
        Promise::RatingsWhite,
        Promise::ApartFalse,
        Promise::InteractionFalse,
        Promise::MirrorFalse,
        Promise::Compared,
        Promise::ComparedFalse,
        Promise::RatedThese,
        Promise::RatedAll,
        Promise::RatedScale,
        Promise::RatedAtMost,
        Promise::RatedDiffer,
        Promise::RatedNamed,
    ];

    /// What is printed, in words.
    pub fn words(self) -> &'static str {
        match self {
            Promise::AdvantageThese => "White's advantage, these starts",
            Promise::AdvantageAll => "White's advantage, all starts",
            Promise::EqualStrength => "White's advantage at equal strength",
            Promise::Spread => "how much positions differ",
            Promise::SpreadAtMost => "positions differ by at most",
            Promise::SpreadFalse => "positions are said to differ and do not (p < 0.05)",
            Promise::PositionOwn => "own intervals of positions",
            Promise::PositionShrunk => "intervals of positions drawn to the mean",
            Promise::PositionsTogether => "intervals of all positions at once",
            Promise::NamedFalse => "named positions that are within 5 Elo of the mean",
            Promise::Engines => "Elo of two engines",
            Promise::StrongerFalse => "an engine is called stronger and is not",
            Promise::EnginesThese => "Elo of two engines, these positions",
            Promise::WatchedFalse => "the always valid interval leaves out the truth at some time",
            Promise::Normalized => "nElo of two engines",
            Promise::PairRatio => "pair ratio",
            Promise::SuperiorFalse => "LOS beyond 97.5 % of equal engines",
            Promise::Ratings => "ratings of three engines or more",
            Promise::RatingsWhite => "White's advantage in the ratings",
            Promise::ApartFalse => "any two of three equal engines or more are told apart",
            Promise::InteractionFalse => "scores are said to depend on the position (p < 0.05)",
            Promise::MirrorFalse => "mirror twins are said to agree and share nothing (p < 0.05)",
            Promise::Compared => "difference of two events on the same starts",
            Promise::ComparedFalse => "two events are said to differ at some start (p < 0.05)",
            Promise::RatedThese => "by ratings in tags: White's advantage, these starts",
            Promise::RatedAll => "by ratings in tags: White's advantage, all starts",
            Promise::RatedScale => "by ratings in tags: what a difference is worth",
            Promise::RatedAtMost => "by ratings in tags: positions differ by at most",
            Promise::RatedDiffer => "by ratings in tags: positions are said to differ and do not",
            Promise::RatedNamed => "by ratings in tags: named positions within 5 Elo of the mean",
        }
    }

    /// What the words promise: at least this share of intervals, at most this share of errors.
    pub fn promise(self) -> f64 {
        match self {
            Promise::SpreadAtMost | Promise::RatedAtMost => 0.975,
            _ if self.is_error() => 0.05,
            _ => 0.95,
        }
    }

    /// Whether a hit is an error.
    pub fn is_error(self) -> bool {
        matches!(
            self,
            Promise::SpreadFalse
                | Promise::NamedFalse
                | Promise::StrongerFalse
                | Promise::WatchedFalse
                | Promise::SuperiorFalse
                | Promise::ApartFalse
                | Promise::InteractionFalse
                | Promise::MirrorFalse
                | Promise::ComparedFalse
                | Promise::RatedDiffer
                | Promise::RatedNamed
        )
    }
}

/// How often a claim held, or an error was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Share {
    /// Sum over events of the share of the event.
    pub sum: f64,
    /// Events in which it was claimed.
    pub events: u64,
}

impl Share {
    /// The share; not a number without events.
    pub fn value(&self) -> f64 {
        self.sum / self.events as f64
    }

    /// Exact binomial probability of a share as bad as this, or worse, if the promise is kept.
    pub fn p_value(&self, claim: Promise) -> f64 {
        // Shares of positions inside of an event are rounded against the promise.
        let (hits, promise) = match claim.is_error() {
            true => (self.sum.ceil() as u64, claim.promise()),
            false => (
                (self.events as f64 - self.sum).ceil() as u64,
                1.0 - claim.promise(),
            ),
        };
        at_least(hits, self.events, promise)
    }
}

/// `P(X ≥ hits)` of a binomial law.
pub fn at_least(hits: u64, trials: u64, chance: f64) -> f64 {
    if hits == 0 {
        return 1.0;
    }
    statrs::function::beta::beta_reg(hits as f64, (trials - hits) as f64 + 1.0, chance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_binomial_tail_is_exact() {
        assert!((at_least(1, 3, 0.5) - 0.875).abs() < 1e-12);
        assert!((at_least(3, 3, 0.1) - 0.001).abs() < 1e-12);
        assert_eq!(at_least(0, 5, 0.3), 1.0);
    }
}
