//! What is printed, what it promises, and how often it held.

/// Declares what is printed and can be wrong: what it is, the claim of docs/claims.md that says it, and the words for it.
macro_rules! promises {
    ($($(#[$doc:meta])* $name:ident($claim:literal): $words:literal,)*) => {
        /// What is printed and can be wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Promise {
            $($(#[$doc])* $name,)*
        }

        impl Promise {
            /// All of them, in the order of tables.
            pub(crate) const ALL: [Promise; [$(Promise::$name),*].len()] = [$(Promise::$name),*];

            /// The id of the claim that makes it; empty for a number of the details.
            pub(crate) fn claim(self) -> &'static str {
                match self {
                    $(Promise::$name => $claim,)*
                }
            }

            /// What is printed, in words.
            pub(crate) fn words(self) -> &'static str {
                match self {
                    $(Promise::$name => $words,)*
                }
            }
        }
    };
}

promises! {
    /// White's advantage, just these starts.
    AdvantageThese("first-move"): "White's advantage, these starts",
    /// White's advantage, all starts.
    AdvantageAll("first-move"): "White's advantage, all starts",
    /// The range at equal strength.
    EqualStrength("first-move"): "White's advantage at equal strength",
    /// The interval of the positions' standard deviation.
    Spread("starts-differ"): "how much positions differ",
    /// The standard deviation is at most its upper end.
    SpreadAtMost("starts-differ"): "positions differ by at most",
    /// Positions are reported to differ although they do not.
    SpreadFalse("starts-differ"): "positions are said to differ and do not (p < 0.05)",
    /// Intervals of positions by their own games.
    PositionOwn(""): "own intervals of positions",
    /// Intervals of positions drawn towards the mean.
    PositionShrunk(""): "intervals of positions drawn to the mean",
    /// All positions' intervals at once.
    PositionsTogether(""): "intervals of all positions at once",
    /// Positions named although they lie within the margin of the mean, of those named.
    NamedFalse("start-stands-out"): "named positions that are within 5 Elo of the mean",
    /// Elo of two engines by position.
    Engines("stronger"): "Elo of two engines",
    /// An engine is called stronger although it is not.
    StrongerFalse("stronger"): "an engine is called stronger and is not",
    /// Elo of two engines for just these positions.
    EnginesThese("stronger"): "Elo of two engines, these positions",
    /// The interval that may be watched leaves out the truth at some time.
    WatchedFalse("stronger"): "the always valid interval leaves out the truth at some time",
    /// Normalised Elo.
    Normalized(""): "nElo of two engines",
    /// Won pairs by lost pairs.
    PairRatio(""): "pair ratio",
    /// A likelihood of superiority beyond 97.5 % of engines that are equal.
    SuperiorFalse(""): "LOS beyond 97.5 % of equal engines",
    /// Ratings of three engines or more.
    Ratings("stronger"): "ratings of three engines or more",
    /// White's advantage in the ratings.
    RatingsWhite(""): "White's advantage in the ratings",
    /// Of three engines or more, two are declared different although all are equal.
    ApartFalse("stronger"): "any two of three equal engines or more are told apart",
    /// Scores are reported to depend on the position although they do not.
    InteractionFalse(""): "scores are said to depend on the position (p < 0.05)",
    /// Mirror twins are reported to agree although they share nothing.
    MirrorFalse(""): "mirror twins are said to agree and share nothing (p < 0.05)",
    /// How the means of two events on the same starts differ.
    Compared(""): "difference of two events on the same starts",
    /// Two events are reported to differ at some start although they do not.
    ComparedFalse(""): "two events are said to differ at some start (p < 0.05)",
}

impl Promise {
    /// What the words promise: at least this share of intervals, at most this share of errors.
    pub(crate) fn promise(self) -> f64 {
        match self {
            Promise::SpreadAtMost => 0.975,
            _ if self.is_error() => 0.05,
            _ => 0.95,
        }
    }

    /// Whether a hit is an error.
    pub(crate) fn is_error(self) -> bool {
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
        )
    }
}

/// How often a claim held, or an error was made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Share {
    /// Sum over events of the share of the event.
    pub sum: f64,
    /// Events in which it was claimed.
    pub events: u64,
}

impl Share {
    /// The share; not a number without events.
    pub(crate) fn value(&self) -> f64 {
        self.sum / self.events as f64
    }

    /// Exact binomial probability of a share as bad as this, or worse, if the promise is kept.
    pub(crate) fn p_value(&self, claim: Promise) -> f64 {
        // Shares of positions inside of an event are rounded against the promise.
        let (hits, promise) = if claim.is_error() {
            (self.sum.ceil() as u64, claim.promise())
        } else {
            (
                (self.events as f64 - self.sum).ceil() as u64,
                1.0 - claim.promise(),
            )
        };
        at_least(hits, self.events, promise)
    }
}

/// `P(X ≥ hits)` of a binomial law.
pub(crate) fn at_least(hits: u64, trials: u64, chance: f64) -> f64 {
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
