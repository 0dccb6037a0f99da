//! A claim: its id, its numbers, and why the games do not allow it.

use serde::{Serialize, Serializer};

use crate::analysis::Unnamed;
use crate::schedule::EncounterDecision;
use crate::sink::decision_word;
use crate::stats::sprt::{Decision as TestDecision, Model, TestUnit};
use crate::stats::standings::TieBreak;

use super::EventKind;

/// A statement about an event, or the reason why its games do not allow it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Claim {
    /// The statement, with its numbers.
    #[serde(flatten)]
    pub said: Statement,
    /// Why it may not be made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refusal>,
}

impl Claim {
    /// A claim that the games allow.
    pub(super) fn allowed(said: Statement) -> Claim {
        Claim {
            said,
            refused: None,
        }
    }

    /// Whether it is the question of such an event, and more games may answer it.
    pub(super) fn needs_games(&self, kind: EventKind) -> bool {
        let is_asked = match self.said {
            Statement::Stronger(_) => matches!(kind, EventKind::Match | EventKind::Gauntlet),
            Statement::FirstMove(_) => kind == EventKind::SelfPlay,
            _ => false,
        };
        let few = [
            Refusal::HoldsZero,
            Refusal::NotSeparated,
            Refusal::TooFewGames,
        ];
        is_asked && self.refused.as_ref().is_some_and(|why| few.contains(why))
    }
}

/// The kinds of statements. The ids are listed in `docs/claims.md`, and stable.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "id", rename_all = "kebab-case")]
pub(crate) enum Statement {
    /// The points of two engines in the games that the other claims are about.
    Score {
        engines: [String; 2],
        points: [f64; 2],
    },
    /// Two engines played the same moves in both games of every pair.
    SameMoves {
        engines: [String; 2],
        pairs: u64,
    },
    Winner(Winner),
    Sprt(SequentialTest),
    Stronger(Stronger),
    FirstMove(FirstMove),
    /// Whether start positions differ.
    StartsDiffer {
        /// Standard deviation in Elo, and its interval.
        sd: Option<[f64; 3]>,
        /// How often that interval includes the truth, in the printed form.
        level: &'static str,
        /// The p-value of the hypothesis that they do not differ at all.
        p: Option<f64>,
        positions: usize,
    },
    /// Positions that are distinguished from the average, by name; the clearest first.
    StartStandsOut {
        better_for_white: Vec<String>,
        worse_for_white: Vec<String>,
    },
    /// Games with a fault of an engine; for a file that does not name the cause, all of them.
    FaultOf {
        engine: Option<String>,
        faults: u64,
    },
    HostTooBusy(HostTooBusy),
    /// An engine that does not keep to its limit: its median number of nodes a move, and the limit.
    LimitIgnored {
        engine: String,
        nodes: u64,
        limit: u64,
    },
    /// Games that repeat others.
    GamesRepeat {
        /// All games that were checked.
        games: usize,
        /// Those that are not counted.
        left_out: usize,
        /// Those that are counted nevertheless.
        counted: usize,
    },
    /// Games that could not be read or break the rules.
    NotUsable {
        games: u64,
    },
    /// What to do next.
    NextStep {
        step: Hint,
    },
}

/// Why the games do not allow a claim.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub(crate) enum Refusal {
    /// Games are missing; how many, if their number is planned.
    NotOver { missing: Option<u64> },
    /// Several share the first place.
    Level,
    /// A sequential test has not decided.
    Undecided,
    /// The interval includes 0.
    HoldsZero,
    /// Without the games that are copies of others the interval includes 0.
    HoldsZeroWithoutCopies,
    /// More than a tenth of the games are copies of others.
    Copies,
    /// These engines never lost a point to the others, which gives no finite rating.
    Unrated { engines: Vec<String> },
    /// Some engines have never met, not even through other engines.
    NeverMet,
    /// Several engines may have the first place.
    NotSeparated,
    /// There are too few different results.
    TooFewGames,
    /// The check of positions does not allow names.
    Unnamed { gate: Unnamed },
    /// No position is distinguished from the average; the smallest s-value.
    NoneSeparated { smallest: Option<f64> },
}

