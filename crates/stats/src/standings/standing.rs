//! A line of the table.

use serde::{Deserialize, Serialize};

/// One engine's line in the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Default)]
pub struct Standing {
    /// Index of the engine.
    pub engine: u16,
    /// Place from 1; engines no rule separates share it.
    pub place: usize,
    /// Points, in half points, those for byes and walkovers included.
    pub half_points: u32,
    /// Games played.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Points against the engines with equal points, in half points.
    pub direct: u32,
    /// Sonneborn–Berger score, in quarter points.
    pub sonneborn_berger: u64,
    /// Games won with Black.
    pub black_wins: u32,
    /// Pairs won with both colours.
    pub double_wins: u32,
    /// The rule that puts this engine below the one above it, where points
    /// are equal.
    pub decided_by: Option<TieBreak>,
    /// The value of every rule of the order, where it has one for this engine, as
    /// [`Standing::tie_breaks`] has it.
    #[serde(skip)]
    pub(super) values: Vec<(TieBreak, Option<i64>)>,
}

impl Standing {
    /// Half points from games that were won, drawn and lost.
    pub(super) fn add(&mut self, half_points: u32, [won, drawn, lost]: [u32; 3]) {
        self.half_points += half_points;
        self.games += won + drawn + lost;
        self.wins += won;
        self.draws += drawn;
        self.losses += lost;
    }

    /// Points.
    pub fn points(&self) -> f64 {
        f64::from(self.half_points) / 2.0
    }

    /// Those of the points that byes and walkovers gave, without a game.
    pub fn unplayed_points(&self) -> f64 {
        self.points() - f64::from(2 * self.wins + self.draws) / 2.0
    }

    /// Points against the engines with equal points.
    pub fn direct_points(&self) -> f64 {
        f64::from(self.direct) / 2.0
    }

    /// Sonneborn–Berger score in points.
    pub fn sonneborn_berger_points(&self) -> f64 {
        self.sonneborn_berger as f64 / 4.0
    }

    /// Every rule of the order with its value, in points, games or Elo; the direct encounter has
    /// one where engines are level when its turn comes.
    pub fn tie_breaks(&self) -> impl Iterator<Item = (TieBreak, Option<f64>)> + '_ {
        let values = self.values.iter();
        values.map(|(rule, value)| (*rule, value.map(|value| rule.shown(value))))
    }
}

// What a round was for one engine.

/// What a round was for one engine. Points, the next bye, and every tie-break that looks at rounds
/// follow from these alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundOutcome {
    /// It played: all games of the encounter, those that are finished so far, or some, because one of the two plays no
    /// more.
    Played {
        /// Whom it met.
        opponent: u16,
        /// Half points of the games that were played.
        half_points: u32,
        /// Half points for games that are not played: as for wins, or none for an engine that plays no more.
        awarded: u32,
    },
    /// No game was played, because the opponent plays no more: all are won.
    Walkover {
        /// Half points.
        half_points: u32,
    },
    /// It had no opponent.
    Bye {
        /// Half points that the event gives for that.
        half_points: u32,
    },
    /// It did not take part: it entered later, or plays no more.
    Absent,
}

impl RoundOutcome {
    /// All half points.
    pub fn half_points(self) -> u32 {
        let played = match self {
            RoundOutcome::Played { half_points, .. } => half_points,
            _ => 0,
        };
        played + self.awarded()
    }

    /// Half points for what was not played.
    pub fn awarded(self) -> u32 {
        match self {
            RoundOutcome::Absent => 0,
            RoundOutcome::Played { awarded, .. } => awarded,
            RoundOutcome::Walkover { half_points } | RoundOutcome::Bye { half_points } => {
                half_points
            }
        }
    }

    /// Whom it met, if it played at all.
    pub fn opponent(self) -> Option<u16> {
        match self {
            RoundOutcome::Played { opponent, .. } => Some(opponent),
            _ => None,
        }
    }

    /// Whether it had a bye, or won without a move: such an engine gets no bye as long as others had none (FIDE
    /// Handbook C.04.1, article 4).
    pub fn is_free(self) -> bool {
        matches!(
            self,
            RoundOutcome::Walkover { .. } | RoundOutcome::Bye { .. }
        )
    }
}

/// The same with the round and the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineRound {
    /// The round, from 1.
    pub round: u32,
    /// The engine.
    pub engine: u16,
    /// What the round was for it.
    pub outcome: RoundOutcome,
}

/// Games that count as won without play, because the opponent plays no more; in an event that is not played in rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnplayedWins {
    /// The engine that has won them.
    pub winner: u16,
    /// Half points.
    pub half_points: u32,
}

// The rules by which engines with equal points are ordered.

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

            /// A value as people write it, with the decimals that such values can have.
            pub fn text(self, value: f64) -> String {
                let decimals = match self.divisor() {
                    3.0.. => 2,
                    2.0 => 1,
                    _ => 0,
                };
                format!("{value:.decimals$}")
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

    /// The default order of a Swiss.
    pub const SWISS: [TieBreak; 5] = [
        TieBreak::BuchholzCut1,
        TieBreak::Buchholz,
        TieBreak::SonnebornBerger,
        TieBreak::DirectEncounter,
        TieBreak::Wins,
    ];

    /// A value as points, games or a rating; never -0.0, which is no other number.
    pub(super) fn shown(self, value: i64) -> f64 {
        value as f64 / self.divisor() + 0.0
    }
}
