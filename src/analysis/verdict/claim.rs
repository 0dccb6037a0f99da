//! A claim: its id, its numbers, and why the games do not allow it.

use serde::{Serialize, Serializer};

use crate::analysis::Unnamed;
use crate::schedule::Decision;
use crate::sink::decision_word;
use crate::stats::sprt::{Decision as TestDecision, Model};
use crate::stats::standings::TieBreak;

/// Something that is said of an event, or that its games do not allow to be said.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Claim {
    /// What is said, with its numbers.
    #[serde(flatten)]
    pub said: Said,
    /// Why it may not be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refusal>,
}

impl Claim {
    /// A claim that the games allow.
    pub(super) fn allowed(said: Said) -> Claim {
        Claim {
            said,
            refused: None,
        }
    }
}

/// What is said. The ids are those of `docs/claims.md`, and stable.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "id", rename_all = "kebab-case")]
pub(crate) enum Said {
    Winner(Winner),
    Sprt(SequentialTest),
    Stronger(Stronger),
    FirstMove(FirstMove),
    StartsDiffer(StartsDiffer),
    StartStandsOut(StartStandsOut),
    FaultOf(FaultOf),
    HostTooBusy(HostTooBusy),
    LimitIgnored(LimitIgnored),
    GamesRepeat(GamesRepeat),
    NotUsable(NotUsable),
    NextStep(NextStep),
}

/// Why the games do not allow a claim.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub(crate) enum Refusal {
    /// Games are missing; how many, where that is planned.
    NotOver { missing: Option<u64> },
    /// Several share the first place.
    Level,
    /// A sequential test has not decided.
    Undecided,
    /// The interval has 0 in it.
    HoldsZero,
    /// Without the games that are copies of others the interval has 0 in it.
    HoldsZeroWithoutCopies,
    /// More than a tenth of the games are copies of others.
    Copies,
    /// These engines never lost a point to the others, which gives no finite rating.
    Unrated { engines: Vec<String> },
    /// Some engines have never met, not even by way of others.
    NeverMet,
    /// Several engines may have the first place.
    NotSeparated,
    /// There are too few different results.
    TooFewGames,
    /// Positions may not be named.
    Unnamed { gate: Unnamed },
    /// No position is told from the average; the smallest s-value.
    NoneSeparated { smallest: Option<f64> },
}

/// Who has won by the event's own rules, or leads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Winner {
    /// One; several share the first place, or are still in.
    pub engines: Vec<String>,
    /// Their points, those for byes included; none of a tree.
    pub points: Option<f64>,
    /// Games behind the points, and byes.
    pub games: u32,
    pub byes: u32,
    /// Who is next, and with how many points.
    pub second: Option<(String, f64)>,
    /// What puts the first above the next, or has won the last encounter.
    pub decided_by: Option<DecidedBy>,
    /// The last encounter of a tree.
    pub encounter: Option<Encounter>,
}

/// The encounter that has decided a tree.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Encounter {
    /// `final`, where it has a name.
    pub name: Option<&'static str>,
    /// The loser.
    pub against: String,
    /// The winner's points and the loser's.
    pub points: [f64; 2],
    /// Games beyond those that were planned, because points were level.
    pub extra_games: u32,
}

/// What has decided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum DecidedBy {
    /// A tie-break of the standings.
    TieBreak(TieBreak),
    /// In an encounter of a tree.
    Encounter(Decision),
}

impl Serialize for DecidedBy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            DecidedBy::TieBreak(rule) => rule.name(),
            DecidedBy::Encounter(decision) => decision_word(*decision),
        })
    }
}

/// What an interval stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Basis {
    /// Looked at as often as one likes; of the start positions that were played.
    AlwaysValid,
    /// Looked at once, when all games were played; of the start positions that were played.
    Pairs,
    /// The same without pairs.
    Games,
    /// Clustered by start position: of positions like those that were played.
    Positions,
    /// All places that hold the true one.
    Places,
}

/// An engine and its rating, with the half width of the interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Rated {
    pub engine: String,
    pub elo: Option<f64>,
    pub elo_error: Option<f64>,
}

/// Who is stronger: the first of `engines` than the other, or than all others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Stronger {
    /// One that is the strongest, or all that may be, by rating; the stronger of two first.
    pub engines: Vec<Rated>,
    /// The other one, of two engines.
    pub than: Option<String>,
    /// How many take part.
    pub of: usize,
    /// The difference of two engines and its interval.
    pub elo: Option<[f64; 3]>,
    pub level: f64,
    pub basis: Basis,
}

/// A sequential test as it stands.
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
    /// Games still to play that are not exceeded with 10, 50 and 90 %.
    pub games_left: Option<[f64; 3]>,
    /// Elo and its 95 % interval: after the decision one that knows of the stopping rule, before it one that
    /// is always valid.
    pub elo: Option<[f64; 3]>,
}

/// What White's first move is worth between engines of equal strength.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct FirstMove {
    /// Elo and its interval.
    pub elo: Option<[f64; 3]>,
    /// White's score that this is, 0 to 1.
    pub score: Option<f64>,
    pub games: u64,
    pub positions: usize,
    pub level: f64,
    pub basis: Basis,
}

/// Whether start positions differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct StartsDiffer {
    /// Standard deviation in Elo, and its interval.
    pub sd: Option<[f64; 3]>,
    /// How often that interval holds the truth, as it may be printed.
    pub level: &'static str,
    /// That they do not differ at all.
    pub p: Option<f64>,
    pub positions: usize,
}

/// Positions that are told from the average.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct StartStandsOut {
    /// By name; the clearest first.
    pub better_for_white: Vec<String>,
    pub worse_for_white: Vec<String>,
}

/// Games with a fault of an engine; of a file that does not say whose, all of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct FaultOf {
    pub engine: Option<String>,
    pub faults: u64,
}

/// Games that this computer has spoilt.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct HostTooBusy {
    /// Results that it has decided, and that count.
    pub decided: u64,
    /// Games that do not count and are played again.
    pub replayed: u64,
    /// Engines of which the event excuses nothing more.
    pub unexcused: Vec<String>,
}

/// An engine that does not keep to its limit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct LimitIgnored {
    pub engine: String,
    /// Median number of nodes a move, and the limit.
    pub nodes: u64,
    pub limit: u64,
}

/// Games that repeat others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct GamesRepeat {
    /// All games looked at.
    pub games: usize,
    /// Those that are not counted.
    pub left_out: usize,
    /// Those that are counted all the same.
    pub counted: usize,
}

/// Games that could not be read or break the rules.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct NotUsable {
    pub games: u64,
}

/// What to do next.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct NextStep {
    pub step: Step,
}

/// What to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Step {
    /// Play what is missing.
    Play,
    /// See why games with a fault were lost.
    Explain,
    /// See what this computer can play.
    Doctor,
    /// See every number.
    Details,
}
