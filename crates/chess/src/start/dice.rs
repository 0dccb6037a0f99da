//! The dice procedure: a start of Chess960 from a single ordinary die.
//!
//! Published by Hans Bodlaender and, as "single die method", by Ingo Althöfer (1998). A
//! roll counts free squares from the a-file: the bishop on dark squares (1 = a, 2 = c,
//! 3 = e, 4 = g), the bishop on light squares (1 = b … 4 = h), the queen (six squares are
//! free), a knight (five), the other knight (four); then the king goes between the rooks.
//! A roll that names no square is rolled again. Every start is equally likely, each being
//! made by two of the 1,920 sequences: the knights may come in either order. It takes 6.7 rolls on average.
//!
//! Who needs no pieces on the board takes the digits of the start's number from fewer throws, of anything with equally
//! likely sides ([`thrown`]): 4.29 rolls of a die, 10.27 tosses of a coin, 2.29 cards on average.

use super::numbering::{self, Filling};
use super::{StartError, StartNumber, Variant};
use crate::PieceKind::{Bishop, King, Knight, Queen, Rook};

/// The steps of the procedure: the piece that is placed by a roll, and how many squares it has.
const STEPS: [(&str, u8); 5] = [
    ("the bishop on dark squares", 4),
    ("the bishop on light squares", 4),
    ("the queen", 6),
    ("the first knight", 5),
    ("the second knight", 4),
];

/// The start that these rolls of a die make, rerolls included.
///
/// ```
/// use arbiter960_chess::start::{dice, STANDARD_NUMBER};
/// assert_eq!(dice(&[2, 3, 3, 2, 3]), Ok(STANDARD_NUMBER));
/// assert_eq!(dice(&[2, 3, 3, 4, 2]), Ok(STANDARD_NUMBER));
/// // A bishop has four squares: the 6 and the 5 are rolled again.
/// assert_eq!(dice(&[6, 2, 5, 3, 3, 4, 2]), Ok(STANDARD_NUMBER));
/// ```
pub fn dice(rolls: &[u8]) -> Result<StartNumber, StartError> {
    if let Some(&roll) = rolls.iter().find(|roll| !(1..=6).contains(*roll)) {
        return Err(impossible(roll));
    }
    let mut left = rolls.iter().copied();
    let mut placed = [0; 5];
    for ((waiting_for, squares), place) in STEPS.into_iter().zip(&mut placed) {
        let Some(roll) = left.find(|&roll| roll <= squares) else {
            return Err(StartError(format!(
                "the rolls end before {waiting_for} stands; a roll that names no free square is rolled again"
            )));
        };
        *place = u32::from(roll) - 1;
    }
    match left.len() {
        0 => Ok(number_of_places(placed)),
        unused => Err(too_many(rolls.len() - unused, rolls.len())),
    }
}

/// The start that throws from 1 to `sides` decide, as soon as they do: they are the digits of a number, and the starts
/// share the numbers that there can be. What is left over decides nothing, and counts for the next throw.
///
/// # Errors
/// A throw that is not possible; too few throws, or too many.
pub fn thrown(throws: &[u8], sides: u8) -> Result<StartNumber, StartError> {
    let starts = Variant::Chess960.count();
    let (mut number, mut numbers) = (0, 1);
    for (used, &throw) in (1..).zip(throws) {
        if !(1..=sides).contains(&throw) {
            return Err(impossible(throw));
        }
        numbers *= u32::from(sides);
        number = number * u32::from(sides) + u32::from(throw) - 1;
        let shared = numbers - numbers % starts;
        let given = throws.len();
        match (number < shared, used == given) {
            (true, true) => return Ok(StartNumber(number % starts)),
            (true, false) => return Err(too_many(used, given)),
            (false, _) => (number, numbers) = (number - shared, numbers - shared),
        }
    }
    let words = "these decide no start yet: one more is needed";
    Err(StartError(words.to_owned()))
}

fn impossible(roll: u8) -> StartError {
    StartError(format!("no die shows {roll}; rolls are 1 to 6"))
}

fn too_many(used: usize, given: usize) -> StartError {
    StartError(format!(
        "the start is decided after {used} rolls, but {given} were given"
    ))
}

/// Puts the pieces on the squares that were rolled, counted from 0.
fn number_of_places([dark, light, queen, knight, other_knight]: [u32; 5]) -> StartNumber {
    let mut squares = Filling::new();
    squares.put(Bishop, 2 * dark as usize);
    squares.put(Bishop, 2 * light as usize + 1);
    squares.put_free(Queen, queen);
    squares.put_free(Knight, knight);
    squares.put_free(Knight, other_knight);
    squares.fill(&[Rook, King, Rook]);
    StartNumber(numbering::array_number(&squares.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_start_is_made_by_two_of_the_sequences() {
        let mut made = [0_u8; 960];
        for sequence in 0..4 * 4 * 6 * 5 * 4 {
            let mut rest = sequence;
            let rolls = STEPS.map(|(_, squares)| {
                let roll = rest % u32::from(squares) + 1;
                rest /= u32::from(squares);
                roll as u8
            });
            made[dice(&rolls).unwrap().0 as usize] += 1;
        }
        assert!(made.iter().all(|&times| times == 2));
    }

    /// How many of all sequences of so many throws decide each start, and the mean number of throws, as far as so many
    /// decide.
    fn all_sequences(sides: u8, most: usize) -> (Vec<u32>, f64) {
        let (mut made, mut mean) = (vec![0; 960], 0.0);
        let mut open: Vec<Vec<u8>> = vec![Vec::new()];
        for length in 1..=most {
            let longer = open
                .iter()
                .flat_map(|one| (1..=sides).map(move |throw| [one.as_slice(), &[throw]].concat()));
            let (mut left, share) = (Vec::new(), f64::from(sides).powi(-(length as i32)));
            for throws in longer {
                match thrown(&throws, sides) {
                    Ok(start) => {
                        made[start.0 as usize] += 1;
                        mean += length as f64 * share;
                    }
                    Err(error) => {
                        assert!(error.to_string().contains("no start yet"), "{error}");
                        left.push(throws);
                    }
                }
            }
            open = left;
        }
        (made, mean)
    }

    #[test]
    fn few_throws_decide_every_start_equally_often() {
        for (sides, most, expected) in [(6, 7, 4.29), (2, 18, 10.27), (52, 3, 2.29)] {
            let (made, mean) = all_sequences(sides, most);
            assert!(
                made[0] > 0 && made.iter().all(|times| *times == made[0]),
                "{sides}"
            );
            assert!((mean - expected).abs() < 0.06, "{sides}: {mean}");
        }
    }

    #[test]
    fn rolls_that_do_not_fit_are_named() {
        for (rolls, error) in [
            (&[2, 3, 7, 2, 3][..], "no die shows 7"),
            (&[2, 3, 3, 2, 5], "end before the second knight stands"),
            (&[2, 3, 3, 6, 2, 3, 1], "after 6 rolls, but 7 were given"),
        ] {
            let found = dice(rolls).unwrap_err().to_string();
            assert!(found.contains(error), "{found}");
        }
    }
}
