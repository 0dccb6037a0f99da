//! The rules by which engines with equal points are ordered.

use serde::{Deserialize, Serialize};

/// A row says all of a rule but how its value is computed (`rules`): the article that it follows, its name in an
/// event file, the head of its column, what it is called in a sentence, what a value is divided by to be points, games or a rating, and
/// what it needs.
macro_rules! tie_breaks {
    ($($(#[$doc:meta])* $rule:ident: $name:literal, $head:literal, $words:literal, $divisor:literal, $needs:ident;)*) => {
        /// A rule to order engines with equal points.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum TieBreak {
            $($(#[$doc])* $rule,)*
        }

        impl TieBreak {
            /// Every rule with its name in an event file.
            pub const ALL: [(&str, TieBreak); [$($name),*].len()] = [$(($name, TieBreak::$rule)),*];

            /// Its name in an event file.
            pub fn name(self) -> &'static str {
                match self { $(TieBreak::$rule => $name,)* }
            }

            /// The head of its column.
            pub fn head(self) -> &'static str {
                match self { $(TieBreak::$rule => $head,)* }
            }

            /// What it is called in a sentence.
            pub fn words(self) -> &'static str {
                match self { $(TieBreak::$rule => $words,)* }
            }

            /// Whether it says anything only where encounters are played in rounds.
            pub fn needs_rounds(self) -> bool {
                match self { $(TieBreak::$rule => Needs::$needs == Needs::Rounds,)* }
            }

            fn divisor(self) -> f64 {
                match self { $(TieBreak::$rule => $divisor,)* }
            }
        }
    };
}

#[derive(PartialEq)]
enum Needs {
    Games,
    Rounds,
}

tie_breaks! {
    /// Points in the games among the engines that are still level, again and again as fewer are;
    /// nothing where two of them have not met (FIDE C.07, article 6).
    DirectEncounter: "direct", "direct", "the direct encounter", 2.0, Games;
    /// Games won (article 7.2).
    Wins: "wins", "wins", "games won", 1.0, Games;
    /// Sonneborn–Berger: the sum over games of result times the opponent's
    /// final points (article 9.1).
    SonnebornBerger: "sonneborn-berger", "SB", "Sonneborn-Berger", 4.0, Games;
    /// Games won with Black (article 7.4).
    BlackWins: "wins-with-black", "Black wins", "games won with Black", 1.0, Games;
    /// Pairs won with both colours (TCEC's rule of double wins).
    DoubleWins: "double-wins", "pairs won", "pairs won with both colours", 1.0, Games;
    /// Koya: points against engines that have at least half of their possible points (article 9.2).
    Koya: "koya", "Koya", "the Koya system", 2.0, Games;
    /// Buchholz: the final points of all opponents, each once an encounter (article 8.1). For a
    /// round without an opponent a dummy counts that ends with as many points as the engine.
    Buchholz: "buchholz", "Buchholz", "Buchholz", 2.0, Rounds;
    /// The same without the opponent with the fewest points (articles 8.1 and 14.1).
    BuchholzCut1: "buchholz-cut-1", "Buchholz −1", "Buchholz without the worst opponent", 2.0, Rounds;
    /// The same without the two opponents with the fewest points (article 14.2).
    BuchholzCut2: "buchholz-cut-2", "Buchholz −2", "Buchholz without the two worst opponents", 2.0, Rounds;
    /// Without the best and the worst opponent (article 14.3).
    MedianBuchholz: "median-buchholz", "median Buchholz", "Buchholz without the best and the worst opponent", 2.0, Rounds;
    /// The average Buchholz of the opponents that were met (article 8.2).
    AverageBuchholz: "average-buchholz", "average Buchholz", "the average Buchholz of the opponents", 100.0, Rounds;
    /// Progressive score: the sum of the points after each round (article 7.5).
    Progressive: "progressive", "progressive", "progressive points", 2.0, Rounds;
    /// The average rating of the opponents in this event, and what the score against them adds
    /// (article 10.2, with ratings from the games of the event, as engines have no others).
    RatingPerformance: "rating-performance", "performance", "rating performance", 100.0, Games;
    /// Fewer games with a fault: a crash, an illegal move, a flag fall. No article; the event's rules.
    FewerFaults: "fewer-faults", "faults", "fewer faults", -1.0, Games;
    /// A lot, drawn with the event's seed (article 4.2: what is left is decided by lot).
    Lot: "lot", "lot", "lot", 1.0, Games;
}

impl TieBreak {
    /// The default order.
    pub const DEFAULT: [TieBreak; 4] = [
        TieBreak::DirectEncounter,
        TieBreak::Wins,
        TieBreak::SonnebornBerger,
        TieBreak::BlackWins,
    ];

    /// A value as points, games or a rating; never -0.0, which is no other number.
    pub(super) fn shown(self, value: i64) -> f64 {
        value as f64 / self.divisor() + 0.0
    }
}
