//! A claim: its id, its numbers, why the games do not allow it, under which condition it holds, and its sentence.

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
        use Refusal::{HoldsZero, NotSeparated, TooFewGames};
        is_asked && matches!(self.refused, Some(HoldsZero | NotSeparated | TooFewGames))
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
#[derive(Debug, Clone, PartialEq, Serialize, thiserror::Error)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub(crate) enum Refusal {
    /// Games are missing, where their number is known.
    #[error("the event is not over")]
    NotOver { missing: Option<u64> },
    #[error("points and tie-breaks are level")]
    Level,
    #[error("the test has not decided")]
    Undecided,
    #[error("the interval has 0 in it")]
    HoldsZero,
    #[error("without the games that repeat others the interval has 0 in it")]
    HoldsZeroWithoutCopies,
    #[error("{}", Unnamed::Copies)]
    Copies,
    #[error("{} never lost a point to the others, so there is no finite rating", names(.engines))]
    Unrated { engines: Vec<String> },
    #[error("some engines have not met, not even by way of others")]
    NeverMet,
    #[error("the games do not separate them")]
    NotSeparated,
    #[error("too few games")]
    TooFewGames,
    /// The gate before White's first move and start positions is shut.
    #[error("{gate}")]
    Unnamed { gate: Unnamed },
    /// The smallest s-value.
    #[error(
        "no position is told from the average (smallest s-value {}, 0.05 is needed)",
        or_dash(*.smallest, probability)
    )]
    NoneSeparated { smallest: Option<f64> },
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
        (true, true) if is_narrow(high - low) => {
            let [value, low, high] = [value, low, high].map(elo);
            format!("{value} Elo ({level}: {low} to {high})")
        }
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
