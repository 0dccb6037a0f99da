//! Everything that can be wrong with a variant, a number or a back rank.

use std::fmt::Display;

use super::{BackRankError, Filter, Variant};

/// Why a start position was refused. `Display` says what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// No variant has this name.
    #[error("no variant is called `{0}`; there are {all}", all = names(&Variant::ALL))]
    UnknownVariant(String),
    /// No filter has this name.
    #[error("no filter is called `{0}`; there are {all}", all = names(&Filter::ALL))]
    UnknownFilter(String),
    /// The number is not one of the variant's.
    #[error("{variant} has no start number {number}: {}", variant.numbers_described())]
    NumberOutOfRange {
        /// The variant whose numbers were meant.
        variant: Variant,
        /// The number as given.
        number: String,
    },
    /// The text is neither a number, nor `white/black`, nor a back rank.
    #[error(
        "`{0}` is not a start position: write a number, white/black, or a back rank such as RNBQKBNR"
    )]
    UnreadableStart(String),
    /// A range whose end lies before its beginning.
    #[error("the range `{0}` ends before it begins; write the smaller number first")]
    BackwardRange(String),
    /// The text is not eight pieces of a back rank.
    #[error(transparent)]
    BackRank(#[from] BackRankError),
    /// The back rank is complete, but does not belong to the variant.
    #[error("`{text}` is not a start of {variant}: {reason}")]
    NotOfVariant {
        /// The variant that was asked for.
        variant: Variant,
        /// The back rank or the pair of them.
        text: String,
        /// What the variant asks for that this is not.
        reason: &'static str,
    },
    /// The left-right mirror of these starts is not a start of the variant.
    #[error("the left-right mirror of a {0} start is not a {0} start")]
    NoMirror(Variant),
    /// More starts were asked for than there are to choose from.
    #[error("{wanted} different starts were asked for, but there are {available}")]
    SampleTooLarge {
        /// How many were asked for.
        wanted: u64,
        /// How many there are.
        available: u64,
    },
}

/// A list for messages: `a, b and c`.
fn names<T: Display>(items: &[T]) -> String {
    let texts: Vec<String> = items.iter().map(T::to_string).collect();
    match texts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
