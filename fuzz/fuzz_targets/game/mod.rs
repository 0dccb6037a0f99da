//! A game that the fuzzer steers, so that every position in it can be reached.

use arbiter960::chess::Position;
use arbiter960::chess::start::{StartNumber, Variant, position};

/// The start of the game: three bytes choose the variant and the number, absent ones are 0.
pub fn start(choices: &[u8]) -> Position {
    let choice = |index: usize| u32::from(choices.get(index).copied().unwrap_or(0));
    let variant = Variant::ALL[choice(0) as usize % Variant::ALL.len()];
    // A stride without a common factor reaches starts all over the variant.
    let chosen = (choice(1) << 8 | choice(2)).wrapping_mul(40_503) % variant.count();
    let number = StartNumber(variant.first_number().0 + chosen);
    position(variant, number).expect("the number is one of the variant's")
}

/// Plays a legal move for every further byte, as long as there is one, and shows each position.
pub fn play(choices: &[u8], mut visit: impl FnMut(&Position)) -> Position {
    let mut position = start(choices);
    visit(&position);
    for &choice in choices.iter().skip(3) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play(moves[usize::from(choice) % moves.len()]);
        visit(&position);
    }
    position
}
