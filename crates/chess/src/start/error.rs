//! Everything that can be wrong with a variant, a number or a back rank.

use std::error::Error;
use std::fmt;

use super::{BackRankError, Filter, Variant};

/// Why a start position was refused. `Display` says what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartError {
    /// No variant has this name.
    UnknownVariant(String),
    /// No filter has this name.
    UnknownFilter(String),
    /// The number is not one of the variant's.
    NumberOutOfRange {
        /// The variant whose numbers were meant.
        variant: Variant,
        /// The number as given.
        number: String,
    },
    /// The text is neither a number, nor `white/black`, nor a back rank.
    UnreadableNumber(String),
    /// A range whose end lies before its beginning.
    BackwardRange(String),
    /// The text is not eight pieces of a back rank.
    BackRank(BackRankError),
    /// The back rank is complete, but does not belong to the variant.
    NotOfVariant {
        /// The variant that was asked for.
        variant: Variant,
        /// The back rank or the pair of them.
        text: String,
        /// What the variant asks for that this is not.
        reason: &'static str,
    },
    /// The left-right mirror of these starts is not a start of the variant.
    NoMirror(Variant),
    /// More starts were asked for than there are to choose from.
    SampleTooLarge {
        /// How many were asked for.
        wanted: u64,
        /// How many there are.
        available: u64,
    },
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownVariant(name) => {
                write!(
                    f,
                    "no variant is called `{name}`; there are {}",
                    names(&Variant::ALL)
                )
            }
            Self::UnknownFilter(name) => {
                write!(
                    f,
                    "no filter is called `{name}`; there are {}",
                    names(&Filter::ALL)
                )
            }
            Self::NumberOutOfRange { variant, number } => {
                write!(
                    f,
                    "{variant} has no start number {number}: {}",
                    variant.numbers_described()
                )
            }
            Self::UnreadableNumber(text) => write!(
                f,
                "`{text}` is not a start position: write a number, white/black, or a back rank such as RNBQKBNR"
            ),
            Self::BackwardRange(text) => {
                write!(
                    f,
                    "the range `{text}` ends before it begins; write the smaller number first"
                )
            }
            Self::NotOfVariant {
                variant,
                text,
                reason,
            } => {
                write!(f, "`{text}` is not a start of {variant}: {reason}")
            }
            Self::NoMirror(variant) => {
                write!(
                    f,
                    "the left-right mirror of a {variant} start is not a {variant} start"
                )
            }
            Self::SampleTooLarge { wanted, available } => {
                write!(
                    f,
                    "{wanted} different starts were asked for, but there are {available}"
                )
            }
            Self::BackRank(error) => error.fmt(f),
        }
    }
}

impl From<BackRankError> for StartError {
    fn from(error: BackRankError) -> Self {
        Self::BackRank(error)
    }
}

impl Error for StartError {}

/// A list for messages: `a, b and c`.
fn names<T: fmt::Display>(items: &[T]) -> String {
    let texts: Vec<String> = items.iter().map(T::to_string).collect();
    match texts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
