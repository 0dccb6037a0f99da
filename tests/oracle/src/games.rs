//! Random games from random Chess960 and DFRC starts.

use arbiter960_chess::random::Random;
use arbiter960_chess::start::{StartNumber, Variant, position};
use arbiter960_chess::{Move, Position};

/// The start of a game: one of the 960 by the even seeds, one of DFRC's by the odd ones.
pub fn start(seed: u64, random: &mut Random) -> anyhow::Result<Position> {
    let variant = if seed.is_multiple_of(2) {
        Variant::Chess960
    } else {
        Variant::Dfrc
    };
    let number = random.below(u64::from(variant.count())) as u32;
    Ok(position(variant, StartNumber(number))?)
}

/// A random move. Castling and en passant are rare among random moves, and without captures no game ends by
/// insufficient material, so these are preferred from time to time.
pub fn choose(position: &Position, moves: &[Move], random: &mut Random) -> Move {
    let special = |mv: &Move| position.is_castling(*mv).is_some() || position.is_en_passant(*mv);
    let capture = |mv: &Move| position.is_capture(*mv);
    let wanted: Vec<Move> = match random.below(6) {
        0 | 1 => moves.iter().copied().filter(special).collect(),
        2 => moves.iter().copied().filter(capture).collect(),
        _ => Vec::new(),
    };
    let among = if wanted.is_empty() { moves } else { &wanted };
    among[random.below(among.len() as u64) as usize]
}
