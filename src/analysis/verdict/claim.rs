//! A claim: its id, its numbers, why the games do not allow it, under which condition it holds, and its sentence.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::analysis::Unnamed;
use crate::stats::sprt::{Model, TestUnit};
use crate::text::{count, elo, is_narrow, or_dash, probability, short_name};
use crate::tournament::SprtWatch;

use super::EventKind;

/// A statement about an event, or the reason why its games do not allow it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Claim {
    /// Stable; `docs/claims.md` lists them.
    pub id: &'static str,
    /// For programs.
    #[serde(flatten)]
    pub numbers: Value,
    /// Why it may not be made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refusal>,
    pub allowed: bool,
    /// The condition under which it holds; empty for a claim that only counts.
    #[serde(rename = "if")]
    pub condition: &'static str,
    /// The sentence for people; for a claim that is not allowed, that it is not, and why.
    pub words: String,
}

impl Claim {
    pub(super) fn new(
        id: &'static str,
        refused: Option<Refusal>,
        numbers: Value,
        words: String,
    ) -> Claim {
        Claim {
            id,
            numbers,
            allowed: refused.is_none(),
            refused,
            condition: condition(id),
            words,
        }
    }

    /// A claim with an interval of this basis, which decides the condition.
    pub(super) fn based(self, basis: Basis) -> Claim {
        Claim {
            condition: basis.condition(),
            ..self
        }
    }

    /// Whether it is the question of such an event, and more games may answer it.
    pub(super) fn needs_games(&self, kind: EventKind) -> bool {
        let is_asked = match self.id {
            "stronger" => matches!(kind, EventKind::Match | EventKind::Gauntlet),
            "first-move" => kind == EventKind::SelfPlay,
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

fn condition(id: &str) -> &'static str {
    match id {
        "winner" => "by the event's own rules; it does not say who is stronger",
        "sprt" => {
            "pairs are independent: with few start positions, each played often, it holds for these positions alone"
        }
        "starts-differ" => {
            "for these engines at these limits; positions were played about equally often"
        }
        "start-stands-out" => {
            "for these engines at these limits; of those named at most 1 in 20 lies within 5 Elo of the average"
        }
        "fault-of" | "host-too-busy" => {
            "as the runner saw it; its evidence is stored with each game"
        }
        "limit-ignored" => "by the nodes that the engine itself reports, in a sample of its games",
        "games-repeat" | "same-moves" => "by moves and start position",
        _ => "",
    }
}

/// What an interval was computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Basis {
    /// Valid however often it is looked at.
    AlwaysValid,
    /// Pairs, each an observation.
    Pairs,
    /// Single games, because there are no pairs.
    Games,
    /// Pairs clustered by position.
    Positions,
    /// The places that each of many engines may have.
    Places,
}

impl Basis {
    fn condition(self) -> &'static str {
        match self {
            Basis::AlwaysValid => {
                "however often it is looked at; for these start positions, engines and limits"
            }
            Basis::Pairs | Basis::Games => {
                "looked at once, when all games are played; for these start positions, engines and limits"
            }
            Basis::Positions => {
                "looked at once, when all games are played; for start positions like these, these engines and limits"
            }
            Basis::Places => {
                "looked at once, when all games are played; for these engines and limits"
            }
        }
    }
}

/// Why a claim may not be made.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub(crate) enum Refusal {
    /// Games are missing, where their number is known.
    NotOver {
        missing: Option<u64>,
    },
    /// Points and tie-breaks are level.
    Level,
    /// The test has not decided.
    Undecided,
    /// The interval has 0 in it.
    HoldsZero,
    /// It has 0 in it without the games that repeat others.
    HoldsZeroWithoutCopies,
    /// Too many games repeat others.
    Copies,
    /// These engines have no finite rating.
    Unrated {
        engines: Vec<String>,
    },
    /// Some engines have not met, not even by way of others.
    NeverMet,
    /// The games do not separate the first of many.
    NotSeparated,
    TooFewGames,
    /// The gate before White's first move and start positions is shut.
    Unnamed {
        gate: Unnamed,
    },
    /// No position is told from the average; the smallest s-value.
    NoneSeparated {
        smallest: Option<f64>,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Refusal::NotOver { .. } => "the event is not over",
            Refusal::Level => "points and tie-breaks are level",
            Refusal::Undecided => "the test has not decided",
            Refusal::HoldsZero => "the interval has 0 in it",
            Refusal::HoldsZeroWithoutCopies => {
                "without the games that repeat others the interval has 0 in it"
            }
            Refusal::Copies => return Unnamed::Copies.fmt(out),
            Refusal::Unrated { engines } => {
                let engines = names(engines);
                return write!(
                    out,
                    "{engines} never lost a point to the others, so there is no finite rating"
                );
            }
            Refusal::NeverMet => "some engines have not met, not even by way of others",
            Refusal::NotSeparated => "the games do not separate them",
            Refusal::TooFewGames => "too few games",
            Refusal::Unnamed { gate } => return gate.fmt(out),
            Refusal::NoneSeparated { smallest } => {
                let smallest = or_dash(*smallest, probability);
                return write!(
                    out,
                    "no position is told from the average (smallest s-value {smallest}, 0.05 is needed)"
                );
            }
        })
    }
}

/// Maximum number of engines that are named.
const MAX_NAMES: usize = 5;

/// The names of some engines as a part of a sentence.
pub(super) fn names(all: &[String]) -> String {
    let shown = all.iter().take(MAX_NAMES);
    let named: Vec<String> = shown.map(|one| short_name(one)).collect();
    let more = all.len().saturating_sub(MAX_NAMES);
    match (named.as_slice(), more) {
        ([], _) => String::new(),
        ([one], 0) => one.clone(),
        ([before @ .., last], 0) => format!("{} and {last}", before.join(", ")),
        (named, more) => format!("{} and {more} more", named.join(", ")),
    }
}

/// Elo with its interval; an open end is not printed.
pub(super) fn interval([value, low, high]: [f64; 3], level: f64) -> String {
    let level = format!("{:.0} %", 100.0 * level);
    match (low.is_finite(), high.is_finite()) {
        (true, true) if is_narrow(high - low) => format!(
            "{} Elo ({level}: {} to {})",
            elo(value),
            elo(low),
            elo(high)
        ),
        (true, _) if low > 0.0 || high.is_infinite() => {
            format!("at least {} Elo ({level})", elo(low))
        }
        (_, true) if high < 0.0 || low.is_infinite() => {
            format!("at most {} Elo ({level})", elo(high))
        }
        _ => "an unknown number of Elo".to_owned(),
    }
}

/// The scale of a test's bounds.
pub(crate) fn model_word(model: Model) -> &'static str {
    match model {
        Model::Normalized => "nElo",
        Model::Logistic => "Elo",
        Model::Bayesian => "BayesElo",
    }
}

/// What a test has counted: pairs, games if these are its unit, or pairs of both engines against others.
pub(crate) fn tested(test: &SprtWatch, pairs: u64, games: u64) -> String {
    match test.sprt().unit() {
        _ if test.heroes().is_some() => format!("{} of each", count(pairs, "pair")),
        TestUnit::Pairs | TestUnit::Starts => count(pairs, "pair"),
        TestUnit::Games | TestUnit::Cutechess => count(games, "game"),
    }
}