/// The winner by the event's own rules, or leads.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub(crate) struct Winner {
    /// One engine; or several that share the first place, or are still in.
    pub engines: Vec<String>,
    /// Their points, those for byes included; `None` for a tree.
    pub points: Option<f64>,
    /// Their games, and the points without a game.
    pub games: u32,
    pub unplayed_points: f64,
    /// The next engine, or several that share its place, and their points.
    pub second: Option<(Vec<String>, f64)>,
    /// What decided between the first and the next, or the last encounter.
    pub decided_by: Option<DecidedBy>,
    /// The last encounter of a tree.
    pub encounter: Option<DecidingEncounter>,
}

/// The encounter that has decided a tree.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct DecidingEncounter {
    /// `final`, where it has a name.
    pub name: Option<&'static str>,
    pub against: String,
    /// The winner's points and the loser's.
    pub points: [f64; 2],
    /// Games beyond those that were planned, because points were level.
    pub extra_games: u32,
}

/// What decided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum DecidedBy {
    /// A tie-break of the standings.
    TieBreak(TieBreak),
    /// In an encounter of a tree.
    Encounter(EncounterDecision),
}

impl Serialize for DecidedBy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            DecidedBy::TieBreak(rule) => rule.name(),
            DecidedBy::Encounter(decision) => decision_word(*decision),
        })
    }
}

/// The basis of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Basis {
    /// Valid however often it is looked at; for the start positions that were played.
    AlwaysValid,
    /// Valid for one look, after all games; for the start positions that were played.
    Pairs,
    /// The same without pairs.
    Games,
    /// Clustered by start position: for positions like those that were played.
    Positions,
    /// The places that include the true one.
    Places,
}

/// An engine and its rating, with the half width of the interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct RatedEngine {
    pub engine: String,
    pub elo: Option<f64>,
    pub elo_error: Option<f64>,
}

/// Who is stronger: the first of `engines` compared to the other one, or to all others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Stronger {
    /// The strongest, or all that may be the strongest, by rating; of two, the stronger first.
    pub engines: Vec<RatedEngine>,
    /// The other one, of two engines.
    pub than: Option<String>,
    /// The number of participants.
    pub of: usize,
    /// The difference of two engines and its interval.
    pub elo: Option<[f64; 3]>,
    pub level: f64,
    pub basis: Basis,
}

/// The present state of a sequential test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct SequentialTest {
    /// The engine that the hypotheses are about, and the other.
    pub engines: [String; 2],
    pub decision: TestDecision,
    pub elo0: f64,
    pub elo1: f64,
    pub model: Model,
    pub llr: f64,
    /// The bounds at which this test ends.
    pub bounds: [f64; 2],
    pub pairs: u64,
    pub(crate) games: u64,
    pub(crate) unit: TestUnit,
    /// Games still to play that are not exceeded with 10, 50 and 90 %.
    pub games_left: Option<[f64; 3]>,
    /// Elo and its 95 % interval: after the decision, one that takes the stopping rule into account; before it, one
    /// that is valid at any time.
    pub elo: Option<[f64; 3]>,
}

/// White's first-move advantage between engines of equal strength.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct FirstMove {
    /// Elo and its interval.
    pub elo: Option<[f64; 3]>,
    /// The same as White's score, 0 to 1.
    pub score: Option<f64>,
    pub games: u64,
    pub positions: usize,
    pub level: f64,
    pub basis: Basis,
}

/// Games that this computer has spoilt.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct HostTooBusy {
    /// Results that it has decided, and that count.
    pub decided: u64,
    /// Whether the event lets them count; else more games were spoilt than it excuses.
    pub counts: bool,
    /// Games that do not count and are played again.
    pub replayed: u64,
    /// Engines whose further faults the event does not excuse.
    pub unexcused: Vec<String>,
}

/// What to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Hint {
    /// Play what is missing.
    Play,
    /// See why games with a fault were lost.
    Explain,
    /// See what this computer can play.
    Doctor,
    /// Play more games, because these leave the event's question open.
    More,
    /// See every number.
    Details,
}
