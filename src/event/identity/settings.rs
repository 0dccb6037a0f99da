//! Positions, test and adaptive choice, as an identity has them.

use serde::{Deserialize, Serialize};

use crate::chess::start::{StartNumber, StartRange, Variant};
use crate::stats::sprt::{Model, TestUnit};

/// Who meets whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormatWord {
    /// Two participants.
    Match,
    /// Everybody meets everybody.
    RoundRobin,
    /// Heroes meet all others.
    Gauntlet,
    /// Who loses an encounter goes out.
    Knockout,
    /// Who loses two goes out.
    DoubleElimination,
    /// The last of an order challenges the next above, and so on.
    Ladder,
    /// Engines with about the same points meet.
    Swiss,
}

/// The positions of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum PositionsIdentity {
    /// Start numbers and ranges of them, in the order of the plan.
    Numbers(String),
    /// A book's lines.
    Book {
        /// How many.
        count: u32,
        /// The SHA-256 of all of them, each as its FEN and its moves.
        sha256: String,
    },
}

impl PositionsIdentity {
    /// How many positions there are; 0 where the text cannot be read.
    pub(crate) fn count(&self, variant: Variant) -> u32 {
        match self {
            PositionsIdentity::Book { count, .. } => *count,
            PositionsIdentity::Numbers(text) => {
                let ranges = text
                    .split(", ")
                    .map(|range| StartRange::parse(variant, range));
                let counts = ranges.map(|range| range.map_or(0, |range| range.numbers().count()));
                counts.sum::<usize>() as u32
            }
        }
    }
}

/// What decides a sequential probability ratio test; not how long it may go on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtTerms {
    /// The null hypothesis, Elo.
    pub elo0: f64,
    /// The alternative, Elo.
    pub elo1: f64,
    /// The probability of accepting the alternative wrongly.
    pub alpha: f64,
    /// The probability of accepting the null hypothesis wrongly.
    pub beta: f64,
    /// What an Elo is.
    pub model: Model,
    /// Whether the bounds are Wald's own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wald: bool,
    /// The pair at which it has decided at the latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decides_at: Option<u64>,
    /// What it counts.
    #[serde(default, skip_serializing_if = "is_of_pairs")]
    pub unit: TestUnit,
}

// serde hands over a reference.
fn is_of_pairs(unit: &TestUnit) -> bool {
    *unit == TestUnit::Pairs
}

/// All that decides where the pairs of an adaptive event go; not how long it may go on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredAdaptive", into = "StoredAdaptive")]
pub struct AdaptiveTerms {
    /// The question.
    pub boundary: Boundary,
    /// A position whose probability to lie on the other side is not above this gets no
    /// more pairs; 0: the event is played to its last pair.
    pub threshold: f64,
    /// Pairs per position and encounter before the first choice.
    pub min_pairs: u32,
    /// Positions chosen at once.
    pub batch: u32,
}

/// What an adaptive event tells positions apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boundary {
    /// The average of all positions.
    Mean,
    /// The given number of positions that favour White most.
    Top(u32),
    /// One start, which is of the event.
    Start(StartNumber),
}

/// The words of boundaries, in the event file as in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum BoundaryWord {
    /// [`Boundary::Mean`].
    Mean,
    /// [`Boundary::Top`].
    Top,
}

/// A store has the boundary in two fields, as an event file has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredAdaptive {
    boundary: StoredBoundary,
    top: Option<u32>,
    threshold: f64,
    min_pairs: u32,
    batch: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredBoundary {
    Word(BoundaryWord),
    Start(u32),
}

impl From<AdaptiveTerms> for StoredAdaptive {
    fn from(terms: AdaptiveTerms) -> StoredAdaptive {
        let (boundary, top) = match terms.boundary {
            Boundary::Mean => (StoredBoundary::Word(BoundaryWord::Mean), None),
            Boundary::Top(wanted) => (StoredBoundary::Word(BoundaryWord::Top), Some(wanted)),
            Boundary::Start(number) => (StoredBoundary::Start(number.0), None),
        };
        StoredAdaptive {
            boundary,
            top,
            threshold: terms.threshold,
            min_pairs: terms.min_pairs,
            batch: terms.batch,
        }
    }
}

impl TryFrom<StoredAdaptive> for AdaptiveTerms {
    type Error = &'static str;

    fn try_from(stored: StoredAdaptive) -> Result<AdaptiveTerms, &'static str> {
        let boundary = match (stored.boundary, stored.top) {
            (StoredBoundary::Word(BoundaryWord::Mean), None) => Boundary::Mean,
            (StoredBoundary::Word(BoundaryWord::Top), Some(wanted)) => Boundary::Top(wanted),
            (StoredBoundary::Start(number), None) => Boundary::Start(StartNumber(number)),
            _ => return Err("`top` belongs to the boundary \"top\""),
        };
        Ok(AdaptiveTerms {
            boundary,
            threshold: stored.threshold,
            min_pairs: stored.min_pairs,
            batch: stored.batch,
        })
    }
}

impl AdaptiveTerms {
    /// Where the pairs went, in words.
    pub fn label(&self) -> String {
        let question = match self.boundary {
            Boundary::Mean => "above the mean of all".to_owned(),
            Boundary::Top(wanted) => format!("among the {wanted} best for White"),
            Boundary::Start(start) => format!("above start {start}"),
        };
        let first = self.min_pairs;
        format!(
            "after {first} pairs on each position, pairs went where it was in doubt whether it is \
             {question}"
        )
    }
}
