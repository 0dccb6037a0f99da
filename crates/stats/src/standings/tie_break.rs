//! The rules by which engines with equal points are ordered.

use serde::{Deserialize, Serialize};

/// A rule to order engines with equal points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TieBreak {
    /// Points in the games among the engines that are still level, again and again as fewer are;
    /// nothing where two of them have not met (FIDE C.07, article 6).
    DirectEncounter,
    /// Games won (article 7.2).
    Wins,
    /// Sonneborn–Berger: the sum over games of result times the opponent's
    /// final points (article 9.1).
    SonnebornBerger,
    /// Games won with Black (article 7.4).
    BlackWins,
    /// Pairs won with both colours (TCEC's rule of double wins).
    DoubleWins,
    /// Koya: points against engines that have at least half of their possible points (article 9.2).
    Koya,
    /// Buchholz: the final points of all opponents, each once an encounter (article 8.1). For a
    /// round without an opponent a dummy counts that ends with as many points as the engine.
    Buchholz,
    /// The same without the opponent with the fewest points (articles 8.1 and 14.1).
    BuchholzCut1,
    /// The same without the two opponents with the fewest points (article 14.2).
    BuchholzCut2,
    /// Without the best and the worst opponent (article 14.3).
    MedianBuchholz,
    /// Progressive score: the sum of the points after each round (article 7.5).
    Progressive,
    /// The average rating of the opponents in this event, and what the score against them adds
    /// (article 10.2, with ratings from the games of the event, as engines have no others).
    RatingPerformance,
    /// Fewer games with a fault: a crash, an illegal move, a flag fall. No article; the event's rules.
    FewerFaults,
    /// A lot, drawn with the event's seed (article 4.2: what is left is decided by lot).
    Lot,
}

impl TieBreak {
    /// The default order.
    pub const DEFAULT: [TieBreak; 4] = [
        TieBreak::DirectEncounter,
        TieBreak::Wins,
        TieBreak::SonnebornBerger,
        TieBreak::BlackWins,
    ];

    /// Every rule with its name in an event file.
    pub const ALL: [(&str, TieBreak); 14] = [
        ("direct", TieBreak::DirectEncounter),
        ("wins", TieBreak::Wins),
        ("sonneborn-berger", TieBreak::SonnebornBerger),
        ("wins-with-black", TieBreak::BlackWins),
        ("double-wins", TieBreak::DoubleWins),
        ("koya", TieBreak::Koya),
        ("buchholz", TieBreak::Buchholz),
        ("buchholz-cut-1", TieBreak::BuchholzCut1),
        ("buchholz-cut-2", TieBreak::BuchholzCut2),
        ("median-buchholz", TieBreak::MedianBuchholz),
        ("progressive", TieBreak::Progressive),
        ("rating-performance", TieBreak::RatingPerformance),
        ("fewer-faults", TieBreak::FewerFaults),
        ("lot", TieBreak::Lot),
    ];

    /// Its name in an event file.
    pub fn name(self) -> &'static str {
        let known = TieBreak::ALL.iter().find(|(_, rule)| *rule == self);
        known.map_or("", |(name, _)| name)
    }

    /// Whether it says anything only where encounters are played in rounds.
    pub fn needs_rounds(self) -> bool {
        use TieBreak::{Buchholz, BuchholzCut1, BuchholzCut2, MedianBuchholz, Progressive};
        matches!(
            self,
            Buchholz | BuchholzCut1 | BuchholzCut2 | MedianBuchholz | Progressive
        )
    }

    /// A value as points, games or a rating; never -0.0, which is no other number.
    pub(super) fn shown(self, value: i64) -> f64 {
        value as f64 / self.divisor() + 0.0
    }

    fn divisor(self) -> f64 {
        use TieBreak as T;
        match self {
            T::DirectEncounter | T::Koya | T::Progressive => 2.0,
            T::Buchholz | T::BuchholzCut1 | T::BuchholzCut2 | T::MedianBuchholz => 2.0,
            T::SonnebornBerger => 4.0,
            T::RatingPerformance => 100.0,
            T::FewerFaults => -1.0,
            T::Wins | T::BlackWins | T::DoubleWins | T::Lot => 1.0,
        }
    }
}
