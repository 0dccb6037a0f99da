//! Why a claim is not allowed, in words.

use crate::analysis::{FEWEST_FOR_MEAN, FEWEST_FOR_SPREAD, Refusal, Unnamed};
use crate::report::statistics::{name, or_dash, probability};

/// Why the games do not allow a claim, as the end of a sentence.
pub(super) fn reason(refusal: &Refusal) -> String {
    match refusal {
        Refusal::NotOver { .. } => "the event is not over".to_owned(),
        Refusal::Level => "points and tie-breaks are level".to_owned(),
        Refusal::Undecided => "the test has not decided".to_owned(),
        Refusal::HoldsZero => "the interval has 0 in it".to_owned(),
        Refusal::HoldsZeroWithoutCopies => {
            "without the games that repeat others the interval has 0 in it".to_owned()
        }
        Refusal::Copies => unnamed(Unnamed::Copies).to_owned(),
        Refusal::Unrated { engines } => format!(
            "{} never lost a point to the others, so there is no finite rating",
            names(engines)
        ),
        Refusal::NeverMet => "some engines have not met, not even by way of others".to_owned(),
        Refusal::NotSeparated => "the games do not separate them".to_owned(),
        Refusal::TooFewGames => "too few games".to_owned(),
        Refusal::Unnamed { gate } => unnamed(*gate).to_owned(),
        Refusal::NoneSeparated { smallest } => format!(
            "no position is told from the average (smallest s-value {}, 0.05 is needed)",
            or_dash(*smallest, probability)
        ),
    }
}

/// Why no position is named.
pub(crate) fn unnamed(why: Unnamed) -> &'static str {
    match why {
        Unnamed::NotReplicated => {
            "fewer than half of the positions were played in two pairs, so chance cannot be told from them"
        }
        Unnamed::Copies => "more than a tenth of the games repeat others",
        Unnamed::FewGames => {
            const { assert!(FEWEST_FOR_MEAN == 20) };
            "there are fewer than 20 pairs of games"
        }
        Unnamed::Alike => "all results are alike",
        Unnamed::FewPositions => {
            const { assert!(FEWEST_FOR_SPREAD == 12) };
            "there are fewer than 12 positions"
        }
        Unnamed::NoTest => "the games do not allow a test whether positions differ",
        Unnamed::NotShown => "chance alone explains the results",
    }
}

/// Maximum number of names in one sentence; others are counted.
const NAMED: usize = 5;

/// `A, B and C`; of many the first ones, and the number of others.
pub(super) fn names(all: &[String]) -> String {
    let named: Vec<String> = all
        .iter()
        .take(NAMED)
        .map(|one| name(one).into_owned())
        .collect();
    let more = all.len().saturating_sub(NAMED);
    match (named.as_slice(), more) {
        ([], _) => String::new(),
        ([one], 0) => one.clone(),
        ([before @ .., last], 0) => format!("{} and {last}", before.join(", ")),
        (named, more) => format!("{} and {more} more", named.join(", ")),
    }
}
