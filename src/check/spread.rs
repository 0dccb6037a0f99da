//! Positions to which any legal answer is a good one.

use crate::chess::random::Random;
use crate::chess::{Game, Move, Position};

/// Positions of the usual perft suites: castling, promotion and check everywhere
/// (chessprogramming.org, "Perft Results"; Peter Ellis Jones's collection).
const TANGLED: [&str; 12] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1",
    "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1",
    "8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1",
    "8/k1P5/8/1K6/8/8/8/8 w - - 0 1",
    "k7/8/7p/3P4/8/8/8/K7 w - - 0 1",
];

/// Random games that are added to these.
const RANDOM_GAMES: u64 = 48;

/// Plies without capture or pawn move after which a long game makes one.
const QUIET_PLIES: u32 = 80;

/// The spread: the tangled positions, and random games of growing length.
pub(crate) fn spread() -> Vec<Game> {
    // The tests read every line.
    let tangled = TANGLED
        .iter()
        .filter_map(|fen| Position::from_fen(fen).ok());
    let random = (0..RANDOM_GAMES).map(|seed| random_game(seed, 6 + 3 * seed as usize));
    tangled.map(Game::new).chain(random).collect()
}

/// A random game of this number of plies, or a few less where it would have ended.
fn random_game(seed: u64, plies: usize) -> Game {
    let mut random = Random::new(seed);
    let mut game = Game::new(Position::standard());
    while game.moves().len() < plies && game.ending().is_none() {
        let moves = game.position().legal_moves();
        let index = random.below(moves.len() as u64) as usize;
        game.play(moves[index]);
    }
    while game.ending().is_some() {
        game.pop();
    }
    game
}

/// A game of exactly this number of plies that has not ended, by no rule: few captures, and no
/// position often.
pub(crate) fn long_game(plies: usize) -> Game {
    let mut random = Random::new(960);
    let mut game = Game::new(Position::standard());
    while game.moves().len() < plies {
        let mut moves: Vec<Move> = game.position().legal_moves().to_vec();
        random.shuffle(&mut moves);
        if !play_first_good(&mut game, &moves) {
            // No way continues from here: try another, from a little earlier.
            for _ in 0..4 {
                game.pop();
            }
        }
    }
    game
}

/// Plays the first move that keeps the game alive: quiet, or a pawn's when it is time.
fn play_first_good(game: &mut Game, moves: &[Move]) -> bool {
    let due = game.position().halfmove_clock() >= QUIET_PLIES;
    let quiet = |mv: Move| (game.position().after(mv).halfmove_clock() > 0) != due;
    let position = game.position();
    let keeps = |mv: &Move| quiet(*mv) && !position.is_capture(*mv);
    let wanted: Vec<Move> = moves.iter().copied().filter(keeps).collect();
    for &mv in wanted.iter().chain(moves) {
        game.play(mv);
        if game.ending().is_none() {
            return true;
        }
        game.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixty_games_that_have_not_ended() {
        let games = spread();
        assert_eq!(games.len(), 60);
        for game in &games {
            assert_eq!(game.ending(), None);
        }
        assert!(games.iter().any(|game| game.moves().len() > 100));
        let black = |game: &&Game| game.position().side_to_move() == crate::chess::Color::Black;
        assert!(games.iter().filter(black).count() > 20);
    }

    #[test]
    fn a_long_game_is_as_long_as_it_should_be() {
        let game = long_game(600);
        assert_eq!((game.moves().len(), game.ending()), (600, None));
    }
}
