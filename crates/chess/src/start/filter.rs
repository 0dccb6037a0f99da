//! Subsets of starts that people play or leave out.

use std::fmt;
use std::str::FromStr;

use super::{BackRank, Setup, StartError, StartNumber, Variant, unknown};
use crate::random::Random;

crate::worded! {
    /// A condition on a start. Where White and Black have independent arrays, both must
    /// fulfil it; else it is judged by White's.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Filter,
    /// The name on the command line.
    name: &'static str {
        /// The queen is left of the king (nearer to a). One of the three halves of Chess960 that are also called Chess480:
        /// it has one start of each pair of mirror twins.
        QueenLeftOfKing = "queen-left",
        /// White's king on a dark square: another half.
        KingOnDarkSquare = "king-dark",
        /// White's king on a light square: the other half.
        KingOnLightSquare = "king-light",
        /// Bishops on squares of both colours: 2,880 of the 5,040 shuffles.
        BishopsOnBothColours = "bishops-opposite",
        /// King on e, rooks on a and h: 18 of the 960.
        KingAndRooksAtHome = "home",
        /// Not the orthodox array, which ICCF's Chess960 events leave out.
        NotStandard = "not-518",
    }
}

impl Filter {
    /// Whether a back rank of White's fulfils the condition.
    pub fn holds_for(self, rank: &BackRank) -> bool {
        match self {
            Self::QueenLeftOfKing => rank.queen() < rank.king(),
            // a1 is dark, and colours alternate along the rank.
            Self::KingOnDarkSquare => rank.king().is_multiple_of(2),
            Self::KingOnLightSquare => !rank.king().is_multiple_of(2),
            Self::BishopsOnBothColours => rank.bishops_on_both_colours(),
            Self::KingAndRooksAtHome => rank.king_and_rooks_at_home(),
            Self::NotStandard => *rank != BackRank::standard(),
        }
    }

    /// Whether a numbered start fulfils the condition.
    pub fn accepts(self, variant: Variant, number: StartNumber) -> Result<bool, StartError> {
        let setup = Setup::new(variant, number)?;
        if self == Self::NotStandard {
            return Ok(!setup.is_standard());
        }
        let black_too = !variant.pairs_with_partner() || self.holds_for(&setup.black);
        Ok(self.holds_for(&setup.white) && black_too)
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Filter {
    type Err = StartError;

    /// Reads a [`name`](Self::name) in any case.
    fn from_str(text: &str) -> Result<Self, StartError> {
        Self::ALL
            .into_iter()
            .find(|filter| filter.name().eq_ignore_ascii_case(text.trim()))
            .ok_or_else(|| unknown("filter", text, &Self::ALL))
    }
}

/// `count` different starts of the variant, each set equally likely, in random order.
///
/// The same seed always gives the same starts, and a larger sample begins with the smaller one.
pub fn sample(variant: Variant, count: u32, seed: u64) -> Result<Vec<StartNumber>, StartError> {
    let first = variant.first_number().0;
    let chosen = choose(variant.count().into(), count, seed)?;
    // A variant has fewer than 2^32 starts.
    Ok(chosen
        .into_iter()
        .map(|index| StartNumber(first + index as u32))
        .collect())
}

/// As [`sample`], but out of `numbers` alone.
pub fn sample_of(
    numbers: &[StartNumber],
    count: u32,
    seed: u64,
) -> Result<Vec<StartNumber>, StartError> {
    let chosen = choose(numbers.len() as u64, count, seed)?;
    Ok(chosen
        .into_iter()
        .map(|index| numbers[index as usize])
        .collect())
}

fn choose(available: u64, count: u32, seed: u64) -> Result<Vec<u64>, StartError> {
    let wanted = u64::from(count);
    if wanted > available {
        return Err(StartError(format!(
            "{wanted} different starts were asked for, but there are {available}"
        )));
    }
    Ok(Random::new(seed).sample_distinct(available, wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(variant: Variant, filter: Filter) -> usize {
        variant
            .numbers()
            .filter(|&number| filter.accepts(variant, number).unwrap())
            .count()
    }

    #[test]
    fn counts_are_the_known_ones() {
        for half in [
            Filter::QueenLeftOfKing,
            Filter::KingOnDarkSquare,
            Filter::KingOnLightSquare,
        ] {
            assert_eq!(count(Variant::Chess960, half), 480, "{half}");
        }
        assert_eq!(count(Variant::Chess960, Filter::KingAndRooksAtHome), 18);
        assert_eq!(count(Variant::Chess960, Filter::NotStandard), 959);
        assert_eq!(count(Variant::Shuffle, Filter::BishopsOnBothColours), 2880);
        assert_eq!(count(Variant::Chess256, Filter::NotStandard), 255);
    }
}
