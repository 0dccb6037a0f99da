//! Start numbers as people write them: `518`, `518/12`, `RNBQKBNR`, `0-99`, `all`.

use std::ops::RangeInclusive;

use super::{BackRank, Setup, StartError, StartNumber, Variant};

/// Reads one start of the variant: a number, `white/black`, or a back rank.
///
/// In `white/black` both halves are numbers of arrays or both are back ranks. A single back rank is used for both
/// sides.
///
/// ```
/// use arbiter960_chess::start::{parse_number, StartNumber, Variant};
/// assert_eq!(parse_number(Variant::Chess960, "RNBQKBNR"), Ok(StartNumber(518)));
/// assert_eq!(parse_number(Variant::Dfrc, "518/12"), Ok(StartNumber(518 * 960 + 12)));
/// ```
pub fn parse_number(variant: Variant, text: &str) -> Result<StartNumber, StartError> {
    let text = text.trim();
    if let Some((white, black)) = text.split_once('/') {
        return two_sides(variant, white, black);
    }
    if is_number(text) {
        return plain_number(variant, text);
    }
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return Err(unreadable(text));
    }
    Setup::symmetrical(variant, text.parse()?).number()
}

fn unreadable(text: &str) -> StartError {
    StartError(format!(
        "`{text}` is not a start position: write a number, white/black, or a back rank such as RNBQKBNR"
    ))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn plain_number(variant: Variant, text: &str) -> Result<StartNumber, StartError> {
    let number = text
        .parse()
        .ok()
        .map(StartNumber)
        .filter(|&number| variant.has(number));
    number.ok_or_else(|| StartError::out_of_range(variant, text))
}

/// `white/black`: two numbers of arrays, or two back ranks.
fn two_sides(variant: Variant, white: &str, black: &str) -> Result<StartNumber, StartError> {
    let both = || format!("{white}/{black}");
    match (
        is_number(white),
        is_number(black),
        variant.arrays_per_side(),
    ) {
        (true, true, Some(arrays)) => {
            let array = |text: &str| text.parse().ok().filter(|&number: &u32| number < arrays);
            let numbers = array(white).zip(array(black));
            let (white, black) =
                numbers.ok_or_else(|| StartError::out_of_range(variant, both()))?;
            Ok(StartNumber(white * arrays + black))
        }
        (true, true, None) if white == black => plain_number(variant, white),
        (true, true, None) => Err(StartError(format!(
            "`{}` is not a start of {variant}: one number stands for both sides",
            both()
        ))),
        (false, false, _) => {
            let (white, black): (BackRank, BackRank) = (white.parse()?, black.parse()?);
            Setup::of(variant, white, black).number()
        }
        _ => Err(unreadable(&both())),
    }
}

/// A run of start numbers, both ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartRange(RangeInclusive<u32>);

impl StartRange {
    /// Reads `all`, `0-99`, or a single start as [`parse_number`] does.
    pub fn parse(variant: Variant, text: &str) -> Result<Self, StartError> {
        if text.trim().eq_ignore_ascii_case("all") {
            let first = variant.first_number().0;
            return Ok(Self(first..=first + variant.count() - 1));
        }
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last) = (parse_number(variant, first)?, parse_number(variant, last)?);
        if last < first {
            return Err(StartError(format!(
                "the range `{}` ends before it begins; write the smaller number first",
                text.trim()
            )));
        }
        Ok(Self(first.0..=last.0))
    }

    /// The numbers of the range, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = StartNumber> + use<> {
        self.0.clone().map(StartNumber)
    }
}

/// White's and Black's numbers of a start whose arrays are independent, as they are
/// written in `white/black`.
pub fn white_and_black(variant: Variant, number: StartNumber) -> Option<(u32, u32)> {
    let arrays = variant.arrays_per_side()?;
    variant
        .has(number)
        .then_some((number.0 / arrays, number.0 % arrays))
}

/// The back rank as [`parse_number`] reads it again: White's, and after a slash Black's
/// where it is independent.
pub fn back_rank_text(setup: &Setup) -> String {
    if setup.variant.pairs_with_partner() {
        format!("{}/{}", setup.white, setup.black)
    } else {
        setup.white.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(variant: Variant, text: &str) -> String {
        parse_number(variant, text).unwrap_err().to_string()
    }

    #[test]
    fn every_way_of_writing_a_start() {
        let read = |variant, text| parse_number(variant, text).map(|number| number.0);
        for text in [
            "518",
            "0518",
            "518/518",
            "RNBQKBNR",
            "rnbqkbnr",
            "RNBQKBNR/RNBQKBNR",
        ] {
            assert_eq!(read(Variant::Chess960, text), Ok(518), "{text}");
            assert_eq!(read(Variant::Shuffle, text), Ok(518), "{text}");
        }
        assert_eq!(read(Variant::Dfrc, "RNBQKBNR"), Ok(518 * 961));
        assert_eq!(read(Variant::Dfrc, "RNBQKBNR/BBQNNRKR"), Ok(518 * 960));
        assert_eq!(read(Variant::Transcendental, "2879/1"), Ok(2879 * 2880 + 1));
        assert_eq!(read(Variant::Corner, "BBQNNRRK"), Ok(0));
        assert_eq!(read(Variant::Chess256, "7/7"), Ok(7));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (variant, text, message) in [
            (
                Variant::Chess960,
                "960",
                "chess960 has no start number 960: they are 0-959",
            ),
            (
                Variant::Chess960,
                "99999999999",
                "no start number 99999999999",
            ),
            (Variant::Standard, "0", "its only start is 518"),
            (Variant::Dfrc, "960/0", "or white/black with both 0-959"),
            (Variant::Chess960, "1/2", "one number stands for both sides"),
            (
                Variant::Chess960,
                "BBQNNKRR",
                "its king stands between the rooks",
            ),
            (
                Variant::Corner,
                "RNBQKBNR",
                "its king stands in the right-hand corner",
            ),
            (
                Variant::Transcendental,
                "BQBNNRKR",
                "squares of different colours",
            ),
            (
                Variant::Chess256,
                "BBQNNRKR",
                "its array is always RNBQKBNR",
            ),
            (Variant::Chess960, "5x", "`5x` is not a start position"),
            (Variant::Chess960, "", "is not a start position"),
            (Variant::Chess960, "518/RNBQKBNR", "is not a start position"),
        ] {
            let said = refusal(variant, text);
            assert!(said.contains(message), "{text}: {said}");
        }
    }

    #[test]
    fn ranges() {
        let range = |text| {
            StartRange::parse(Variant::Chess960, text)
                .map(|range| range.numbers().map(|number| number.0).collect::<Vec<u32>>())
        };
        assert_eq!(range("3-5"), Ok(vec![3, 4, 5]));
        assert_eq!(range("RNBQKBNR"), Ok(vec![518]));
        assert_eq!(range("all").unwrap().len(), 960);
        let backwards = range("5-3").unwrap_err().to_string();
        assert!(
            backwards.contains("`5-3` ends before it begins"),
            "{backwards}"
        );
        let standard = StartRange::parse(Variant::Standard, "all").unwrap();
        assert!(standard.numbers().eq([StartNumber(518)]));
    }
}
