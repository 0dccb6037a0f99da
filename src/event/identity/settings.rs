//! Positions, test and adaptive choice, as an identity has them.

use serde::{Deserialize, Serialize};

use crate::chess::start::{StartRange, Variant};
use crate::stats::sprt::{Model, Unit};

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
    /// What it counts.
    #[serde(default, skip_serializing_if = "is_of_pairs")]
    pub unit: Unit,
}

// serde hands over a reference.
fn is_of_pairs(unit: &Unit) -> bool {
    *unit == Unit::Pairs
}

/// All that decides where the pairs of an adaptive event go.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdaptiveIdentity {
    /// The boundary that separates positions.
    pub boundary: BoundaryIdentity,
    /// How many positions are wanted; only with [`BoundaryWord::Top`].
    pub top: Option<u32>,
    /// A position whose probability to lie on the other side is not above this gets no more
    /// pairs.
    pub threshold: f64,
    /// Pairs per position and encounter before the first choice.
    pub min_pairs: u32,
    /// Positions chosen at once.
    pub batch: u32,
}

/// The boundary that separates positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum BoundaryIdentity {
    /// A place among all.
    Word(BoundaryWord),
    /// One start, by its number.
    Start(u32),
}

/// A place among all positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoundaryWord {
    /// The average of all positions.
    Mean,
    /// Those that give White most.
    Top,
}

impl AdaptiveIdentity {
    /// Where the pairs went, in words.
    pub fn label(&self) -> String {
        let question = match (self.boundary, self.top) {
            (BoundaryIdentity::Start(start), _) => format!("above start {start}"),
            (_, Some(top)) => format!("among the {top} best for White"),
            _ => "above the mean of all".to_owned(),
        };
        let first = self.min_pairs;
        format!(
            "after {first} pairs on each position, pairs went where it was in doubt whether it is \
             {question}"
        )
    }
}
