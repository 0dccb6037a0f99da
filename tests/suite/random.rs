//! Random games from random starts, the same for the same seed.

use arbiter960::chess::{CastlingRule, Move, Position};

/// SplitMix64 (Steele, Lea & Flood 2014), so that a seed is a game.
pub struct Random(pub u64);

impl Random {
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.roll() % limit as u64) as usize
    }

    /// A back rank of Chess960: bishops on both colours, the king between the rooks.
    pub fn back_rank(&mut self) -> String {
        let mut rank = [' '; 8];
        rank[2 * self.below(4)] = 'B';
        rank[2 * self.below(4) + 1] = 'B';
        for piece in ['Q', 'N', 'N'] {
            let empty: Vec<usize> = (0..8).filter(|&file| rank[file] == ' ').collect();
            rank[empty[self.below(empty.len())]] = piece;
        }
        let rank = String::from_iter(rank);
        rank.replacen(' ', "R", 1)
            .replacen(' ', "K", 1)
            .replace(' ', "R")
    }
}

/// A start of Chess960, or with two different arrays.
pub fn random_start(random: &mut Random, rule: CastlingRule) -> Position {
    let white = random.back_rank();
    let black = match random.below(2) {
        0 => white.to_lowercase(),
        _ => random.back_rank().to_lowercase(),
    };
    let rights = match rule {
        CastlingRule::Moab => "Mm",
        _ => "KQkq",
    };
    let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {rights} - 0 1");
    Position::from_fen_with(&fen, rule).unwrap()
}

/// Plays random moves from a random start until `visit` says stop or the game is over.
pub fn random_game(seed: u64, rule: CastlingRule, mut visit: impl FnMut(&Position) -> bool) {
    let mut random = Random(seed);
    let mut position = random_start(&mut random, rule);
    while visit(&position) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        // Castling, evacuation and en passant are rare among random moves: prefer them sometimes.
        let far = |mv: &Move| mv.from().file().index().abs_diff(mv.to().file().index()) > 1;
        let evacuates = |mv: &Move| position.king(position.side_to_move()) == mv.from() && far(mv);
        let special = moves.iter().find(|mv| {
            position.is_castling(**mv).is_some() || position.is_en_passant(**mv) || evacuates(mv)
        });
        let chosen = match special {
            Some(&mv) if random.below(3) == 0 => mv,
            _ => moves[random.below(moves.len())],
        };
        position.play(chosen);
    }
}

/// The position after this number of random plies, or at the end of the game.
pub fn random_position(seed: u64, plies: usize) -> Position {
    random_position_of(CastlingRule::Fischer, seed, plies)
}

/// The same under another rule of castling.
pub fn random_position_of(rule: CastlingRule, seed: u64, plies: usize) -> Position {
    let (mut last, mut left) = (None, plies);
    random_game(seed, rule, |position| {
        last = Some(position.clone());
        left = left.wrapping_sub(1);
        left != usize::MAX
    });
    last.unwrap()
}
