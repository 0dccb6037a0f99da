//! Positions, test and adaptive choice, as an identity has them.

use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::EventIdentity;
use crate::chess::start::{StartNumber, StartRange, Variant};
use crate::stats::sprt::{Model, TestUnit};
use crate::text::count;

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
    /// Several of these, one after the other.
    Stages,
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
            PositionsIdentity::Numbers(text) => numbers(text, variant).count() as u32,
        }
    }

    /// The start number of the position in this place, from 0, if positions have numbers.
    pub(crate) fn number(&self, variant: Variant, place: u32) -> Option<StartNumber> {
        match self {
            PositionsIdentity::Book { .. } => None,
            PositionsIdentity::Numbers(text) => numbers(text, variant).nth(place as usize),
        }
    }
}

fn numbers(text: &str, variant: Variant) -> impl Iterator<Item = StartNumber> {
    let ranges = text.split(", ");
    let ranges = ranges.filter_map(move |range| StartRange::parse(variant, range).ok());
    ranges.flat_map(|range| range.numbers())
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
    #[serde(default)]
    pub wald: bool,
    /// The pair at which it has decided at the latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decides_at: Option<u64>,
    /// It also ends when the difference is known to ± this, Elo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
    /// What it counts.
    #[serde(default)]
    pub unit: TestUnit,
    /// Whom the two engines meet.
    #[serde(default, skip_serializing_if = "crate::text::is_usual")]
    pub against: TestedAgainst,
}

/// Whom the two engines of a sequential test meet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestedAgainst {
    #[default]
    EachOther,
    /// The same opponents on the same starts: the heroes of a gauntlet are compared.
    Others,
}

/// All that decides where the pairs of an adaptive event go; not how long it may go on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Boundary {
    /// The average of all positions.
    Mean,
    /// The given number of positions that favour White most.
    Top(u32),
    /// One start, which is of the event.
    Start(StartNumber),
}

impl AdaptiveTerms {
    /// Where the pairs went, in words.
    pub fn label(&self) -> String {
        let question = match self.boundary {
            Boundary::Mean => "above the mean of all".to_owned(),
            Boundary::Top(wanted) => format!("among the {wanted} best for White"),
            Boundary::Start(start) => format!("above start {start}"),
        };
        let first = count(self.min_pairs, "pair");
        format!(
            "after {first} on each position, pairs went where it was in doubt whether it is \
             {question}"
        )
    }
}

impl EventIdentity {
    /// The text that a commitment is the SHA-256 of, byte for byte. It has the seed that was chosen,
    /// and where a public one comes from; not the public one, which is announced later.
    pub(crate) fn draw_text(&self, event: &str) -> String {
        let engines = self.engines.iter().map(|engine| engine.name.as_str());
        let public = self.public_draw.as_ref();
        let mut value = json!({
            "arbiter960 draw": 1,
            "event": event,
            "seed": self.organisers_seed(),
            "public seed from": public.map(|public| public.source.as_str()),
            "variant": self.variant.name(),
            "format": self.format,
            "engines": engines.collect::<Vec<_>>(),
            "heroes": self.heroes,
            "pairs": self.pairs,
            "elimination": self.elimination,
            "swiss": self.swiss,
            "positions": self.positions,
            "draw": self.draw,
        });
        // Commitments of events without these were published before there were any.
        if !self.stages.is_empty() {
            value["stages"] = json!(self.stages);
        }
        format!("{value:#}\n")
    }

    /// The commitment to it, in hexadecimal digits.
    pub(crate) fn commitment(&self, event: &str) -> String {
        let digest = Sha256::digest(self.draw_text(event));
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The seed of an event, of the one that its organiser has chosen and what was announced in public
/// afterwards: the first eight bytes of the SHA-256 of both, so that neither decides alone.
pub(crate) fn combined_seed(seed: u64, public: &str) -> u64 {
    let digest = Sha256::digest(format!("arbiter960 seed\n{seed}\n{public}\n"));
    let first = digest.iter().take(8);
    first.fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::combined_seed;

    #[test]
    fn a_public_seed_changes_everything_and_never_changes() {
        // printf 'arbiter960 seed\n7\n3 11 19 27 33 41\n' | sha256sum | cut -c1-16
        assert_eq!(combined_seed(7, "3 11 19 27 33 41"), COMBINED);
        assert_ne!(combined_seed(8, "3 11 19 27 33 41"), COMBINED);
        assert_ne!(combined_seed(7, "3 11 19 27 33 42"), COMBINED);
    }

    const COMBINED: u64 = 0xecf8_bc8a_e570_bba0;
}
